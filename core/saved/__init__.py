"""Saved: whole comparisons kept in a store under links that nobody can guess."""
