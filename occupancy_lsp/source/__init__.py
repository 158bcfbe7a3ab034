"""Source text to facts: a front end in phases, from `lex` to `kernels`, each of which may import those before it.

Knows nothing of devices or editors; the only package that imports tree-sitter. What holds in all of it:

- A value is a number or the reason why there is none (`syntax.known_value.Value`). The number remembers the one literal
  in the text that decides it, if there is one: that is what a code action edits.
- A number has an integer type, or none where that is out of sight (`syntax.integer_types`). Operators convert, wrap or
  are undefined as the types say; of operands without a type is known what comes out for every type that may hold them.
- A host variable has the value of the last assignment before it in straight-line code
(`dataflow.reaching_definitions`).
  After an `if` it has that of the branch that the conditions in sight surely choose (`dataflow.reaching_definitions`).
  After
  another branch, in a loop that changes it, past a label, or once its address is taken, it is unknown; what it may
  still be, all assignments in sight say together (`sema.value_sets`, over the typed sets and spans of
  `sema.interval_domain`).
- A macro means what it means where it is used; where several meanings are possible, it is unknown. A file that a unit
  includes several times has a kernel for each inclusion. A kernel that a macro makes stands where the macro does
  (`kernels.macro_defined_kernels`).
- Static local memory is a range: the order in which compilers pack variables and their final rounding are their own,
and a variable that is only written is removed. Functions whose source is out of sight may use more (`unseen`).
- Names, types and values ask one another: `sema` is the one circle of imports.
"""
