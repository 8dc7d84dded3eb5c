"""Searches with the extended regular expressions of ``=~``, where Python's mean the same."""

from __future__ import annotations

import re

from reviewbot.shell.patterns import MAX_WORK, Fragments

_UNSAFE = re.compile(r"\([^()]*[*+{|][^()]*\)[*+{]|\\[^.$^*+?()\[\]{}|\\/ -]|\(\?|[*+?}][*+?{]")


def search(pattern: Fragments, text: str) -> list[str | None] | None:
    """The match and its groups, an empty list where there is none; None where it cannot be told."""
    source = "".join(re.escape(part) if quoted else part for part, quoted in pattern)
    unquoted = "".join(part for part, quoted in pattern if not quoted)
    repeats = sum(unquoted.count(char) for char in "*+?{")
    if len(source) > 300 or (len(text) + 1) ** min(repeats + 1, 8) > MAX_WORK or _UNSAFE.search(unquoted):
        return None
    for name, ranges in (("digit", "0-9"), ("alpha", "A-Za-z"), ("alnum", "A-Za-z0-9"), ("space", r"\s")):
        source = source.replace(f"[:{name}:]", ranges)
    if "[:" in source:
        return None
    try:
        match = re.search(source.replace("$", r"\Z") if source.endswith("$") else source, text)
    except re.error:
        return None
    return [] if match is None else [match[0], *match.groups()]
