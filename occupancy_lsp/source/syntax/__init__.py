"""The parser, its trees, and expressions read from them. It knows no declaration."""
