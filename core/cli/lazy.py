"""Lazy: a group of commands that imports a command's module only when the command is run, so that each starts fast."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose commands are named by where they are: command → "module:name"."""

    def __init__(self, *args: Any, where: Mapping[str, str], **kwargs: Any) -> None:
        """As click.Group."""
        super().__init__(*args, **kwargs)
        self.where = where

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Every command, in the order given."""
        return list(self.where)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """A command, imported now."""
        if cmd_name not in self.where:
            return None
        module, _, name = self.where[cmd_name].partition(":")
        command = getattr(import_module(module), name)
        return command if isinstance(command, click.Command) else None
