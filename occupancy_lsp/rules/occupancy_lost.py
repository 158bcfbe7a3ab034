"""occupancy-lost: fewer work-groups are resident than in the baseline, or at the revision compared with.

What was is not known to a rule that sees the files as they are: `check` finds it (findings/comparing.py).
"""

from __future__ import annotations

from occupancy_lsp.rules import Rule

RULE = Rule("occupancy-lost", "error", "occupancy is lower than in the baseline, or at the revision compared with")
