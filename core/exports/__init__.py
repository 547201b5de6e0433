"""Exports: what of a comparison can be taken away."""
