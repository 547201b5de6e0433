"""Roles: whether a file's content can be what a person says it is."""

from typing import Protocol

from core.errors import InputError, Problem
from core.model.reading import ROLE_NAMES, Role
from core.readers.files import Given


class Content(Protocol):
    """What recognition knows of a file, whatever its format."""

    @property
    def words(self) -> str:
        """The shape for people."""

    @property
    def possible(self) -> tuple[Role, ...]:
        """The roles to ask about, the likeliest first."""

    @property
    def refused(self) -> str:
        """Why it cannot be used at all, or empty."""

    @property
    def advice(self) -> str:
        """What to do where it is refused."""

    def allows(self, role: Role) -> bool:
        """Whether the content can have this role."""


def checked_role(given: Given, sense: Content, role: Role | None) -> Role:
    """The role asked for, or the likeliest. Raises InputError where the content cannot have it."""
    if sense.refused:
        raise InputError(Problem(given.name, None, sense.refused, sense.advice or None))
    if role is None:
        return sense.possible[0]
    if sense.allows(role):
        return role
    looks = ROLE_NAMES[sense.possible[0]].lower()
    asked = ROLE_NAMES[role].lower()
    exchanged = {role, sense.possible[0]} == {"qrels", "run"}
    what = sense.words if sense.words.startswith(looks.split(" ")[0]) else f"{looks} ({sense.words})"
    message = (
        f"this looks like {'a ' if looks == 'run' else ''}{what}, not like {'a ' if asked == 'run' else ''}{asked}"
    )
    hint = (
        "the two files seem to be exchanged: give the judgments as --qrels and the run as --run" if exchanged else None
    )
    raise InputError(Problem(given.name, None, message, hint))
