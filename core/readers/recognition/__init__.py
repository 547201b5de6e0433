"""Recognition: from the content of a file to how it is read."""
