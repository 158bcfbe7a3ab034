"""Dataclasses that are made quickly: the classes, hundreds at each start, and their objects, thousands at each key.

Python's own write six methods of a class as text and compile them; here it is `__init__` alone, when a first object is
made, of a few of the classes. And if they are frozen, each field of an object is set by a call, five times slower; here
the type checker sees to it that none is changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses
    from operator import attrgetter
    from reprlib import recursive_repr

    def dataclass(*, frozen=False, eq=True, **options):
        def made(kind):
            known = vars(kind)
            kind.__doc__ = kind.__doc__ or kind.__name__  # where there is none, Python words one, slowly
            whole = dataclasses.dataclass(init=False, eq=False, repr=False, **options)(kind)
            if "__init__" not in known:
                whole.__init__ = _written_when_called(whole)
            if "__repr__" not in known:
                whole.__repr__ = _repr
            if eq:
                values = _values([it.name for it in dataclasses.fields(whole) if it.compare])
                if "__eq__" not in known:
                    whole.__eq__ = _equal(values)
                if known.get("__hash__") is None:
                    whole.__hash__ = (lambda self: hash(values(self))) if frozen else None
            return whole

        return made

    def _written_when_called(kind):
        def __init__(self, *given, **named):
            kind.__init__ = _init(kind)
            kind.__init__(self, *given, **named)

        return __init__

    def _init(kind):
        """That of another class with these fields."""
        known = ("default", "default_factory", "init", "kw_only")
        each = [
            (it.name, it.type, dataclasses.field(**{name: getattr(it, name) for name in known}))
            for it in dataclasses.fields(kind)
        ]
        own = {"__post_init__": kind.__post_init__} if hasattr(kind, "__post_init__") else {}
        slots = "__slots__" in vars(kind)
        made = dataclasses.make_dataclass(kind.__name__, each, namespace=own, eq=False, repr=False, slots=slots)
        return made.__init__

    def _values(names):
        """What gives an object's fields as a tuple."""
        get = attrgetter(*names) if names else None
        return get if len(names) > 1 else (lambda it: (get(it),)) if names else lambda it: ()

    def _equal(values):
        return lambda self, other: (
            values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented
        )

    @recursive_repr()
    def _repr(self):
        said = (f"{it.name}={getattr(self, it.name)!r}" for it in dataclasses.fields(self) if it.repr)
        return f"{type(self).__qualname__}({', '.join(said)})"
