"""Saved: whole comparisons kept in a store under links that nobody can guess.

A link's token is shown once and kept nowhere; a store holds its SHA-256. Who may do what with a link is `core.saved.access`.
"""

from core.saved.access import Access
from core.saved.deleting import Tidied, delete, delete_by_id, tidy
from core.saved.finding import all_listed, find, find_delete, found_by_id, listed, listed_for_everyone, open_saved, read
from core.saved.records import Found, Link, Listed, Saved
from core.saved.saving import DAYS, new_link, save

__all__ = [
    "DAYS",
    "Access",
    "Found",
    "Link",
    "Listed",
    "Saved",
    "Tidied",
    "all_listed",
    "delete",
    "delete_by_id",
    "find",
    "find_delete",
    "found_by_id",
    "listed",
    "listed_for_everyone",
    "new_link",
    "open_saved",
    "read",
    "save",
    "tidy",
]
