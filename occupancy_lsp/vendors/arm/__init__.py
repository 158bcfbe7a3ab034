"""Arm's rule: work-groups, warps, shader cores."""
