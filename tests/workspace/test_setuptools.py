"""`setup.py`, held against what Python itself makes of it: the real script is run with a `torch` that only prints."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from occupancy_lsp.workspace.compile_commands import Made
from occupancy_lsp.workspace.setuptools.commands import _OF_TORCH, command_by_setup

# `torch.utils.cpp_extension` and `setuptools`, as far as scripts ask them.
TORCH = """
import json
class version: cuda, hip = "13.0", None
class cuda:
    @staticmethod
    def is_available(): return True
__version__ = "2.9.0"
"""
EXTENSION = """
import json
CUDA_HOME, ROCM_HOME, IS_HIP_EXTENSION, BuildExtension = "/usr/local/cuda", None, False, None
def CppExtension(*a, **k): return None
def CUDAExtension(name, sources, *, include_dirs=(), define_macros=(), extra_compile_args=(), **rest):
    flags = extra_compile_args["nvcc"] if isinstance(extra_compile_args, dict) else list(extra_compile_args)
    print("MADE", json.dumps([name, list(sources), list(include_dirs), list(define_macros), flags]))
"""
SCRIPTS = {
    "plain": "setup(ext_modules=[CUDAExtension('m.k', ['k.cu'], extra_compile_args=['-O3', '-use_fast_math'])])",
    "lists": """
flags = ["-O3"]
flags += ["-use_fast_math"]
flags.append("-maxrregcount=40")
flags.extend(["-Xptxas", "-O1"] + ["-DX=%s" % 3, "-DY={}".format(4), f"-DZ={5}"])
also = flags
also.insert(0, "-lineinfo")
args = {"cxx": ["-O2"]}
args["nvcc"] = flags
flags += ["-restrict"]
setup(ext_modules=[CUDAExtension(name="k", sources=["a.cpp", "k.cu"], extra_compile_args=args)])
""",
    "paths": """
here = os.path.dirname(os.path.abspath(__file__))
csrc = os.path.join(here, "csrc")
sources = glob.glob(os.path.join(here, "*.cu")) + [os.path.join(csrc, it) for it in ["a.cpp", "b.cpp"]]
dirs = [csrc, Path(here) / "include" / "x", str(Path(here).parent / "up"), os.path.join(here, "a", "b")]
setup(ext_modules=[CUDAExtension("k", sources, include_dirs=[str(it) for it in dirs],
    define_macros=[("A", None), ("B", "2")], extra_compile_args={"nvcc": []})])
""",
    "functions": """
def flags(fast, *, registers=32, more=None):
    found = ["-use_fast_math"] if fast else ["-G"]
    if more is not None:
        return found + more
    return found + [f"-maxrregcount={registers}"]
def with_threads(it):
    return it + ["--threads", os.getenv("NVCC_THREADS") or "4"]
def extensions():
    made = []
    for name, wanted in [("other", ["o.cu"]), ("k", ["k.cu"])]:
        made.append(CUDAExtension(name, wanted, extra_compile_args={"nvcc": with_threads(flags(True, registers=48))}))
    return made
if __name__ == "__main__":
    setup(name="x", ext_modules=extensions())
""",
    "conditions": """
flags = []
if sys.platform == "nowhere" or os.name == "never":
    flags.append("-G")
elif os.getenv("DEBUG_KERNELS", "0") == "1" or "--debug" in sys.argv or "DEBUG" in os.environ:
    flags.append("-O0")
else:
    flags.append("-use_fast_math")
kind = CppExtension
if torch.cuda.is_available() and CUDA_HOME is not None and torch.version.hip is None:
    kind = CUDAExtension
    flags.append("-ftz=true")
if not flags:
    raise RuntimeError("no")
with open(__file__) as file:
    flags += ["-restrict"]
try:
    flags += ["-lineinfo"]
except ImportError:
    flags += ["-G"]
setup(ext_modules=[kind("k", ["k.cu"], extra_compile_args={"cxx": [], "nvcc": flags})])
""",
    "comprehensions": """
import itertools
OFF = os.getenv("OFF", "FALSE") == "TRUE"
sizes = [] + ([64] if not OFF else []) + ([128] if OFF else [])
made = [f"f_{size}_{kind}.cu" for size, kind in itertools.product(sizes, ["a", "b"]) if kind != "b"]
flags = [f"-D{name}={at}" for name in "A B".split() for at in (1, 2) if name == "A" or at == 2]
flags += [it for part in (["-O3"], ["-lineinfo"]) for it in part if it.startswith("-l")]
setup(ext_modules=[CUDAExtension("k", [it.replace("f_64_a", "k") for it in made], extra_compile_args={"nvcc": flags})])
""",
    "classes": """
