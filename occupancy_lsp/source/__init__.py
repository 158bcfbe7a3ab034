"""Source text to facts. Knows nothing of devices or editors; the only package that imports tree-sitter."""
