"""The version is known wherever it runs."""

import importlib.metadata

import pytest

from core.model.version import version


def test_a_clone_that_is_not_installed_has_the_version_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = version()
    assert installed == importlib.metadata.version("ranklens")

    def nothing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", nothing)
    version.cache_clear()
    assert version() == installed
