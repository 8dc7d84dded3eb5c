import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.report.terminal import Paint, printable, width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("tab\tstays", "tab\tstays"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\rb\nc", "a\\rb\\nc"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("中文 é", "中文 é"),
        ("\udcff", "\\udcff"),
        ("\u2028", "\\u2028"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_printable_text_can_be_written_on_one_line(text: str) -> None:
    shown = printable(text)
    assert "\n" not in shown
    assert "\x1b" not in shown
    shown.encode("utf-8")
    assert printable(shown) == shown


def test_width() -> None:
    assert [width(text) for text in ("abc", "中文", "e\u0301")] == [3, 4, 1]


def test_paint() -> None:
    assert Paint(False)("bold red", "x") == "x"
    assert Paint(True)("bold red", "x") == "\x1b[1;31mx\x1b[0m"
