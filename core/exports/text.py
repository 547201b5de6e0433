"""Text that came from files, made text in another format."""

import re

LIVE = re.compile(r"([\\`*_\[\]<>|!#~$&^{}]|:(?=//|\w+:))")
# An @ that would call somebody, or make an address of mail; that of nDCG@10 does not.
CALLS = re.compile(r"(?<!\w)@(?=\w)|@(?=[A-Za-z_-])")
LEADING = re.compile(r"^([-+=]|\d+(?=[.)]))")
ADDRESS = re.compile(r"(www)\.", re.IGNORECASE)
# What XML 1.0 cannot hold, and marks that turn the direction of what follows.
UNPRINTED = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")
JOINER = "\u2060"


def in_markdown(text: object) -> str:
    """Text for Markdown: every mark escaped, on one line; an @ is held apart from a name, so that nobody is called."""
    line = " ".join(printed(text).split())
    safe = CALLS.sub(f"@{JOINER}", LIVE.sub(r"\\\1", line))
    safe = ADDRESS.sub(r"\1\.", safe)
    number = LEADING.match(safe)
    if number is None:
        return safe
    return f"\\{safe}" if not number[1].isdigit() else f"{number[1]}\\{safe[number.end() :]}"


def printed(text: object) -> str:
    """Text without characters that no page can show: control characters, and marks that turn the reading direction."""
    return UNPRINTED.sub(" ", str(text))


def file_name(*parts: str) -> str:
    """A file's name from texts: letters, digits and dashes, never a path; at most 60 letters."""
    name = "-".join(re.sub(r"[^A-Za-z0-9@.]+", "-", part).strip("-.") for part in parts if part)
    return name[:60].strip("-.") or "ranklens"
