"""Settings: what a host says about itself, all by environment variables, and what Streamlit must know of it."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit as st
from click import BadParameter
from click.types import convert_type
from streamlit import config

from core.errors import InputError, Problem

ADDRESS = "RANKLENS_ADDRESS"
HOSTS = "RANKLENS_HOSTS"
FRAMES = "RANKLENS_FRAMES"
PROXIES = "RANKLENS_PROXIES"
# A Hugging Face Space is told its public name here.
SPACE = "SPACE_HOST"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
WILDCARDS = ("0.0.0.0", "::", "")  # noqa: S104 - names to leave out, nothing is bound here

NAME = r"(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])"
HOST = re.compile(NAME)
ORIGIN = re.compile(rf"https?://{NAME}(?::[0-9]{{1,5}})?(?![^/])")
PATH = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?")


@dataclass(frozen=True)
class Settings:
    """What a host says about itself.

    origin   where people reach it, as "https://eval.example"; None where nothing is said
    base     the path in front of every address, as "/ranklens"; "" for none
    hosts    names it answers to, in lower case without a port; "*" for every name
    frames   origins whose pages may show it inside them; none: nobody's
    https    whether people reach it by https
    proxies  how many proxies of the host's own stand in front of it
    """

    origin: str | None
    base: str
    hosts: tuple[str, ...]
    frames: tuple[str, ...]
    https: bool
    proxies: int

    @property
    def framed(self) -> bool:
        """Whether it is shown inside other pages by https, where only cookies that say so are sent."""
        return bool(self.frames) and self.https


def read(variables: Mapping[str, str] | None = None) -> Settings:
    """The settings of this process, with what Streamlit was told (its own options win for the base path).

    Raises InputError where a variable does not hold what it should.
    """
    told = os.environ if variables is None else variables
    origin, base = _address(told.get(ADDRESS, "").strip())
    space = told.get(SPACE, "").strip().lower()
    if space and not origin:
        origin = f"https://{space}"
    names = [*LOOPBACK, *([urlsplit(origin).hostname or ""] if origin else []), *([space] if space else [])]
    bound = str(config.get_option("server.address") or "")
    names += [bound.lower()] if bound not in WILDCARDS else []
    names += [_host(word) for word in _words(told.get(HOSTS, ""))]
    return Settings(
        origin=origin,
        base=_base() or base,
        hosts=tuple(dict.fromkeys(names)),
        frames=tuple(_frame(word) for word in _words(told.get(FRAMES, ""))),
        https=bool((origin or "").startswith("https:") or config.get_option("server.sslCertFile")),
        proxies=_proxies(told.get(PROXIES, "").strip()),
    )


def apply() -> None:
    """Tell Streamlit what follows from the settings; once the application is made, and before it answers.

    Before it is made, Streamlit does not know yet where its own settings lie.
    """
    # The outermost secrets of Streamlit's kind become variables: some hosts know no other way to set one.
    st.secrets.load_if_toml_exists()
    _tell_options()
    now = read()
    if now.base and not _base():
        config.set_option("server.baseUrlPath", now.base.strip("/"), ADDRESS)
    if now.framed:
        config.set_option("server.xsrfCookieSameSite", "none", FRAMES)


def _tell_options() -> None:
    """Read Streamlit's own variables (STREAMLIT_…) as its command line does; started by uvicorn, nobody else has."""
    for name, option in list(config.get_config_options().items()):
        text = os.environ.get(option.env_var)
        if text is None or option.sensitive or "command-line" in option.where_defined:
            continue
        kind = convert_type(option.type)
        try:
            values = [kind.convert(word, None, None) for word in (text.split() if option.multiple else [text])]
        except BadParameter as error:
            raise InputError(Problem(option.env_var, None, error.message, f"it sets {name}")) from error
        config.set_option(name, values if option.multiple else values[0], option.env_var)


def _base() -> str:
    told = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{told}" if told else ""


def _words(text: str) -> list[str]:
    return [word for part in text.split(",") for word in part.split()]


def _address(text: str) -> tuple[str | None, str]:
    """The origin and the path of a public address."""
    if not text:
        return None, ""
    found = ORIGIN.match(text)
    if not found or not PATH.fullmatch(text, found.end()):
        # Cut off before a name and a password, if somebody wrote them into it.
        said = text.rpartition("@")[2][:80]
        raise InputError(
            Problem(ADDRESS, None, f'"{said}" is not an address', "write it as https://eval.example/ranklens")
        )
    path = text[found.end() :].strip("/")
    return found[0].lower(), f"/{path}" if path else ""


def _frame(word: str) -> str:
    """An origin that stands in a header as it is: so it is one, and nothing else."""
    if word != "*" and not ORIGIN.fullmatch(word.rstrip("/")):
        raise InputError(Problem(FRAMES, None, f'"{word[:80]}" is not an origin', "write it as https://portal.example"))
    return word.rstrip("/").lower()


def _host(word: str) -> str:
    if word != "*" and not HOST.fullmatch(word):
        raise InputError(
            Problem(HOSTS, None, f'"{word[:80]}" is not a name', "write it as eval.example, without a scheme or a port")
        )
    return word.strip("[]").lower()


def _proxies(text: str) -> int:
    if not text:
        return 0
    if not text.isdecimal() or int(text) > 10:
        raise InputError(Problem(PROXIES, None, f'"{text[:40]}" is not a number of proxies', "a number from 0 to 10"))
    return int(text)
