"""A kernel's figure explained: sentence, ladder, cliffs, sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from occupancy_lsp.analysis.any_size import any_size, at_size, groups_by_memory, most_threads
from occupancy_lsp.analysis.blame import best_budget, is_worth_saying, memory_budget, memory_decides, sure_budget
from occupancy_lsp.analysis.inputs import GroupSize, Local, Registers
from occupancy_lsp.analysis.report import Figure, KernelReport, LaunchReport
from occupancy_lsp.calculator.calculate import Rung, fault_text, names_of, rungs
from occupancy_lsp.calculator.chart import bars
from occupancy_lsp.calculator.fill import at_once_text, fill_text, grid_fill, unit_word
from occupancy_lsp.calculator.svg import small
from occupancy_lsp.core.defects import Defect
from occupancy_lsp.core.wording import bytes_text, or_text, percent_text, span_text
from occupancy_lsp.edits.resize import refused_ahead
from occupancy_lsp.edits.resize.launched import EditContext, Refused
from occupancy_lsp.edits.resize.other_sizes import at_sizes
from occupancy_lsp.features.actions import edit_context
from occupancy_lsp.features.assuming import offer
from occupancy_lsp.features.built_with import built_with
from occupancy_lsp.features.changes import changes
from occupancy_lsp.features.charted import charts_of
from occupancy_lsp.features.clusters import clusters
from occupancy_lsp.features.compiled import compiled, spilled
from occupancy_lsp.features.hover_rows import far_launches, head, instance_rows, label_text
from occupancy_lsp.features.intended import budget
from occupancy_lsp.features.labels import figure_label, kernel_label
from occupancy_lsp.features.matters import matters
from occupancy_lsp.features.missing import missing
from occupancy_lsp.features.pipelines import pipelines
from occupancy_lsp.features.preferred import preferred
from occupancy_lsp.features.prose import (
    Block,
    Bold,
    Bullets,
    Cell,
    Code,
    Folded,
    Line,
    Link,
    Picture,
    Prose,
    Run,
    Runs,
    Table,
    between,
    bullets,
    prose,
)
from occupancy_lsp.features.refused import may_gain, no_other_size
from occupancy_lsp.features.resident import most_resident
from occupancy_lsp.features.roof import roofline
from occupancy_lsp.features.sourced import sources
from occupancy_lsp.features.stating import setting, unstated
from occupancy_lsp.features.tensor_memory import tensor_memory
from occupancy_lsp.features.trying import ladder_table
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.model.cliffs import largest_with
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.rules import help_url
from occupancy_lsp.session.compilations import can_compile
from occupancy_lsp.session.view import View, lacks_count
from occupancy_lsp.source.syntax.known_value import product_of_dimensions

_MATRIX_ROWS = 6
_STEPS = 10
_FEW = 3  # sizes that a sentence names one by one
_POWERS = (32, 64, 128, 256, 512, 1024)
_SIZES = (32, 64, 96, 128, 192, 256, 384, 512, 768, 1024)


def explain(view: View, index: int, launch: LaunchReport | None = None) -> Prose:
    """The kernel's report; the figure is that of `launch` where one is given."""
    report = view.reports[index]
    if report.defect is not None:
        return lost(report.kernel.qualified, report.defect)
    of = launch or report
    unknown = _open(view, report, of.size, of.local, of.figure)
    tried = ladder_table(view, index) if launch is None else ()
    drawn = _drawn(view, index) if launch is None else ""
    launches = [launch.launch] if launch is not None else [it.launch for it in report.launches]
    ahead = pipelines(report, launches, of.estimated)
    parts: list[Block] = [_sentence(report, of), ahead, drawn, spilled(report), budget(report)]
    parts += [
        unknown,
        preferred(view, report, of.local, of.figure),
        offer(view, report),
        _choice(view),
        _runs(view, report, of),
    ]
    if of.figure is None:
        parts += [_at_any_size(report), _by_size(report), *tried]
    elif not _beyond_bounds(of.figure):
        parts += [*_ladder(report, of), _by_registers(report, of), changes(report, of.figure, of.size), *tried]
    parts += [*_instances(report), sources(view, report, of.size, of.local), clusters(report, of.figure)]
    parts += [tensor_memory(report, of.figure), most_resident(view, report, of), _caveats(report)]
    return prose(*parts, *_rest(view, index, launch))


def ahead(view: View, index: int) -> Iterator[None]:
    """Read at each step a little of the other files that the report is about, or look at another size, for later."""
    report = view.reports[index]
    if report.defect is None and may_gain(report):
        yield from refused_ahead(_context(view), index)


