"""Blocks of the CuTe DSL whose size a member of the launching object is: known where its class surely says it."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import indent

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.session.holding_file import HoldingFile, open_file
from occupancy_lsp.session.project import Project

_DATA = Path(__file__).parents[1] / "data" / "cute"
_LAUNCH = """
    @cute.kernel
    def kernel(self, a): pass

    @cute.jit
    def __call__(self, a):
        self.kernel(a).launch(grid=[8, 1, 1], block=[self.threads, 1, 1])
"""


def opened(source: str) -> HoldingFile:
    return open_file(Path("k.py"), "python", Text(source.encode()), Project(None, None, {"devices": ["h100"]}))


def sizes(file: HoldingFile, kernel: str = "One.kernel") -> tuple[int, ...]:
    (view,) = file.views()
    (found,) = (it.size.sizes for it in view.reports if it.kernel.qualified == kernel)
    return found


def source_of(body: str, bases: str = "", before: str = "", after: str = "") -> str:
    """A class with this in it, beside its kernel and what launches that."""
    return f"import cutlass.cute as cute\n\n{before}\nclass One{bases}:\n{indent(body, '    ')}\n{_LAUNCH}\n{after}\n"


def test_the_block_is_that_of_the_ptx() -> None:
    required = json.loads((_DATA / "members.json").read_text())
    file = opened((_DATA / "members.py").read_text())
    for kernel, (x, y, z) in required.items():
        known = (128, 256) if kernel == "Chosen.kernel" else (x * y * z,)
        assert sizes(file, kernel) == known and x * y * z in known
    assert len(required) == 10


@pytest.mark.parametrize(
    ("init", "known"),
    [
        ("self.threads = 64", (64,)),
        ("self.threads = 2 * self.half\n    self.half = 32", (64,)),
        ("if n: self.threads = 64\n    else: self.threads = 96", (64, 96)),
        ("warps = [1, 2]\n    self.threads = 32 * len(warps)", (64,)),
        ("warps = [1, 2]\n    warps.append(3)\n    self.threads = 32 * len(warps)", ()),
        ("self.warps = [1, 2]\n    self.warps.append(3)\n    self.threads = 32 * len(self.warps)", ()),
        ("self.warps = (1, *n)\n    self.threads = 32 * len(self.warps)", ()),
        ("self.threads = n", ()),
        ("self.threads = 64 if n else n", ()),
        ("self.threads = 64\n    self.threads += n", ()),
        ("self.threads = 64\n    del self.threads", ()),
        ("self.threads, self.more = 64, 1", ()),
        ("self.threads = self.more = 64", ()),
        ("for self.threads in n: pass", ()),
        ("self.threads = self.other\n    self.other = self.threads", ()),
        ("def inner(n): self.threads = N", ()),
        ("other = self\n    other.threads = 96\n    self.threads = 64", ()),
        ("self.threads = 64\n    setattr(self, n, 96)", ()),
        ("self.threads = 64\n    self.__dict__.update(n)", ()),
        ("self = n\n    self.threads = 64", (64,)),
        ("self = n\n    self.threads = self.half\n    self.half = 32", ()),
        ("self.threads = 64\n    (lambda it: exec(it))(n)", ()),
    ],
)
def test_what_the_class_gives_it(init: str, known: tuple[int, ...]) -> None:
    assert sizes(opened(source_of(f"def __init__(self, n):\n    {init}", before="N = 64"))) == known


@pytest.mark.parametrize(
    ("body", "known"),
    [
        ("threads = 64", (64,)),
        ("threads: int = 64", ()),  # as in a dataclass
        ("HALF = 32\nthreads = HALF * 2", ()),  # a name of the file may be called so, too
        ("@property\ndef threads(self): return 64", ()),
        ("def threads(self): pass", ()),
        ("from elsewhere import threads", ()),
        ("threads = 64\ndef more(self): self.threads = 96", (64, 96)),
        ("threads = 64\n@classmethod\ndef more(cls): cls.threads = 96", (64, 96)),
        ("threads = 64\n@staticmethod\ndef more(n, self): self.threads = n", ()),
        ("threads = 64\ndef __getattr__(self, name): return 96", ()),
        ("__slots__ = ('threads',)\ndef __init__(self): self.threads = 64", ()),
        ("def __init__(me): me.threads = 64", ()),  # members of what is not called `self` may be of any object
    ],
)
def test_what_stands_in_its_body(body: str, known: tuple[int, ...]) -> None:
    assert sizes(opened(source_of(body, before="HALF = 16"))) == known


INIT = "def __init__(self): self.threads = 64"
_BASE = "class Base:\n    def change(self): self.threads = 96\n"


@pytest.mark.parametrize(
    ("bases", "before", "after", "known"),
    [
        ("", "", "", (64,)),
        ("()", "", "", (64,)),
        ("(object)", "", "", (64,)),
        ("(Base)", _BASE, "", (64, 96)),
        ("(Base)", "from elsewhere import Base\n", "", ()),
        ("(elsewhere.Base)", "", "", ()),
        ("(metaclass=Base)", _BASE, "", ()),
        ("(Base)", f"{_BASE}\nclass Base: pass\n", "", ()),
        ("", "", "class Heir(One):\n    def __init__(self): self.threads = 128\n", (64, 128)),
        ("", "", "class Heir(One): pass\n\nclass Last(Heir):\n    def more(self): self.threads = 32\n", (32, 64)),
        ("", "", "class Other:\n    def __init__(self): self.threads = 128\n", (64,)),
        ("", "", "if True:\n    class Heir(One): threads = 512\n", ()),
        ("", "", "def made():\n    class Heir(One): threads = 512\n    return Heir\n", ()),
        ("", "", "class Heir(One, elsewhere.More): threads = 512\n", ()),
        ("", "", "class Heir(One, metaclass=More): threads = 512\n", ()),
        ("", "", "Heir = type('Heir', (One,), {'threads': 512})\n", ()),
        ("", "", "Same = One\nclass Heir(Same): threads = 512\n", ()),
        ("", "", "print(isinstance(None, One), One().threads)\n", (64,)),
        ("", "", "vars(One)['threads'] = 512\n", ()),
        ("", "@given_anew\n", "", ()),
        ("", "@dataclass(frozen=True)\n", "", (64,)),
        ("", "", "class Other:\n    def more(self, it): it.threads = 128\n", ()),
        ("", "", "one = One()\none.threads = 128\n", ()),
        ("", "", "def patched(self): self.threads = 128\n", ()),
        ("", "", "setattr(One, 'threads', 128)\n", ()),
    ],
)
def test_what_related_classes_and_others_give_it(bases: str, before: str, after: str, known: tuple[int, ...]) -> None:
    assert sizes(opened(source_of(INIT, bases, before, after))) == known


def test_an_edit_elsewhere_is_followed() -> None:
    """As when the file is read anew."""
    source = source_of("def __init__(self): self.threads = 32 * WARPS", "(Base)", "class Base: pass\n\nWARPS = 2\n")
    file = opened(source)
    for old, new, known in (
        ("WARPS = 2", "WARPS = 4", (128,)),
        ("class Base: pass", "class Base:\n    def change(self): self.threads = 96", (96, 128)),
        ("class Base:", "class Other:", ()),
        ("class Other:", "class Base:", (96, 128)),
        ("32 * WARPS", "32 * MORE", ()),
    ):
        at = source.index(old)
        source = source.replace(old, new, 1)
        file.edit(at, at + len(old), new.encode())
        assert sizes(file) == sizes(opened(source)) == known