from abc import ABC
class Base(ABC):
    FLAGS, _known = ["-O3"], None
    def __init__(self, name, *, debug=False):
        self.name, self.debug, self.fast = name, debug, False
    @staticmethod
    def is_known():
        if Base._known is None:
            Base._known = "-restrict"
        return Base._known
    @classmethod
    def named(cls, name):
        return cls(name)
    @property
    def dirs(self):
        return [os.path.join(os.path.dirname(__file__), "inc")]
    def flags(self):
        self.fast = True
        return [*self.FLAGS, self.is_known()]
    def sources(self):
        return []
    def build(self, kind=CUDAExtension):
        flags = {"nvcc": [it for it in self.flags() if len(it) > 0], "cxx": []}
        if self.fast and not self.debug:
            flags["nvcc"].append("-use_fast_math")
        return kind(self.name, self.sources(), include_dirs=self.dirs, extra_compile_args=flags)
class Other(Base):
    FLAGS = ["-O1"]
class K(Base):
    def __init__(self):
        super().__init__(name="k", debug=os.getenv("DEBUG_K") is not None)
    def flags(self):
        return super().flags() + ["-lineinfo" if 3 > 2 else ""] + ["" if self.debug else "-ftz=true"]
    def sources(self):
        return ["k.cu"]
setup(ext_modules=[Other.named("o").build(), K().build()])
""",
    "modules": """
