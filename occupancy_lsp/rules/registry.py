"""Every rule, by code: each module of this folder that has a `RULE`."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from occupancy_lsp import rules
from occupancy_lsp.rules import Rule

_MODULES = [
    import_module(f"{rules.__name__}.{it.name}") for it in pkgutil.iter_modules(rules.__path__) if it.name != "registry"
]

RULES: tuple[Rule, ...] = tuple(sorted((it.RULE for it in _MODULES if hasattr(it, "RULE")), key=lambda it: it.code))
