"""The dashboard: one file a page, each a straight line of ask, say, draw. What pages share is in `pages.shared`."""
