"""A scope of a small comparison for tests of exports."""

from functools import cache

from core.exports.scope import Scope
from tests.comparison.made import collection


@cache
def scope(queries: int = 40) -> Scope:
    """Two runs over seeded queries, with texts, an attribute, an undefined and a missing query."""
    return Scope.of(collection(queries).comparison)
