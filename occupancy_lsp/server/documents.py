"""Open documents. Their text is kept here because pygls ends lines at \\f, \\v and U+2028 and LSP does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types as t

from occupancy_lsp.core.files import Content, read_file
from occupancy_lsp.core.text import Encoding, Text
from occupancy_lsp.server.convert import span
from occupancy_lsp.server.paths import to_path

if TYPE_CHECKING:
    from occupancy_lsp.counts.usage import Reading
    from occupancy_lsp.edits.ladder.rows import Ladder
    from occupancy_lsp.features.answers import Diagnostic
    from occupancy_lsp.session.holding_file import HoldingFile
    from occupancy_lsp.session.project import Project
    from occupancy_lsp.session.view import Earlier, OpenFile, Status, View


def to_bytes(text: str) -> bytes:
    """UTF-8. JSON can carry half a surrogate pair and UTF-8 cannot: U+FFFD is as wide in each encoding."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


class YamlFile:
    """An open configuration file: nothing but its text matters."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def edit(self, start: int, end: int, new: bytes) -> None:
        self.text.replace(start, end, new)

    def replace_all(self, content: bytes) -> None:
        self.text = Text(content)

    def saved(self) -> None:
        pass

    def compiled(self, reading: Reading, fingerprints: Mapping[str, str]) -> None:
        pass

    def tried(self, ladder: Ladder) -> None:
        pass

    def were(self, earlier: Earlier) -> bool:
        return False

    def counts(self) -> tuple[()]:
        return ()

    def ahead(self) -> Iterator[None]:
        return iter(())

    def ask(self) -> None:
        pass

    def view(self) -> None:
        return None

    def views(self) -> tuple[View, ...]:
        return ()


_MOST_BYTES = 2_000_000


def on_disk(uri: str, project: Project) -> Document | None:
    """The file as a document that nobody has opened; None if it cannot be read."""
    path = to_path(uri)
    found = read_file(path, _MOST_BYTES) if path else None
    if not isinstance(found, Content):
        return None
    return Document(t.TextDocumentItem(uri, "", 0, found.data.decode("utf-8", "replace")), project)


def key_of(view: int, key: str) -> str:
    """Which view of its document a key is of: the first needs no word."""
    return f"{view}|{key}" if view else key


class Document:
    """An open document, and what the client has been told about it."""

    def __init__(self, item: t.TextDocumentItem, project: Project) -> None:
        self.uri = item.uri
        self.path = to_path(item.uri)
        self.version = item.version
        self._language = item.language_id
        self.move_to(project, Text(to_bytes(item.text)))
        self.shown: Sequence[Diagnostic] = ()
        self.items: list[t.Diagnostic] = []
        self.revision = 0
        self.settled = True
        self.looked_at: tuple[tuple[View, ...], bool] | None = None
        self.seen = 0  # the project's version when it was looked at
        self.status: Status | None = None
        self.faults: set[str] = set()
        self.in_sight = 0  # the middle of what hints were last asked for
        self.unsaved = False  # whether the text may be another than the file's

    def move_to(self, project: Project, text: Text | None = None) -> None:
        """Let this project answer for the document."""
        from occupancy_lsp.session.holding_file import open_file

        self.project = project
        content = text or self.text
        self.file: YamlFile | OpenFile | HoldingFile
        if self.path and self.path.name.endswith(".occupancy.yaml"):
            self.file = YamlFile(content)
        else:
            self.file = open_file(self.path, self._language, content, project)

    def close(self) -> None:
        if not isinstance(self.file, YamlFile):
            self.file.close()

    @property
    def text(self) -> Text:
        return self.file.text

    @property
    def is_yaml(self) -> bool:
        return isinstance(self.file, YamlFile)

    @property
    def awaits_a_look(self) -> bool:
        """Whether it was never looked at, or the project knows more since: all of its kernels may be others."""
        return self.looked_at is None or self.seen != self.project.version

    def view(self) -> View | None:
        """What is known about its kernels, or the first of them; None: it is nothing that could have any."""
        return self.file.view()

    def views(self) -> tuple[View, ...]:
        """Of a document that holds several texts with kernels, one for each."""
        return self.file.views()

    def views_on_line(self, offset: int) -> tuple[View, ...]:
        """Those of them that may have something on the line there."""
        from occupancy_lsp.session.holding_file import HoldingFile

        return self.file.views_on_line(offset) if isinstance(self.file, HoldingFile) else self.file.views()

    def view_at(self, offset: int) -> View | None:
        """Of the text that stands there, the innermost where one stands in another."""
        return next((it for it in reversed(self.views()) if it.is_at(offset)), None)

    def view_with(self, kernel: str) -> View | None:
        """That which has a kernel of this qualified name, or else the first."""
        views = self.views()
        having = (it for it in views if any(one.kernel.qualified == kernel for one in it.reports))
        return next(having, views[0] if views else None)

    def keyed(self, key: str) -> tuple[View | None, str]:
        """The view that a key is of which was made by `key_of`, and the view's own key."""
        number, bar, own = key.partition("|")
        views = self.views()
        if not bar or not (number.isascii() and number.isdecimal()):
            return (views[0] if views else None), key
        return (views[int(number)] if int(number) < len(views) else None), own

    def saved(self) -> None:
        self.unsaved = False
        self.file.saved()

    def change(self, changes: Sequence[t.TextDocumentContentChangeEvent], version: int, encoding: Encoding) -> None:
        for change in changes:
            if isinstance(change, t.TextDocumentContentChangePartial):
                self.file.edit(*span(self.text, change.range, encoding), to_bytes(change.text))
            else:
                self.file.replace_all(to_bytes(change.text))
        self.version = version
        self.unsaved = True
