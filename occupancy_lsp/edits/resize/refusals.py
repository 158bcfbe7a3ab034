"""Every reason why no other work-group size is offered, where the edit itself ends at the first."""

from __future__ import annotations

from occupancy_lsp.edits.resize import refused
from occupancy_lsp.edits.resize.checks import given_by_host, numbers_left, written_out
from occupancy_lsp.edits.resize.launched import EditContext, Refused, launched
from occupancy_lsp.edits.resize.moving import moving, of_size


def refusals(context: EditContext, index: int) -> list[Refused]:
    """The one that the edit ends at comes first; none where sizes are offered, or none does better."""
    first = refused(context, index)
    it = launched(context, index)
    if first is None or isinstance(it, Refused):
        return [first] if first else []
    grid = moving(it, context.launchers)
    size = of_size(it, context.launchers) if it.is_flat else grid
    known = {} if isinstance(size, Refused) else size
    code = written_out(it, known, numbers_left(it, known))
    others = (grid, size, given_by_host(it, context.launchers), code)
    more = {each.reason: each for each in others if isinstance(each, Refused) and each.reason not in first.reason}
    return [first, *more.values()]
