"""Small immutable objects of which there are a great many: what is read of texts, and places and values in them."""

from __future__ import annotations

from msgspec import Struct


class Record(Struct, frozen=True, array_like=True):
    """Its fields are packed in their order (`core/packing.py`).

    There are no mappings in those that are read from the caches while somebody works: the library keeps the names in
    mappings, a few hundred, and each holds a megabyte that Python could give back.
    """


class Alternative(Record, frozen=True, tag=True, tag_field="alternative"):
    """One of several that may stand somewhere: packed with its name."""
