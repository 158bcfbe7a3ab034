"""Imagination's rule: work-groups, tasks, USCs."""
