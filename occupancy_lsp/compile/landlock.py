"""A program of its own: confines itself, then becomes the program that its arguments name. Linux only.

    python -I -S landlock.py [read|run|write|device PATH]… -- PROGRAM [ARGUMENT]…
    python -I -S landlock.py --

From then on only what is below the paths can be opened: `read` as it says, `run` also to be started, `write` also to
be changed, `device` read and written. Nothing can be reached over a network: it moves into an empty one of its own
where the kernel allows that; else Landlock forbids TCP. What the kernel lacks is left out: it is a second line of
defence. Without a program it says what it could do: the version of Landlock (0: none), and "empty", "tcp" or "open".

See https://docs.kernel.org/userspace-api/landlock.html. It knows nothing of this package, so that it starts at once.
"""

from __future__ import annotations

import ctypes
import os
import sys

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # system calls, the same for all architectures
_VERSION = 1
_BENEATH = 1
_NO_NEW_PRIVILEGES = 38
_NEW_NETWORK, _NEW_USER = 0x40000000, 0x10000000

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER, _TRUNCATE, _IOCTL = 1, 2, 4, 8, 1 << 14, 1 << 15
_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL  # what applies to what is no folder
_FIRST, _REFER = (1 << 13) - 1, 1 << 13  # all of version 1; renaming to another folder
_SINCE = {2: _REFER, 3: _TRUNCATE, 5: _IOCTL}
_ALL = _FIRST | _REFER | _TRUNCATE | _IOCTL
_RIGHTS = {
    "read": _READ_FILE | _READ_FOLDER,
    "run": _READ_FILE | _READ_FOLDER | _EXECUTE,
    "write": _ALL & ~(_EXECUTE | _IOCTL),
    "device": _READ_FILE | _WRITE_FILE,
}
_BIND_AND_CONNECT, _SIGNALS_AND_SOCKETS = 3, 3  # since versions 4 and 6


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Rule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


_libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """Of Landlock; 0: the kernel has none, or it is switched off."""
    return max(0, int(_libc.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))))


def leave_network() -> bool:
    """Root stays root: in a user's namespace it could no longer read what belongs to others."""
    if _libc.unshare(_NEW_NETWORK) == 0:
        return True
    return os.geteuid() != 0 and _libc.unshare(_NEW_NETWORK | _NEW_USER) == 0


def confine(known: int, paths: list[tuple[str, str]]) -> bool:
    """`known`: the version. `paths`: the kind and the path; those that are not there are passed over."""
    handled = _FIRST | sum(right for since, right in _SINCE.items() if known >= since)
    wanted = _Ruleset(handled, _BIND_AND_CONNECT if known >= 4 else 0, _SIGNALS_AND_SOCKETS if known >= 6 else 0)
    size = ctypes.c_size_t(24 if known >= 6 else 16 if known >= 4 else 8)
    ruleset = _libc.syscall(_CREATE, ctypes.byref(wanted), size, ctypes.c_uint32(0))
    if ruleset < 0:
        return False
    for kind, path in paths:
        _allow(ruleset, _RIGHTS[kind] & handled, path)
    if _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return bool(_libc.syscall(_RESTRICT, ruleset, ctypes.c_uint32(0)) == 0)


def _allow(ruleset: int, rights: int, path: str) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    rule = _Rule(rights if os.path.isdir(path) else rights & _FILE, opened)
    _libc.syscall(_ADD, ruleset, ctypes.c_int(_BENEATH), ctypes.byref(rule), ctypes.c_uint32(0))
    os.close(opened)


def main(arguments: list[str]) -> int:
    end = arguments.index("--")
    program = arguments[end + 1 :]
    known = version()
    alone = leave_network()
    confined = known > 0 and confine(known, list(zip(arguments[:end:2], arguments[1:end:2], strict=True)))
    if not program:
        network = "empty" if alone else "tcp" if confined and known >= 4 else "open"
        print(known if confined else 0, network)
        return 0
    try:
        os.execv(program[0], program)
    except OSError as fault:
        print(f"error: {program[0]} did not start: {fault.strerror}", file=sys.stderr)
        return 127


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