import importlib.util
import more.flags as known
from more import made
from more.flags import WANTED as wanted, of
def loaded(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
given = loaded("given", os.path.join("more", "given.py")).parameters()
kwargs = {"extra_compile_args": {"nvcc": wanted + of(2) + known.of(3) + given.flags}}
setup(ext_modules=[made.extension(given.sources, **kwargs)])
""",
    "a dictionary": """
kwargs = dict(extra_compile_args={"nvcc": ["-G"]})
table = {"nvcc": ["-O3"]}
table.update({"nvcc": ["-use_fast_math", *["-ftz=true"]]})
setup(ext_modules=[CUDAExtension("k", ["k.cu"], extra_compile_args={"cxx": [], "nvcc": table["nvcc"]})])
""",
}
# What these import.
MODULES = {
    "more/__init__.py": "",
    "more/flags.py": "WANTED, COUNT = ['-O3'], 1\ndef of(it):\n    return [f'-DX{it}={it + 0 if False else COUNT}']\n",
    "more/made.py": "from torch.utils.cpp_extension import CUDAExtension as Made\nfrom .flags import WANTED\n"
    "def extension(sources, **given):\n    return Made('k', sources, **given)\n",
    "more/given.py": "import os\nfrom types import SimpleNamespace\nHERE = os.path.dirname(os.path.abspath(__file__))\n"
    "def parameters():\n    sources = [os.path.relpath(os.path.join(HERE, '..', 'k.cu'), os.path.dirname(HERE))]\n"
    "    return SimpleNamespace(sources=sources, flags=['-lineinfo'])\n",
}
HEAD = """
import glob, os, sys
from pathlib import Path
import torch
from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension
"""


def write(folder: Path, script: str) -> Path:
    for name, text in {**MODULES, "k.cu": ""}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "setup.py").write_text(HEAD + script)
    return folder


def ours(folder: Path) -> Made | None:
    found = command_by_setup(folder / "k.cu", folder, lambda several: len({it.arguments for it in several}) == 1)
    return found[0] if found is not None else None


def by_python(folder: Path, stubs: Path) -> list[str]:
    """What the extension of k.cu is given, in the order of PyTorch's own command lines."""
    files = {"torch/__init__.py": TORCH, "torch/utils/__init__.py": "", "torch/utils/cpp_extension.py": EXTENSION}
    for name, text in {**files, "setuptools.py": "def setup(**given): pass\n"}.items():
        (stubs / name).parent.mkdir(parents=True, exist_ok=True)
        (stubs / name).write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(stubs)}
    command = [sys.executable, "setup.py"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    lines = [json.loads(it[5:]) for it in done.stdout.splitlines() if it.startswith("MADE ")]
    name, _, dirs, macros, flags = next(it for it in lines if any(source.endswith("k.cu") for source in it[1]))
    words = ["nvcc", "-DTORCH_API_INCLUDE_EXTENSION_H", f"-DTORCH_EXTENSION_NAME={name.split('.')[-1]}"]
    words += [f"-I{os.path.normpath(os.path.join(folder, it))}" for it in dirs]
    words += [f"-D{name}" if text is None else f"-D{name}={text}" for name, text in macros]
    return [*words, *_OF_TORCH, *flags, "-c", str(folder / "k.cu")]


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_flags_are_those_of_the_script(tmp_path: Path, name: str) -> None:
    folder = write(tmp_path / "project", SCRIPTS[name])
    said = ours(folder)
    assert said is not None and said.doubted == () and said.strange == ()
    assert list(said.command.arguments) == by_python(folder, tmp_path / "stubs")


def test_what_goes_with_the_extension_is_not_in_doubt(tmp_path: Path) -> None:
    """If it is built at all, it is built so; of all else only what is in doubt is left out."""
    script = """
flags = ["-O3"]
if somebody.knows():
    flags.append("-use_fast_math")
    setup(ext_modules=[CUDAExtension("k", ["k.cu"], extra_compile_args=flags + (["-G"] if nobody() else []))])
"""
    said = ours(write(tmp_path, script))
    assert said is not None and "-use_fast_math" in said.command.arguments and "-G" not in said.command.arguments
    assert said.doubted == () and len(said.strange) == 1


@pytest.mark.parametrize(
    "script, doubted",
    [
        ("if unknown():\n    flags.append('-G')\n", ("-G",)),
        ("if unknown():\n    flags += ['-G']\nelse:\n    flags += ['-O1']\n", ("-G", "-O1")),
        ("if unknown():\n    flags = ['-G']\n", ("-G",)),
        ("def f():\n    if unknown():\n        return ['-G']\n    return []\nflags += f()\n", ("-G",)),
        ("for it in unknown():\n    flags.append('-G')\n", ("-G",)),
        ("if unknown():\n    raise ValueError\nflags.append('-lineinfo')\n", ()),
    ],
)
def test_what_may_be_there_is_in_doubt(tmp_path: Path, script: str, doubted: tuple[str, ...]) -> None:
    made = "setup(ext_modules=[CUDAExtension('k', ['k.cu'], extra_compile_args=flags)])\n"
    said = ours(write(tmp_path, f"flags = []\n{script}{made}"))
    assert said is not None and said.doubted == doubted
    assert ("-lineinfo" in said.command.arguments) == (not doubted)


BUILDERS = {
    "ops/base.py": """
import os
from abc import ABC, abstractmethod
class Builder(ABC):
    @abstractmethod
    def sources(self):
        pass
    def flags(self):
        return ["-O3", "--use_fast_math", f"--threads={os.cpu_count()}"]
    def build(self):
        from torch.utils.cpp_extension import CUDAExtension as Kind
        return Kind(name="a.k", sources=self.sources(), include_dirs=["inc"], extra_compile_args={"nvcc": self.flags()})
""",
    "ops/k.py": """
from .base import Builder
class KBuilder(Builder):
    def sources(self):
        return ["csrc/k.cu"]
    def flags(self):
        return super().flags() + ["-lineinfo"]
""",
    "setup.py": "from torch.utils.cpp_extension import BuildExtension\nimport ops\nsetup(ext_modules=ops.all())\n",
}


def test_what_a_class_builds_that_setup_does_not_name(tmp_path: Path) -> None:
    for name, text in {**BUILDERS, "csrc/k.cu": ""}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = command_by_setup(tmp_path / "csrc/k.cu", tmp_path, lambda several: len(several) == 1)
    assert found is not None and found[1] == tmp_path / "ops/k.py"
    assert not found[0].doubted and not found[0].strange
    words = found[0].command.arguments
    assert f"-I{tmp_path / 'inc'}" in words and words[-5:-2] == ("-O3", "--use_fast_math", "-lineinfo")


@pytest.mark.parametrize(
    "head, name",
    [
        ("from torch.utils.cpp_extension import load", "load"),
        ("from torch.utils import cpp_extension", "cpp_extension.load"),
        ("import torch.utils.cpp_extension as jit", "jit.load"),
        ("import torch.utils.cpp_extension", "torch.utils.cpp_extension.load"),
    ],
)
def test_what_is_compiled_when_a_script_runs(tmp_path: Path, head: str, name: str) -> None:
    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc/k.cu").write_text("")
    flags = "extra_cuda_cflags=['-use_fast_math', f'-DN={N}'], extra_include_paths=['csrc']"
    (tmp_path / "run.py").write_text(f"{head}\nN = 8\nk = {name}(name='k', sources=['csrc/k.cu'], {flags})\n")
    found = command_by_setup(tmp_path / "csrc/k.cu", tmp_path, lambda several: len(several) == 1)
    assert found is not None and found[1] == tmp_path / "run.py"
    words = found[0].command.arguments
    assert f"-I{tmp_path / 'csrc'}" in words and words[-4:-2] == ("-use_fast_math", "-DN=8")


def test_no_module_outside_is_read(tmp_path: Path) -> None:
    """Neither by a path, nor by a link."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/m.py").write_text("FLAGS = ['-G']\n")
    script = "from linked.m import FLAGS\nfrom ...outside.m import FLAGS as more\nspec = importlib.util"
    script += ".spec_from_file_location('m', '../outside/m.py')\n"
    made = "setup(ext_modules=[CUDAExtension('k', ['k.cu'], extra_compile_args=FLAGS + more + spec.FLAGS)])\n"
    folder = write(tmp_path / "inside", script + made)
    (folder / "linked").symlink_to(tmp_path / "outside")
    said = ours(folder)
    assert said is not None and "-G" not in (*said.command.arguments, *said.doubted) and said.strange


def test_an_extension_that_has_to_be_asked_for(tmp_path: Path) -> None:
    script = "if '--k' in sys.argv:\n    setup(ext_modules=[CUDAExtension('k', ['k.cu'], extra_compile_args=['-G'])])\n"
    said = ours(write(tmp_path, script))
    assert said is not None and "-G" in said.command.arguments and not said.doubted


def test_what_no_script_compiles_has_no_command(tmp_path: Path) -> None:
    assert ours(write(tmp_path / "other", "CUDAExtension('k', ['other.cu'])\n")) is None
    two = "CUDAExtension('a', ['k.cu'])\nCUDAExtension('a', ['k.cu'], extra_compile_args=['-G'])\n"
    assert ours(write(tmp_path / "two", two)) is None
    assert ours(write(tmp_path / "broken", "CUDAExtension('k', ['k.cu'\n")) is None


@pytest.mark.parametrize(
    "script",
    [
        "a = 'x'\n" + "a = a + a\n" * 60,
        "a = ['x']\n" + "a = a + a\n" * 60,
        "a = ['x']\n" + "a += a\n" * 60,
        "def f():\n    f()\n    f()\nf()\n",
        "a = " + "[" * 5_000 + "\n",
        "a = " + "1 + " * 50_000 + "1\n",
        "a = " + "lambda: " * 5_000 + "1\n",  # MemoryError
        "".join(f"if u():\n    a = {i}\n" for i in range(3_000)) + "b = a\n",
        "for i in range(10**9):\n    pass\n",
        "a = [1] * 10**10\nb = 'x' * 10**10\nc = 10 ** 10 ** 10\nd = '%1000000000s' % 'x'\n"
        "e = '{:1000000000}'.format('x')\nf = f'{1:1000000000}'\ng = 'a'.ljust(10**10)\n",
        "from glob import glob\na = glob('/**/*', recursive=True) + glob('../**/*', recursive=True)\n",
        "while True:\n    a = []\n",
        "class A:\n    pass\n" + "class A(A, A):\n    pass\n" * 60,
        "import setup\nfrom setup import *\nfrom . import setup\n",
        "class A:\n    def f(self):\n        return self.f() + self.f()\n    CUDAExtension = f\nA().f()\n",
        "class A:\n    def __init__(self):\n        self.a = A()\n        self.b = A()\nA()\n",
    ],
    ids=range(16),
)
def test_no_script_takes_long(tmp_path: Path, script: str) -> None:
    """Far below what a person waits for; without bounds these take minutes, or for ever."""
    began = time.process_time()
    ours(write(tmp_path, script + "CUDAExtension('k', ['k.cu'])\n"))
    assert time.process_time() - began < 20


def test_nothing_is_run(tmp_path: Path) -> None:
    script = """
open("ran", "w").write("x")
os.system("touch ran")
__import__("os").system("touch ran")
exec("open('ran', 'w')"); eval("open('ran', 'w')")
flags = [f"-DX={open('ran', 'w')}", "-DY=%s" % os.system("touch ran"), str(open("ran", "w"))]
[open("ran", "w") for it in ["x"]]
class K:
    open("ran", "w")
@(lambda f: open("ran", "w"))
def f(a=open("ran", "w")):
    pass
f()
Path("ran").write_text("x"); Path("ran").touch()
"x".__class__.__mro__[1].__subclasses__()
setup(ext_modules=[CUDAExtension("k", ["k.cu"], extra_compile_args=flags)])
"""
    folder = write(tmp_path, script)
    assert ours(folder) is not None
    assert not (folder / "ran").exists() and not Path("ran").exists()
