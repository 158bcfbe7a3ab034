"""Regular expressions that are compiled when they are first used: of the hundreds that there are, a start needs a few.

Compiling all of them took a fifth of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    regex = re.compile
else:
    _OF_COMPILED = (
        "match",
        "fullmatch",
        "search",
        "finditer",
        "findall",
        "split",
        "sub",
        "subn",
        "groups",
        "groupindex",
    )

    class regex:
        """Like what `re.compile` makes of the same arguments."""

        def __init__(self, pattern, flags=0):
            self.pattern = pattern
            self.given = flags

        def __getattr__(self, name):
            if name not in _OF_COMPILED:
                raise AttributeError(name)
            compiled = re.compile(self.pattern, self.given)
            vars(self).update((it, getattr(compiled, it)) for it in _OF_COMPILED)
            return getattr(compiled, name)

        def __eq__(self, other):
            return isinstance(other, regex) and (self.pattern, self.given) == (other.pattern, other.given)

        def __hash__(self):
            return hash((self.pattern, self.given))

        def __reduce__(self):
            return regex, (self.pattern, self.given)
