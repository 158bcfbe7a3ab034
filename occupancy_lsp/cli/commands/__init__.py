"""The subcommands, one to a file: `add_arguments` says what it takes, `run` does it and returns the exit status."""

from __future__ import annotations


class Failed(Exception):
    """The tool cannot do its job. The message says why, and what to do about it; what follows are further lines."""
