"""Measurements, run by hand: nothing here is a test, because nothing timed is."""
