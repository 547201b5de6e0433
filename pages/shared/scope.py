"""The scope of an export: what the page's view shows."""

from core.comparison import Comparison
from core.exports.scope import Scope
from pages.shared.kept import kept
from pages.shared.view import View


def current(comparison: Comparison, look: View) -> Scope:
    """The scope of a view; kept, since what it shows is computed once."""
    key = f"scope {comparison.key} {look.key}"
    found: Scope | None = kept().get(key)
    if found is None:
        found = Scope(comparison, look.measure, look.baseline, look.runs, look.where, look.sliced)
        kept().put(key, found)
    return found
