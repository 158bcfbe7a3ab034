"""What the kernels of a file need of it and of its headers, as a text that compiles without the rest.

Knows no compiler and no disk: files come by a function, and what a compiler says of the text comes back as places.

Names decide what is kept (`program`): a part is, if a name that it bears is mentioned in what is kept, in a namespace
that may be meant. So more is kept than is needed, never less than is named; lines keep their numbers. The rest is found
out in rounds (`compile/rounds.py`):

- One run of the preprocessor says which headers are missing, another which of these the text includes under the
  conditions that hold.
- A part with an error goes, but its names stay, as those of empty namespaces: these hide everything else and cannot be
  used, so a kernel that means one does not compile either, and never means another function of that name.
- A kernel is left out if a macro that a missing header may define decides what it consists of.
- Once the kernels compile, the hosts' code that names their templates is compiled with them, as far as it compiles, for
  the instances that it makes. Of what does not compile, functions that name the same instances stand in its place
  (`makers`).
- A function that is not inlined is compiled once for all its callers: with callers left out, or instances not in sight,
  nothing is counted; nor where functions are called by pointers.
- Static shared memory that is no multiple of 16 bytes is not counted where a kernel that is left out, or one of a
  library, may take more at launch.
"""
