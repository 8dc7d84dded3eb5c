from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.text import SourceText, Span, decode

TEXT = st.text(st.sampled_from("ab é中\U0001f600\n\r\x0c\x0b\x85\u2028\ufeff"), max_size=40)


def test_only_a_line_feed_ends_a_line() -> None:
    source = SourceText("x", "a\rb\x0cc\u2028d\x85e\r\nf\n\ng")
    assert source.lines == ("a\rb\x0cc\u2028d\x85e\r\n", "f\n", "\n", "g")
    assert [source.line(number) for number in (1, 2, 3, 4)] == ["a\rb\x0cc\u2028d\x85e", "f", "", "g"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ()),
        ("\n", ("\n",)),
        ("a", ("a",)),
        ("a\n", ("a\n",)),
        ("a\n\n", ("a\n", "\n")),
        ("\r\n", ("\r\n",)),
    ],
)
def test_the_last_line(text: str, lines: tuple[str, ...]) -> None:
    assert SourceText("x", text).lines == lines


@pytest.mark.parametrize("number", [0, -1, 2])
def test_a_line_that_is_not_there(number: int) -> None:
    with pytest.raises(IndexError):
        SourceText("x", "a\n").line(number)


@pytest.mark.parametrize("line", [0, -1, 3])
def test_the_offset_of_a_line_that_is_not_there(line: int) -> None:
    with pytest.raises(IndexError):
        SourceText("x", "a\n").offset(line, 1)


@given(text=TEXT)
def test_lines_make_up_the_text(text: str) -> None:
    source = SourceText("x", text)
    assert "".join(source.lines) == text
    assert all(line.endswith("\n") for line in source.lines[:-1])
    assert all(line.count("\n") <= 1 and line for line in source.lines)
    for number, line in enumerate(source.lines, 1):
        assert line in (source.line(number) + end for end in ("", "\n", "\r\n", "\r"))


@given(text=TEXT, data=st.data())
def test_positions_and_offsets_are_inverse(text: str, data: st.DataObject) -> None:
    source = SourceText("x", text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    line, column = source.position(start)
    assert source.offset(line, column) == start
    assert line == text.count("\n", 0, start) + 1
    span = source.span(start, end)
    assert source.cut(span) == text[start:end]
    if end > start:
        assert list(span.lines) == sorted({source.position(offset)[0] for offset in range(start, end)})


def test_columns_count_characters() -> None:
    source = SourceText("x", "# 中\U0001f600 a=1\n")
    span = source.span(source.text.index("a=1"), source.text.index("a=1") + 3)
    assert span == Span("x", 1, 6, 1, 9)


def test_spans_within_spans() -> None:
    outer = Span("x", 2, 5, 4, 3)
    assert outer.contains(outer)
    assert outer.contains(Span("x", 3, 1, 3, 90))
    assert not outer.contains(Span("x", 2, 4, 3, 1))
    assert not outer.contains(Span("x", 4, 1, 4, 4))
    assert not outer.contains(Span("y", 3, 1, 3, 2))


def test_lines_of_a_span() -> None:
    assert list(Span("x", 2, 5, 4, 3).lines) == [2, 3, 4]
    assert list(Span("x", 2, 5, 4, 1).lines) == [2, 3]
    assert list(Span("x", 2, 1, 2, 1).lines) == [2]


@pytest.mark.parametrize("bad", [(0, 1, 1, 1), (1, 0, 1, 1), (2, 1, 1, 9), (1, 3, 1, 2)])
def test_what_is_no_span(bad: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="not a span"):
        Span("x", *bad)


def test_crlf() -> None:
    assert SourceText("x", "a\nb\r\n").crlf
    assert not SourceText("x", "a\rb\n\r").crlf


def test_decoding() -> None:
    assert decode("é中".encode()) == "é中"
    assert decode(b"\xef\xbb\xbfa") == "\ufeffa"
    assert decode(b"\xff") is None
    assert decode(b"\xed\xa0\x80") is None, "a lone surrogate is not UTF-8"