def _rest(view: View, index: int, launch: LaunchReport | None) -> Prose:
    """What helps to decide, and what else is known."""
    report = view.reports[index]
    of, roof = launch or report, roofline(report)
    parts: list[Block] = []
    if of.figure is not None:
        grid = report.grid if launch is None else product_of_dimensions(launch.launch.configuration.grid[1]).number
        parts += [matters(view, report, of.figure), *(_other_sizes(view, index) if launch is None else ())]
        parts.append(_fill(report, of.figure, grid))
    parts += [roof, _matrix(view, index) if launch is None else "", far_launches(report.far), compiled(report)]
    parts += [_advice(report, not roof), (Link("What other vendors call these", help_url("words")),)]
    return (Folded("More", prose(*parts)),)


def _runs(view: View, report: KernelReport, of: KernelReport | LaunchReport) -> Runs:
    """What supplies what is missing: a count by a compiler or by the reader, the panel, another device."""
    compilable = view.path is not None and can_compile(view.source.dialect.name, report.device)
    compiled = (Run("Compile now", "occupancy.compileFile"),) if compilable and lacks_count(report) else ()
    stated = setting(report, unstated(view, report, of.size, of.local, of.figure))
    panel = Run("Open panel", "occupancy.openPanel", (view.text.line_of(view.span(report.kernel.name_place)[0]),))
    return Runs((*compiled, *stated, panel, Run("Choose device…", "occupancy.pickDevice", None)))


def lost(what: str, defect: Defect) -> Prose:
    return prose((Bold(what), f" could not be analysed: {defect}."))


def summary(report: KernelReport) -> Line:
    """The figure in one sentence."""
    return _sentence(report, report)


def _sentence(report: KernelReport, of: KernelReport | LaunchReport) -> Line:
    figure, size = of.figure, of.size
    words, name = report.device.nouns, Bold(report.kernel.qualified)
    where = f"on {report.device.name} ({report.arch.id})"
    if figure is None:
        if report.best is None:
            return name, f": no figure {where}: the {words.group} size is not known."
        percent, sizes = span_text(report.best.lowest, report.best.highest), report.best.sizes
        return name, f": {percent} {where} at {', '.join(map(str, sizes))} threads per {words.group}."
    if figure.highest.fault is not None:
        return name, f" cannot launch {where}: {fault_text(figure.highest, figure.least, words)}."
    able = figure.sizes
    threads = f"{or_text(able) if len(able) <= _FEW else f'{able[0]} to {able[-1]}'} threads"
    threads += ", assumed," if size.assumed else ""
    if figure.exact:
        limits = _limiters(figure.highest, words)
        return name, f": {_count(figure.highest, words)} at {threads} {where}, limited by {limits}."
    if not of.registers.known and of.registers.lowest is None and not of.registers.capped and not report.clustered:
        up_to = f"up to {_count(figure.highest, words)} at {threads} {where}"
        return name, f": {up_to}, {_within(report, figure)}."
    return name, f": between {_count(figure.lowest, words)} and {_count(figure.highest, words)}, at {threads} {where}."


def _within(report: KernelReport, figure: Figure) -> str:
    """What gives the best figure, where no count is known; and what is sure whatever local memory it takes."""
    arch, words = report.arch, report.device.nouns
    best, sure = best_budget(arch, figure), sure_budget(arch, figure)
    said = f"with at most {best.registers} {words.registers} per thread"
    if not memory_decides(arch, figure):
        return said
    if not figure.bytes_open and not report.local.unseen:
        return f"{said}, if {words.local_memory} is given its largest share"
    most = memory_budget(arch, figure)
    said += f" and {bytes_text(most)} of {words.local_memory}, static and dynamic" if most is not None else ""
    least = f"at least {percent_text(sure.lowest.percent)} with at most {sure.registers} {words.registers}"
    return f"{said}; {least}, however much {words.local_memory} it uses" if is_worth_saying(sure, best) else said


def _count(result: Occupancy, words: Nouns) -> str:
    groups = f"{result.groups} {words.group if result.groups == 1 else words.groups}/{unit_word(result, words)}"
    return (
        f"{percent_text(result.percent)} ({groups}, {result.sub_groups} of {result.max_sub_groups} {words.sub_groups})"
    )


def _limiters(result: Occupancy, words: Nouns) -> str:
    return " and ".join(names_of(words)[name] for name in result.limiters)


