"""Is the editor that started this server still there? A server must not outlive it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

_SECONDS = 2.0

if sys.platform == "win32":

    def alive(pid: int) -> bool:
        # os.kill(pid, 0) would end the process there.
        import ctypes

        synchronize, still_running = 0x00100000, 0x00000102
        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(synchronize, False, pid)
        try:
            return bool(handle) and kernel.WaitForSingleObject(handle, 0) == still_running
        finally:
            kernel.CloseHandle(handle)

else:

    def alive(pid: int) -> bool:
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:
            pass
        return True


def editor(pid: int | None) -> int | None:
    """The process to watch. One that is not there now was never here: in a container its number means nothing."""
    return pid if pid and pid > 0 and alive(pid) else None


async def watch(find: Callable[[], int | None], gone: Callable[[], None]) -> None:
    """Call `gone` when the process has ended."""
    import asyncio  # not with the rest, which is asked before the server is loaded

    while not (pid := find()) or alive(pid):
        await asyncio.sleep(_SECONDS)
    gone()
