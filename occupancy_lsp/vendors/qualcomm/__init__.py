"""Qualcomm's rule: work-groups, waves, SP cores."""
