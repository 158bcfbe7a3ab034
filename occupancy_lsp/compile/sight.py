"""What is known of a file before a compiler is asked: which files are around it, and which instances it names."""

from __future__ import annotations

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.workspace.index import Index


@dataclass(frozen=True, slots=True)
class Sight:
    """What is known of the file in its workspace. `instances`: of templates, each as C++ names it. `header`: one that
    it includes, whose kernels are asked for as well; "": none is."""

    index: Index
    dialect: Dialect
    instances: tuple[str, ...] = ()
    header: str = ""


def name_of(instance: str) -> bytes:
    """The plain name of the template."""
    return instance.partition("<")[0].rpartition("::")[2].encode()
