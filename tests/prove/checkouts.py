"""Sources where they stand in the copy of a repository, which is read once, however many edits are proved in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.session.compilations import Compilation, compilation, units_of
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import View
from occupancy_lsp.workspace.walk import is_unit

from .bench import Bench, Texts, limit, silent


@dataclass(frozen=True, slots=True)
class InCheckout(Bench):
    """A source or a header: only its own edits are proved. `project`: of the copy."""

    project: Project = field(kw_only=True)

    @classmethod
    def at(cls, source: Path, device: str, project: Project) -> InCheckout:
        return cls(source, device, _Originals(), project=project)

    @property
    def unit(self) -> Path:
        """What is compiled, as in the editor: the source itself, or one that includes the header."""
        if is_unit(self.path):
            return self.path
        return next(iter(units_of(self.path, self.project)), self.path)

    @property
    def root(self) -> Path:
        assert self.project.root is not None
        return self.project.root

    def read(self) -> Project:
        return self.project

    def owns(self, paths: Iterable[Path]) -> bool:
        return all(it == it.resolve() and it.is_relative_to(self.root) for it in paths)

    def write(self, changed: Texts) -> None:
        others = (self.changed | changed.keys()) - {self.path}
        Bench.write(self, changed)
        if others:
            self.project.changed(sorted(others))

    def ran(self) -> None:
        """A stranger's hosts are not run."""

    def alone(self, view: View, kernels: frozenset[str]) -> Reading:
        if not kernels or self.unit != self.path:
            return Reading()
        return replace(self._wish(view), only=kernels).run(limit(), silent)

    def compiled(self, view: View) -> Reading:
        """As the editor does it: what does not compile as a whole is cut down to what the kernels need."""
        return self._wish(view).run(limit(), silent)

    def _wish(self, view: View) -> Compilation:
        assert view.device is not None
        unit = self.unit
        facts = view.facts if unit == self.path else None
        return compilation(unit, view.source.dialect, view.device, self.project, facts)


class _Originals(dict[Path, bytes]):
    """What stood in each file when it was first asked for, which is before it is changed."""

    def __missing__(self, path: Path) -> bytes:
        return self.setdefault(path, path.read_bytes())
