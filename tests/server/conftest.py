"""Servers for the tests, each ended with its test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .pipe import Server

Start = Callable[..., Server]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a server process; its folder is not the project's, so that the installed package is what runs."""
    started: list[Server] = []

    def start(*arguments: str, **options: dict[str, str]) -> Server:
        started.append(Server(tmp_path, *arguments, **options))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def server(start: Start) -> Server:
    """A server that has been initialized without any folder."""
    server = start("--stdio")
    server.initialize()
    return server
