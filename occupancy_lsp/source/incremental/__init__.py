"""Files, their items and translation units, kept in step with edits; what a header is kept as on disk."""
