"""The formats of a check, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from occupancy_lsp.cli.formats.as_github import AsGitHub
from occupancy_lsp.cli.formats.as_gitlab import AsGitLab
from occupancy_lsp.cli.formats.as_json import AsJson
from occupancy_lsp.cli.formats.as_junit import AsJUnit
from occupancy_lsp.cli.formats.as_markdown import AsMarkdown
from occupancy_lsp.cli.formats.as_rdjson import AsRdjson
from occupancy_lsp.cli.formats.as_sarif import AsSarif
from occupancy_lsp.cli.formats.as_text import AsConcise, AsText
from occupancy_lsp.cli.formats.result import About, Format

FORMATS: Mapping[str, Callable[[About], Format]] = {
    "text": AsText,
    "json": AsJson,
    "sarif": AsSarif,
    "github": AsGitHub,
    "gitlab": AsGitLab,
    "junit": AsJUnit,
    "rdjson": AsRdjson,
    "markdown": AsMarkdown,
    "concise": AsConcise,
}
