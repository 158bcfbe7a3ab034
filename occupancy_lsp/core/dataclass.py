"""Dataclasses that are made quickly: the classes, hundreds at each start, and their objects, thousands at each key.

Python's own write six methods of a class as text and compile them, and if they are frozen, each field of an object is
set by a call. Here a dataclass with slots becomes a `msgspec.Struct`, whose methods are compiled: a class takes a tenth
of the time, an object half. It differs from Python's in this alone:

- `repr` names a class within another by its last name.
- The module has to have `from __future__ import annotations`: the types of fields are looked at as text.

The type checker takes the decorator for Python's, and `fields`, `replace` and `asdict` of `dataclasses` take the
objects for dataclasses. What a structure has not stays Python's, without freezing objects, which the type checker does:
`__post_init__`, an `__eq__` of its own, fields that are not compared, shown or given, bases of other kinds.

Hence classes are not written as structures: these have neither such fields nor those functions, and their hashes, into
which the address of the class goes, would give sets another order in each run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses

    import msgspec

    # What a class statement adds by itself, and what only Python's own know.
    _ADDED = frozenset(("__dict__", "__weakref__", "__slots__", "__match_args__", "__annotate_func__"))
    _OWN_METHODS = frozenset(("__post_init__", "__eq__"))
    _OWN_KINDS = ("ClassVar", "InitVar", "KW_ONLY")

    def dataclass(*, frozen=False, eq=True, slots=False):
        def made(kind):
            kind.__doc__ = kind.__doc__ or kind.__name__  # where there is none, Python words one, slowly
            if slots and _has_structure(kind):
                return _structure(kind, frozen, eq)
            hashed = frozen and eq and "__hash__" not in vars(kind)
            return dataclasses.dataclass(eq=eq, unsafe_hash=hashed, slots=slots)(kind)

        return made

    def _has_structure(kind):
        """Whether a structure does all that Python's dataclass would."""
        return (
            all(it is object or issubclass(it, msgspec.Struct) for it in kind.__bases__)
            and _OWN_METHODS.isdisjoint(vars(kind))
            and not any(word in of for of in kind.__annotations__.values() for word in _OWN_KINDS)
            and all(_is_structural(it) for it in _defaults(kind).values() if isinstance(it, dataclasses.Field))
        )

    def _is_structural(it):
        return it.init and it.compare and it.repr and it.default is dataclasses.MISSING

    def _defaults(kind):
        """What stands behind `=` in the class. Of one with such a base, the class statement has made a structure."""
        known, said = vars(kind), kind.__annotations__
        if issubclass(kind, msgspec.Struct):
            known = dict(zip(kind.__struct_fields__[::-1], kind.__struct_defaults__[::-1], strict=False))
        return {name: known[name] for name in said if known.get(name, msgspec.NODEFAULT) is not msgspec.NODEFAULT}

    def _structure(kind, frozen, eq):
        """The structure that stands for a class, with the class's own methods."""
        known, said, defaults = vars(kind), kind.__annotations__, _defaults(kind)
        bases = tuple(it for it in kind.__bases__ if it is not object)
        own = {it: value for it, value in known.items() if not (it in said or it in _ADDED or "__struct" in it)}
        own |= {"__qualname__": kind.__qualname__, "__dataclass_fields__": _Fields(bases, said, defaults)}
        if frozen and eq and "__hash__" not in known:
            own["__hash__"] = _hash
        each = [(name, of, _default(defaults.get(name, msgspec.NODEFAULT))) for name, of in said.items()]
        return msgspec.defstruct(kind.__name__, each, bases=bases or None, namespace=own, frozen=frozen, eq=eq)

    def _default(given):
        if not isinstance(given, dataclasses.Field):
            return given
        made = given.default_factory is not dataclasses.MISSING
        return msgspec.field(default_factory=given.default_factory) if made else msgspec.NODEFAULT

    class _Fields:
        """What `dataclasses.fields` and `replace` look at, made when they first do."""

        def __init__(self, bases, said, defaults):
            self._bases = bases
            self._own = [(name, of, *((defaults[name],) if name in defaults else ())) for name, of in said.items()]
            self._made = None

        def __get__(self, instance, kind):
            if self._made is None:
                own = dataclasses.make_dataclass("_", self._own, init=False, repr=False, eq=False)
                self._made = {}
                for it in (*self._bases, own):
                    self._made |= it.__dataclass_fields__
            return self._made

    def _hash(structure):
        """The hash of all fields, as Python's dataclasses have it."""
        return hash(msgspec.structs.astuple(structure))
