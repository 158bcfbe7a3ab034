"""`setup.py`, as far as its text tells how an extension's sources are compiled: read, never run."""
