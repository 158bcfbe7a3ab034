"""Databases of SQLite that somebody else may have made: read in memory, or where Python cannot, from a file that is
opened as one that nobody changes. Nothing is written.

Only plain tables are read, one at a time, by the names of their columns: no view, trigger or virtual table of the
file's has a part in it. SQLite counts its own steps and gives up after `MAX_STEPS`.
"""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from occupancy_lsp.core.regex import regex

MAGIC = b"SQLite format 3\0"
MAX_STEPS = 40_000_000
MAX_ROWS = 200_000
MAX_TABLES = 1000
_STEPS = 20_000  # between two looks at how many they are
_LONGEST = 1 << 20  # bytes of a value
_PLAIN = regex(r"\s*CREATE\s+TABLE\s", re.IGNORECASE)
_WRITE_AHEAD = slice(18, 20)  # of the header: whether there is a log beside the file
_PRAGMAS = ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON", "temp_store = MEMORY", "mmap_size = 0")


class Unreadable(ValueError):
    """Why a database cannot be read, for people."""


class Database:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.tables: dict[str, frozenset[str]] = {}  # their columns
        made = connection.execute(f"SELECT name, sql FROM sqlite_master WHERE type = 'table' LIMIT {MAX_TABLES}")
        for name, sql in made.fetchall():
            if isinstance(name, str) and isinstance(sql, str) and _PLAIN.match(sql):
                columns = connection.execute(f"PRAGMA table_info({_quoted(name)})")
                self.tables[name] = frozenset(it[1] for it in columns)

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[object, ...]]:
        """Different ones alone, for launches are many; None for a column that the table does not have."""
        own = self.tables.get(table, frozenset())
        chosen = ", ".join(_quoted(it) if it in own else "NULL" for it in columns)
        yield from self._connection.execute(f"SELECT DISTINCT {chosen} FROM {_quoted(table)} LIMIT {MAX_ROWS}")


@contextmanager
def opened(data: bytes, path: str) -> Iterator[Database]:
    """`data`: what the file at `path` holds. Raises Unreadable, also for what turns out while rows are read."""
    try:
        with closing(_connected(data, path)) as connection:
            connection.text_factory = lambda text: text.decode("utf-8", "replace")
            _bound(connection)
            yield Database(connection)
    except (sqlite3.Error, UnicodeError, MemoryError, OverflowError) as error:
        interrupted = "interrupted" in str(error)
        raise Unreadable("too large a database, not read" if interrupted else "damaged database, not read") from None


def _connected(data: bytes, path: str) -> sqlite3.Connection:
    if sys.version_info < (3, 11):
        return sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    plain = bytearray(data)
    plain[_WRITE_AHEAD] = b"\1\1"
    connection.deserialize(plain)
    return connection


def _bound(connection: sqlite3.Connection) -> None:
    left = MAX_STEPS // _STEPS

    def is_over() -> int:
        nonlocal left
        left -= 1
        return left < 0

    connection.set_progress_handler(is_over, _STEPS)
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
