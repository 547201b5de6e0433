"""Scores from judgments and hits; `score` is the way in. No file is read here and nothing is compared."""
