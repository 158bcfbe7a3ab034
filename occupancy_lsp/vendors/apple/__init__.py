"""Apple's rule: threadgroups, SIMD-groups, cores."""
