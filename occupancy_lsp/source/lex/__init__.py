"""From bytes to top-level items: tokens, brackets, and what a language gives every file. It knows no declaration."""
