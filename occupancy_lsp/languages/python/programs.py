"""The programs in CUDA or Triton that a Python file holds as literals, with their launches, in step with its edits."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Mapping, Set
from dataclasses import replace
from functools import partial
from itertools import pairwise

from occupancy_lsp.languages.held import Launching, Piece, Program
from occupancy_lsp.languages.python.calling import Stands, called_in, calling, derived, given_anew, set_by_others
from occupancy_lsp.languages.python.module import Made, Module
from occupancy_lsp.languages.python.outline import Index, Outline
from occupancy_lsp.languages.python.program_launches import LAUNCHING, MAKING, assigned, getting, launched_by
from occupancy_lsp.languages.python.program_opt_ins import opted_in
from occupancy_lsp.languages.python.program_texts import HOLDING, TAKES, At, Taken, taken_by, taking
from occupancy_lsp.source.lex.span import Span

_MOST = 512  # programs of a file


class Programs:
    """Those of a file."""

    def __init__(self) -> None:
        self._calls, self._imports = Index(called_in), Index(taking)
        self._assigned, self._getting = Index(lambda it: frozenset(assigned(it))), Index(getting)
        self._members = Index(set_by_others)
        self._derived = Index(lambda it: frozenset(one.name for one in derived(it)))
        self._outline = Outline(self._calls, self._imports, self._assigned, self._getting, self._members, self._derived)
        self._made: Mapping[Hashable, Made] = {}

    def of(self, content: bytes) -> tuple[Program, ...]:
        """In the order in which they stand. Never raises."""
        if not any(it in content for it in HOLDING):
            return ()
        outline = self._outline
        outline.follow(content)
        doubtful = dict.fromkeys(self._doubtful_members(), True)
        module = replace(Module.of(outline.placed, outline.names, self._made), beside=doubtful)
        found = self._found(module)
        made: dict[At, Program] = {}
        for it in found.values():
            pieces = [_moved(piece, outline.start_of(item)) for item, piece in it.pieces]
            if not any(a.span.end > b.span.start for a, b in pairwise(pieces)):
                defined = b"".join(f"#define {name} {given}\n".encode() for name, given in it.macros)
                made[it.at] = Program(it.language, tuple(pieces), defined, it.max_registers, folders=it.folders)
        launches = self._launches(module, made.keys()) if made else {}
        opted = opted_in(module, content) if made else {}
        self._made = module.made
        apart = sorted(made.items(), key=lambda it: it[1].pieces[0].span.start)
        return tuple(
            replace(it, launches=tuple(launches.get(at, ())), opted=None if opted is None else opted.get(at, ()))
            for at, it in apart
        )

    def _doubtful_members(self) -> Set[str]:
        classes = self._derived.having(self._derived.names)
        return self._members.names | given_anew(it for placed in classes for it in derived(placed.statement))

    def _calling(self, names: Set[str]) -> Iterator[Stands]:
        """The calls of these, in the order of the file."""
        having = sorted(self._calls.having(names), key=lambda it: self._outline.index[it.item])
        return calling(having, names)

    def _found(self, module: Module) -> Mapping[At, Taken]:
        found: dict[At, Taken] = {}
        for call in self._calling(TAKES.keys() | self._imports.names):
            taken = module.make(("program", call.node, call.placed.item), partial(taken_by, of=call))
            if taken is not None and len(found) < _MOST:
                found.setdefault(taken.at, taken)
        return found

    def _launches(self, module: Module, programs: Set[At]) -> Mapping[At, list[Launching]]:
        """By the program."""
        found: dict[At, list[Launching]] = {}
        making = MAKING | self._getting.names
        making_any = (assigned(it.statement) for it in self._assigned.having(making))
        kernels = {name for each in making_any for called in making & each.keys() for name in each[called]}
        for call in self._calling(LAUNCHING | making | kernels):
            launched = module.make(("launch", call.node, call.placed.item), partial(launched_by, of=call))
            if launched is not None and launched[0] in programs:
                assert isinstance(call.node, ast.Call)
                at = call.placed.statement.span(call.node.func).end
                launching = Launching(self._outline.start_of(call.placed.item) + at, launched[1])
                found.setdefault(launched[0], []).append(launching)
        return found


def _moved(it: Piece, start: int) -> Piece:
    return Piece(Span(it.span.start + start, it.span.end + start), it.shown, it.refused)
