"""Recipe: the Dockerfile as a list of steps, and the files that its builder may see. A word that is not known here is an error."""

import json
import re
import shlex
from pathlib import Path
from typing import NamedTuple

from tests.conftest import REPOSITORY
from tests.test_house import tracked

WORDS = {"FROM", "ENV", "COPY", "RUN", "USER", "WORKDIR", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "CMD"}
ENTRY = re.compile(r"!(?P<name>[\w./-]+)")


class Step(NamedTuple):
    """One instruction of the Dockerfile, with all that follows its first word."""

    word: str
    rest: str


def steps(text: str) -> list[Step]:
    """The instructions in their order, continued lines joined; raises ValueError for one that is not known."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()
    found = [Step(*line.split(maxsplit=1)) for line in joined]
    if strange := {step.word for step in found} - WORDS:
        raise ValueError(f"not known: {sorted(strange)}")
    return found


def dockerfile() -> list[Step]:
    """The project's own."""
    return steps((REPOSITORY / "Dockerfile").read_text(encoding="utf-8"))


def variables(step: Step) -> dict[str, str]:
    """What an ENV instruction sets."""
    return dict(part.split("=", 1) for part in shlex.split(step.rest))


def environment(recipe: list[Step]) -> dict[str, str]:
    """What the process finds in its environment."""
    return {name: value for step in recipe if step.word == "ENV" for name, value in variables(step).items()}


def command(recipe: list[Step], word: str = "CMD") -> list[str]:
    """The words of the last CMD or HEALTHCHECK, which are written as a JSON list, so that no shell stands between."""
    rest = [step.rest for step in recipe if step.word == word][-1]
    return [str(part) for part in json.loads(rest[rest.index("[") :])]


def user(recipe: list[Step]) -> str:
    """Who the process runs as."""
    return [step.rest for step in recipe if step.word == "USER"][-1]


def admitted() -> list[str]:
    """What .dockerignore lets through: it refuses everything and then names what may pass."""
    lines = (REPOSITORY / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    assert rules[-1] == "**/__pycache__"
    return [match["name"] for rule in rules[1:-1] if (match := ENTRY.fullmatch(rule))]


def context() -> list[Path]:
    """The files of the project that reach the builder, relative to it."""
    passing = tuple(admitted())
    names = [path.relative_to(REPOSITORY) for path in tracked()]
    return [name for name in names if any(name.is_relative_to(each) for each in passing)]
