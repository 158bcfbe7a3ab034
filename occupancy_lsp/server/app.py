"""`occupancy-lsp serve`: the options, and which transport they choose. Light: the server is imported when it starts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    transport = parser.add_mutually_exclusive_group()
    transport.add_argument(
        "--stdio", action="store_true", help="communicate over standard input and output (the default)"
    )
    where = "for clients that present the printed token; on this machine only (127.0.0.1) unless HOST is given"
    transport.add_argument("--tcp", metavar="[HOST:]PORT", type=address, help=f"listen on a TCP port, {where}")
    transport.add_argument("--ws", metavar="[HOST:]PORT", type=address, help=f"listen on a WebSocket, {where}")
    parser.add_argument("--clientProcessId", metavar="PID", type=int, dest="client_pid", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Serve until the client leaves. 0: it said goodbye as it should; 1: it did not; 2: nothing to listen on."""
    # A key that comes while a thread reads the workspace waits for it this long, and each time it has to wait.
    sys.setswitchinterval(0.0005)
    if options.tcp or options.ws:
        from occupancy_lsp.server import network

        return network.serve_tcp(*options.tcp) if options.tcp else network.serve_websocket(*options.ws)
    from occupancy_lsp.server.pipes import Pipes

    pipes = Pipes(options.client_pid)  # answers `initialize` while the rest is loaded
    from occupancy_lsp.server import stdio

    return stdio.serve(pipes)


def serve(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="occupancy-lsp serve", description="Start the language server.")
    add_arguments(parser)
    return run(parser.parse_args(arguments))


def address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdecimal() and len(port) <= 5 and int(port) <= 65535):
        raise argparse.ArgumentTypeError(f"expected [HOST:]PORT, such as 127.0.0.1:2087, not {text!r}")
    return host.strip("[]") or "127.0.0.1", int(port)