def _open(view: View, report: KernelReport, size: GroupSize, memory: Local, figure: Figure | None) -> Bullets | str:
    """What is not known, and the directive that supplies it."""
    language = LANGUAGES[report.language]
    return bullets(it.line(language, not view.passages) for it in missing(view, report, size, memory, figure))


def _instances(report: KernelReport) -> Prose:
    rows, left = instance_rows(report)
    return (Table(head(report.device.nouns), tuple(rows)), left) if rows else ()


def _ladder(report: KernelReport, of: KernelReport | LaunchReport) -> Prose:
    figure = of.figure
    if figure is None:
        return ()
    need, result = (figure.most, figure.lowest) if figure.exact else (figure.least, figure.highest)
    rows: list[tuple[Cell, ...]] = [
        (Bold(rung.limit), Bold(rung.needs), Bold(rung.allows)) if rung.binds else (rung.limit, rung.needs, rung.allows)
        for rung in _rungs(report, of.registers, need, result)
        if rung.binds or rung.allows != "no limit"
    ]
    return "" if figure.exact else "At best:", Table(("limit", "needs", "allows"), tuple(rows))


def _beyond_bounds(figure: Figure) -> bool:
    """Whether its launch bounds alone refuse the launch: what it would need of the device says nothing then."""
    return figure.highest.fault is not None and figure.highest.fault.resource == "bounds"


def _rungs(report: KernelReport, count: Registers, need: Need, result: Occupancy) -> list[Rung]:
    """The limits; where no count is known, `need` has the most that registers can be."""
    found = rungs(report.arch, need, result, report.device.nouns)
    if count.known:
        return found
    return [replace(it, needs=f"at most {it.needs}") if it.resource == "registers" else it for it in found]


def _by_registers(report: KernelReport, of: KernelReport | LaunchReport) -> str:
    """Where no count is known: how far each figure reaches, up to what the bounds or the device allow."""
    if of.figure is None or of.registers.known or of.figure.highest.fault or len(of.figure.parts) > 1:
        return ""
    need, top = of.figure.least, of.registers.highest
    steps: list[str] = []
    count = 0
    while count < top and len(steps) < _STEPS:
        now = report.arch.occupancy(replace(need, registers=count + 1))
        count = min(largest_with(report.arch, need, now.groups), top)
        steps.append(f"≤ {count}: {percent_text(now.percent)}" if now.groups else f"{count}: no launch")
    return f"By {report.device.nouns.registers} per thread: " + " · ".join(steps) if len(steps) > 1 else ""


def _at_any_size(report: KernelReport) -> str:
    found, words = any_size(report), report.device.nouns
    if found is None or found.highest.fault is not None:
        return ""
    lead = f"At any {words.group} size:"
    if found.highest.percent < 100:
        return f"{lead} at most {percent_text(found.highest.percent)}."
    if report.registers.capped and found.lowest.sub_groups > 1 and not report.clustered:
        least, cap = percent_text(found.lowest.percent), report.registers.highest
        return f"{lead} at least {least}, as it has at most {cap} {words.registers} per thread."
    groups = groups_by_memory(found)
    if groups is None:
        return ""
    named = words.group if groups == 1 else words.groups
    return f"{lead} at most {groups} {named}/{unit_word(found.highest, words)}, limited by {words.local_memory}."


def _by_size(report: KernelReport) -> Block:
    """What would hold at some sizes, where none is known; sizes alike stand together."""
    if report.kernel.attributes.block is not None:
        return ""
    told: dict[str, list[str]] = {}
    for size in (it for it in _POWERS if it <= most_threads(report)):
        if (found := at_size(report, size)) is not None:
            alone = replace(report, size=GroupSize((size,), False, ""), figure=found)
            told.setdefault(figure_label(report, alone, found).without_size, []).append(str(size))
    rows = tuple((", ".join(sizes), label) for label, sizes in told.items())
    return Table((f"threads per {report.device.nouns.group}", "occupancy"), rows) if rows else ""


def _other_sizes(view: View, index: int) -> Prose:
    """The figure at other sizes, or that it is left out; and why none is offered as an edit."""
    refused = no_other_size(_context(view), index)
    found = _at_sizes(view, index)
    if isinstance(found, Refused):
        words = view.reports[index].device.nouns
        left = f"Other {words.group} sizes are left out: its {words.local_memory} may follow the size."
        return (refused or left,)
    return (_sweep(view.reports[index], found) if found else "", refused)


def _context(view: View) -> EditContext:
    """Of the files on disk, which are searched for launches once."""
    return view.beside.ask("edit context", lambda: edit_context(view, {}, sure=False))


