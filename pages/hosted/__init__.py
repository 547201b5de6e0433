"""Hosted: what stands between the network and the pages, mounted by server.py."""
