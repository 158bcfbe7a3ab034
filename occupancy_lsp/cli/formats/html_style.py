"""How a report looks: the colours of its charts, and of light and dark."""

from __future__ import annotations

from occupancy_lsp.calculator.svg import MARKS

STYLE = (
    """\
:root{--text:#1f2328;--faint:#59636e;--line:#d1d9e0;--back:#fff;--bar:#0072b2;--may:#9cc9e3;--error:#b3261e;\
--warning:#8a5a00}
@media(prefers-color-scheme:dark){:root{--text:#d1d7e0;--faint:#9198a1;--line:#3d444d;--back:#0d1117;\
--bar:#58a6d6;--may:#24506b;--error:#ff8a80;--warning:#e0b050}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);max-width:75rem;margin:2rem auto;\
padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}
table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;\
border-bottom:1px solid var(--line)}
th{font-weight:600}.wide{overflow-x:auto}.figure{white-space:nowrap}code{font:13px ui-monospace,monospace}
.where,footer{color:var(--faint);font-size:.85rem}.error{color:var(--error)}.warning{color:var(--warning)}
.bar{display:block;position:relative;height:4px;width:10rem;background:var(--line);margin-top:2px}
.bar i{position:absolute;left:0;top:0;height:100%;background:var(--bar)}.bar .may{background:var(--may)}
details{margin:.4rem 0}summary{cursor:pointer}.swatch{width:.7em;height:.7em}
figure{display:inline-block;vertical-align:top;width:23rem;margin:.5rem 1rem .5rem 0}
footer{margin-top:3rem}svg text{font:11px system-ui,sans-serif;fill:var(--faint)}
.grid{stroke:var(--faint);stroke-opacity:.35}
"""
    + MARKS
    + "\n"
)