def _at_sizes(view: View, index: int) -> Mapping[int, KernelReport] | Refused:
    """The reports at other sizes, with registers as they are and the local memory that each takes; none where more is
    open than the size."""
    report = view.reports[index]
    if report.figure is None or not report.registers.known or report.local.exact is None:
        return {}
    if len(report.size.sizes) > 1 or report.figure.highest.fault is not None:
        return {}
    own = report.figure.least.group_size
    others = [size for size in _SIZES if size != own and size <= report.arch.max_group_size]
    return view.beside.ask(("other sizes", index), lambda: at_sizes(_context(view), index, others))


def _follows(report: KernelReport, found: Mapping[int, KernelReport]) -> bool:
    """Whether its local memory turns on the size."""
    own = report.local.static, report.local.dynamic
    return any((it.local.static, it.local.dynamic) != own for it in found.values())


def _sweep(report: KernelReport, found: Mapping[int, KernelReport]) -> Line:
    assert report.figure is not None
    own, words = report.figure.least.group_size, report.device.nouns
    cells: list[Cell] = [
        Bold(f"{size}: {_span(report.figure)}") if size == own else f"{size}: {_span(found[size].figure)}"
        for size in sorted({own, *found})
    ]
    how = f"with the {words.local_memory} that each takes" if _follows(report, found) else "all else equal"
    return f"At other {words.group} sizes, {how}: ", *between(" · ", cells)


def _drawn(view: View, index: int) -> Block:
    """The figure over work-group sizes, where nothing else turns on the size."""
    report, found = view.reports[index], _at_sizes(view, index)
    if isinstance(found, Refused) or not found or report.figure is None or _follows(report, found):
        return ""
    drawn = charts_of(report, report.figure.least, report.figure.most)
    chart = next((it for it in drawn if it.over == "group_size"), None)
    if chart is None:
        return ""
    first, last = chart.best[0].first, chart.best[-1].last
    return Picture(small(chart), f"{first} to {last} {chart.axis}: {bars(chart)}")


def _span(figure: Figure | None) -> str:
    if figure is None or figure.highest.fault is not None:
        return "no launch"
    low, high = percent_text(figure.lowest.percent), percent_text(figure.highest.percent)
    return high if low == high else f"{low.removesuffix('%')}–{high}"


def _fill(report: KernelReport, figure: Figure, grid: int | None) -> str:
    """How the launch's grid fills the device, or what would; only where the figure is exact."""
    result, words = figure.highest, report.device.nouns
    if not figure.exact or report.clustered or report.arch.traits.starts_in_parts or (grid is not None and grid < 1):
        return ""
    if grid is None:
        text = at_once_text(report.device, result, words)
        return f"{text}." if text else ""
    known = grid_fill(report.device, result, grid) is not None
    return f"The grid: {fill_text(report.device, result, grid, words)}." if known else ""


def _matrix(view: View, index: int) -> Block:
    """The other devices that are chosen, where anything is known on one of them."""
    reports = [row[index] for row in (view.reports, *view.others)]
    if len(reports) < 2 or not any(map(kernel_label, reports)):
        return ""
    rows = [(it.device.name, label_text(it)) for it in reports]
    return Table(("device", "occupancy"), tuple(rows[:_MATRIX_ROWS]))


def _caveats(report: KernelReport) -> str:
    lines = []
    if report.arch.scalars_limit and report.built.scalars[1] is None:
        scalars = report.device.nouns.scalars
        lines.append(
            f"{scalars[0].upper()}{scalars[1:]} are assumed not to limit occupancy; near their maximum they can."
        )
    if report.device.estimated:
        lines.append(f"The numbers of {report.arch.id} are estimates.")
    return " ".join(filter(None, (*lines, built_with(report))))


def _advice(report: KernelReport, linked: bool) -> Line:
    if report.figure is None or not report.figure.exact or not 0 < report.figure.highest.percent < 50:
        return ()
    why = Link("not itself a problem", help_url("lower-occupancy"))
    more = (" (", Link("what else helps", help_url("advice")), ")") if linked else ()
    return "Low occupancy is ", why, ": measure what the kernel waits for first", *more, "."


def _choice(view: View) -> Line:
    if view.chosen or view.device is None:
        return ()
    said: Line = ("This is the default device",)
    if view.origin == "text":
        found = {vendor: word for kernel in view.facts.kernels for vendor, word in kernel.vendors}
        said = "The device is chosen by ", Code(found[view.device.vendor]), " in the text"
    said = *said, "; set ", Code("occupancy.devices"), ", or ", Code("devices:"), " in "
    return *said, Code(".occupancy.yaml"), "."
