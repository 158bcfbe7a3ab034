"""A program as it is drawn: names, text and launches. Every name at file scope carries the program's number, so that
hundreds of programs are compiled as one translation unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

SITE = re.compile(r"/\*@(\d+)\*/")  # behind each launch, whose grid has as many blocks


SUFFIXES = {"cuda": ".cu", "hip": ".hip", "opencl": ".cl"}


@dataclass(frozen=True)
class Program:
    """`files`: by name; the first has `entry`, the function that launches; others are included, or compiled as well."""

    number: int
    construct: str
    files: dict[str, str]
    entry: str

    @property
    def main(self) -> str:
        return next(iter(self.files))

    @property
    def compiled(self) -> list[str]:
        """The names of its sources."""
        return [it for it in self.files if re.match(rf"p{self.number}\D", it)]


@dataclass
class Sketch:
    """What a construct draws into. `tag`: the end of every name."""

    number: int
    construct: str
    random: Random
    language: str = "cuda"
    text: list[str] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)  # compiled, too
    host: list[str] = field(default_factory=list)
    names: int = 0
    sites: int = 0

    @property
    def tag(self) -> str:
        return f"_p{self.number}"

    def name(self, stem: str) -> str:
        """A name that nothing else has."""
        self.names += 1
        return f"{stem}{self.names}{self.tag}"

    def local(self, stem: str) -> str:
        """A name for a body or a class."""
        self.names += 1
        return f"{stem}{self.names}"

    def say(self, *lines: str) -> None:
        self.text += lines

    def header(self, stem: str, text: str, suffix: str = ".h") -> str:
        """Its name, for an #include."""
        name = f"{self.name(stem)}{suffix}"
        self.headers[name] = text
        return name

    def also(self, end: str, text: str) -> None:
        """Another source that is compiled, named as the program with `end` behind it."""
        self.others[f"p{self.number}{end}{SUFFIXES[self.language]}"] = text

    def below(self, most: int) -> int:
        return self.random.randrange(most)

    def pick(self, *of: str) -> str:
        return self.random.choice(of)

    def chance(self, share: float = 0.5) -> bool:
        return self.random.random() < share

    def count(self, most: int = 64) -> int:
        """Of elements, from 1 on: all numbers are as likely as the round ones that people write."""
        return self.random.choice((self.random.randint(1, most), self.random.choice((8, 16, 24, 32, most))))

    def threads(self, most: int = 1024) -> int:
        return self.random.choice([it for it in (32, 64, 96, 128, 192, 256, 320, 384, 512, 768, 1024) if it <= most])

    def kernel(
        self,
        shared: Sequence[str] = (),
        *,
        name: str = "",
        before: str = "__global__ void",
        behind: str = "",
        parameters: str = "",
        body: Sequence[str] = (),
    ) -> str:
        """Say a kernel and return its name. `shared`: declarations, whose variables are kept whole."""
        name = name or self.name("kern")
        self.say(f"{before} {behind}{' ' if behind else ''}{name}({parameters}) {{")
        self.say(*(f"  {line}" for it in shared for line in (it, *kept(it))))
        self.say(*(f"  {it}" for it in body), "}")
        return name

    def site(self) -> int:
        self.sites += 1
        return self.sites

    def launch(self, kernel: str, block: object, dynamic: object = None, arguments: str = "") -> str:
        """A statement of the host's."""
        site = self.site()
        given = f"{block}" if dynamic is None else f"{block}, {dynamic}"
        return f"{kernel}<<<{site}, {given}{' ' if given.endswith('>') else ''}>>>({arguments}); /*@{site}*/"

    def run(self, *lines: str) -> None:
        self.host += lines

    def program(self) -> Program:
        entry = f"run{self.tag}"
        end = [""] if self.language == "opencl" else [f"void {entry}() {{", *(f"  {it}" for it in self.host), "}", ""]
        main = {f"p{self.number}{SUFFIXES[self.language]}": "\n".join((*self.text, *end))}
        files = main | self.others | self.headers
        files = {name: in_language(text, self.language) for name, text in files.items()}
        return Program(self.number, self.construct, files, entry)


_DECLARED = re.compile(r"(\w+)\s*(?=[\[;,)=]|$)")


def kept(declaration: str) -> list[str]:
    """Statements because of which no compiler makes the variable smaller: it is indexed by the thread, and its
    address escapes."""
    if "__shared__" not in declaration or "extern" in declaration:
        return []
    return [keep(it) for it in declared(declaration)]


def declared(declaration: str) -> list[str]:
    """The names that `/*=NAME*/` comments give; otherwise the last word before the first bracket."""
    if marked := re.findall(r"/\*=(\w+)\*/", declaration):
        return marked
    return [re.findall(r"\w+", re.split(r"[\[;=]", declaration)[0])[-1]]


def keep(variable: str) -> str:
    return f'reinterpret_cast<volatile char *>(&{variable})[threadIdx.x] = 1; asm volatile("" :: "l"(&{variable}));'


def in_language(text: str, language: str) -> str:
    """What is drawn for CUDA as HIP."""
    if language != "hip":
        return text
    text = re.sub(r'asm volatile\("" :: "l"\((.*?)\)\);', r'asm volatile("" :: "v"(\1));', text)
    text = re.sub(r"__align__\((\d+)\)", r"__attribute__((aligned(\1)))", text)
    return text.replace("cudaStream_t", "hipStream_t").replace("cudaLaunchKernel(", "hipLaunchKernel(")
