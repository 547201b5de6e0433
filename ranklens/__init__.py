"""The files that browsers load from this package: scripts of the dashboard's own parts, which a strict policy allows from here only."""
