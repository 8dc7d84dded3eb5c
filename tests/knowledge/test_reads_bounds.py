"""Source lines that nobody writes take no longer than others: what is searched for in them has a bound."""

from __future__ import annotations

import re

import pytest

from reviewbot.knowledge.reads.program import _FROM, _IMPORT
from reviewbot.knowledge.reads.reach import _IMPORTS, _TEXT
from reviewbot.knowledge.reads.usage import _LOAD, _STORE

EVIL = {
    "attributes": ".a:" * 100_000,
    "blanks": "from" + " " * 300_000,
    "dots": "from " + "." * 300_000,
    "names": "import a" + ",a" * 150_000 + "!",
    "parentheses": "from x import (" * 20_000,
    "quotes": '"' * 100_001,
}


@pytest.mark.parametrize("pattern", [_FROM, _IMPORT, _IMPORTS, _TEXT, _LOAD, _STORE])
@pytest.mark.parametrize("text", EVIL.values(), ids=EVIL)
def test_it_ends(pattern: re.Pattern[str], text: str) -> None:
    assert sum(1 for _ in pattern.finditer(text)) <= len(text)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("from .a.b import c, d", [(".a.b", "c, d")]),
        (
            "    from verl.x import (\n        a,\n        b,\n    )",
            [("verl.x", "(\n        a,\n        b,\n    )")],
        ),
        ("from . import x", [(".", "x")]),
    ],
)
def test_usual_imports_are_found(line: str, names: list[tuple[str, str]]) -> None:
    assert _FROM.findall(line) == names
