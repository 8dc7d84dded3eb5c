"""What a fix does to the text of a script: the author's quoting, indentation, continuations and line ends stay."""

from __future__ import annotations

from reviewbot.checks.model import Edit, Intent, Rewrite
from reviewbot.text import SourceText, Span


def edited(source: SourceText, intent: Intent) -> str | None:
    """The text after an intent; None where it cannot be done there (the word is written in another way)."""
    text = source.text
    changes: list[tuple[int, int, str]] = []
    for rewrite in intent.rewrite:
        change = _rewritten(source, rewrite)
        if change is None:
            return None
        changes.append(change)
    for span in intent.remove:
        changes.extend(_removed(source, span))
    for first, last in intent.delete_lines:
        changes.append((source.offset(first, 1), source.offset(first, 1) + _length(source, first, last), ""))
    for line in intent.strip_lines:
        written = source.line(line)
        start = source.offset(line, len(written.rstrip(" \t")) + 1)
        changes.append((start, source.offset(line, len(written) + 1), ""))
    after = _applied(text, changes)
    if after is None or not text or text.endswith("\n"):
        return after
    return after.removesuffix("\n").removesuffix("\r") if after.endswith("\n") else after


def line_edits(source: SourceText, after: str) -> tuple[Edit, ...]:
    """The change from ``source`` to ``after`` as edits of whole lines, top to bottom, as small as they can be."""
    from difflib import SequenceMatcher

    old, new = source.lines, SourceText(source.path, after).lines
    changes: list[list[int]] = []
    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if start == end:
            # An insertion has no lines to replace: it takes the equal line before it along, or the one after it.
            before = start > 0
            start, new_start = start - before, new_start - before
            end, new_end = end + (not before), new_end + (not before)
        if changes and start < changes[-1][1]:
            changes[-1][1], changes[-1][3] = max(end, changes[-1][1]), new_end
        else:
            changes.append([start, end, new_start, new_end])
    return tuple(
        Edit(source.path, start + 1, end, "".join(new[new_start:new_end]))
        for start, end, new_start, new_end in changes
    )


def apply_edits(source: SourceText, edits: tuple[Edit, ...]) -> str:
    """The text after edits that do not overlap."""
    lines = list(source.lines)
    for edit in sorted(edits, reverse=True):
        lines[edit.start_line - 1 : edit.end_line] = [edit.text] if edit.text else []
    return "".join(lines)


def _length(source: SourceText, first: int, last: int) -> int:
    return sum(len(line) for line in source.lines[first - 1 : last])


def _applied(text: str, changes: list[tuple[int, int, str]]) -> str | None:
    position, pieces = len(text), []
    for start, end, new in sorted(set(changes), reverse=True):
        if end > position:
            return None
        pieces.append(text[end:position])
        pieces.append(new)
        position = start
    pieces.append(text[:position])
    return "".join(reversed(pieces))


def _rewritten(source: SourceText, rewrite: Rewrite) -> tuple[int, int, str] | None:
    written = source.cut(rewrite.span)
    at = written.find(rewrite.old)
    if at < 0:
        return None
    start = source.offset(rewrite.span.line, rewrite.span.column) + at
    return start, start + len(rewrite.old), rewrite.new


def _removed(source: SourceText, span: Span) -> list[tuple[int, int, str]]:
    """The changes that take a word away, with the line that only it filled and the ``\\`` that only it needed."""
    text = source.text
    start, end = source.offset(span.line, span.column), source.offset(span.end_line, span.end_column)
    line_start = source.offset(span.line, 1)
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    before, after = text[line_start:start], text[end:line_end].rstrip("\r").strip(" \t")
    if before.strip(" \t"):
        return [_inline(text, start, end)]
    if after == "\\" or not after or after.startswith("#"):
        whole = (line_start, min(line_end + 1, len(text)), "")
        if after == "\\":
            return [whole]
        dangling = _dangling(source, span.line)
        return [whole] if dangling is None else [whole, dangling]
    blanks = len(text[end:line_end]) - len(text[end:line_end].lstrip(" \t"))
    return [(start, end + blanks, "")]


def _inline(text: str, start: int, end: int) -> tuple[int, int, str]:
    """A word within a line, with the blanks in front of it."""
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    return start, end, ""


def _dangling(source: SourceText, line: int) -> tuple[int, int, str] | None:
    """The ``\\`` at the end of the line above, which would now continue into whatever follows."""
    if line < 2:
        return None
    above = source.line(line - 1)
    kept = above.rstrip("\\")
    if (len(above) - len(kept)) % 2 == 0:
        return None
    column = len(above[:-1].rstrip(" \t"))
    return source.offset(line - 1, column + 1), source.offset(line - 1, len(above) + 1), ""
