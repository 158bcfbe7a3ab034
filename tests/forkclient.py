"""Stand before a process of `forkserver`: give it what this one was given, pass signals on, end as it ends."""

import json
import os
import signal
import socket
import sys

address, *arguments = sys.argv[1:]
server = socket.socket(socket.AF_UNIX)
server.connect(address)
folder = os.open(".", os.O_RDONLY)
message = json.dumps({"arguments": arguments, "environment": dict(os.environ)}).encode() + b"\n"
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, _: server.sendall(b"%d" % number))
sent = socket.send_fds(server, [message], [0, 1, 2, folder])
server.sendall(message[sent:])
for descriptor in (0, 1, 2, folder):  # so that their other ends see the end of the other process's
    os.close(descriptor)
status = int(server.recv(16))
if status < 0:
    signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
os._exit(status)
