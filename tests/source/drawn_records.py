"""Classes drawn by chance, and what g++ says of their sizes: nvcc's host compiler, whose ABI devices share."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

_SCALARS = (
    "char", "short", "int", "long long", "float", "double", "bool", "unsigned char", "void *", "unsigned", "long",
)  # fmt: skip
_BITS = (("char", 8), ("int", 32), ("unsigned", 32), ("short", 16), ("long long", 64), ("bool", 1))


class Drawn:
    """`text`: definitions of the classes `names`, of which later ones are made of earlier ones."""

    def __init__(self, seed: int, count: int) -> None:
        self.random = Random(seed)
        self.names: list[str] = []
        self.text = "struct E0 {}; struct E1 {}; struct E2 : E0 {}; struct alignas(8) E3 {};\n"
        self.empty = ["E0", "E1", "E2", "E3"]
        self.unions: set[str] = set()
        for index in range(count):
            self._one(f"R{index}")

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _one(self, name: str) -> None:
        union = self._chance(0.08)
        packed = " __attribute__((packed))" if self._chance(0.08) else ""
        asked = f" alignas({self.random.choice((4, 8, 16, 32))})" if self._chance(0.1) and not packed else ""
        bases = "" if union or packed else self._bases()
        opened = f"#pragma pack(push, {self.random.choice((1, 2, 4))})\n" if self._chance(0.06) and not bases else ""
        plain = union or bool(packed or opened)
        members = [self._member(f"m{index}", plain) for index in range(self.random.randrange(5))]
        if self._chance(0.1) and not plain:
            members.append("virtual int f();")
        if self._chance(0.08):
            members.insert(self.random.randrange(len(members) + 1), "private:")
            members.append("public:")
        if self._chance(0.12):
            members.insert(0, f"{name}();")
        closed = "#pragma pack(pop)\n" if opened else ""
        key = "union" if union else "struct"
        self.text += f"{opened}{key}{packed}{asked} {name}{bases} {{ {' '.join(members)} }};\n{closed}"
        self.names.append(name)
        if union:
            self.unions.add(name)

    def _bases(self) -> str:
        known = [*self.empty, *(it for it in self.names[-8:] if it not in self.unions)]
        chosen = self.random.sample(known, min(len(known), self.random.choice((0, 0, 0, 0, 1, 1, 2, 3))))
        said = [("virtual " if self._chance(0.12) else "") + it for it in chosen]
        return f" : {', '.join(said)}" if said else ""

    def _member(self, name: str, plain: bool) -> str:
        drawn = self.random.random()
        if drawn < 0.2:
            kind, most = self.random.choice(_BITS)
            width = self.random.randrange(most + 1)
            return f"{kind} : {width};" if not width or self._chance(0.1) else f"{kind} {name} : {width};"
        if drawn < 0.45 and not plain:
            kind = self.random.choice((*self.empty, *self.names[-8:]))
            shared = "[[no_unique_address]] " if self._chance(0.5) else ""
            count = f"[{self.random.randrange(1, 4)}]" if self._chance(0.15) else ""
            return f"{shared}{kind} {name}{count};"
        aligned = f"alignas({self.random.choice((8, 16))}) " if self._chance(0.06) else ""
        count = f"[{self.random.randrange(1, 6)}]" if self._chance(0.2) else ""
        return f"{aligned}{self.random.choice(_SCALARS)} {name}{count};"


def sizes_by_compiler(drawn: Drawn, folder: Path) -> dict[str, tuple[int, int]]:
    """Size and alignment of each class."""
    printed = "".join(f'printf("{it} %zu %zu\\n", sizeof({it}), alignof({it}));' for it in drawn.names)
    source = folder / "drawn.cpp"
    source.write_text(f"#include <cstdio>\n{drawn.text}int main() {{ {printed} }}\n")
    program = folder / "drawn"
    subprocess.run(["g++", "-std=c++20", "-w", str(source), "-o", str(program)], check=True)
    said = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    return {name: (int(size), int(alignment)) for name, size, alignment in map(str.split, said.splitlines())}
