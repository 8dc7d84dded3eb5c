"""Builtins that read: ``read``, ``mapfile`` and ``getopts``."""

from __future__ import annotations

from collections.abc import Sequence

from reviewbot.shell.calls import NAME, Call
from reviewbot.shell.model import Known
from reviewbot.shell.state import FAILURE, SUCCESS, Outcome
from reviewbot.shell.values import Run, Value, fed, slice_runs, text_of, unknown
from reviewbot.shell.variables import Index, Variable

MAX_LINES = 2000
"""More lines are not read into an array."""
_VALUED = "adinNptu"
"""The options of ``read`` that take a value."""


def read(call: Call) -> Outcome:
    """``read``"""
    names: list[str] = []
    array = ""
    words = iter(call.words)
    for word in words:
        text = word.text or ""
        if text.startswith("-") and len(text) > 1 and not names:
            if text[-1] in _VALUED:
                value = next(words, None)
                array = (value.text or "") if text[-1] == "a" and value is not None else array
        elif NAME.fullmatch(text):
            names.append(text)
    return _read_line(call, names or ([] if array else ["REPLY"]), array)


def _read_line(call: Call, names: Sequence[str], array: str) -> Outcome:
    shell = call.shell
    try:
        line = shell.stdin.line()
    except LookupError:
        for name in names:
            shell.assign(name, (unknown(f"${name}"),), call.origin(name))
        if array:
            _unknown_array(call, array)
        return Outcome(None, Known.NO, rendered="read", guess=True)
    fields = [] if line is None else shell.split_value(line)
    if array:
        _known_array(call, array, fields)
    elif line is not None and len(names) == 1:
        shell.assign(names[0], _trimmed(line, shell.ifs()), call.origin(names[0]))
    else:
        for name, value in zip(names, _shared_out(line or (), len(names), shell.ifs()), strict=True):
            shell.assign(name, value, call.origin(name))
    return FAILURE if line is None else SUCCESS


def _shared_out(line: Value, count: int, ifs: str) -> list[Value]:
    """A line as so many variables get it: a field each, the last one the rest with the separators in it."""
    text = text_of(line)
    if text is None:
        return [(unknown("read"),)] * count
    blanks = "".join(character for character in ifs if character in " \t\n")
    end = len(text.rstrip(blanks)) if blanks else len(text)
    position = _past(text, 0, end, blanks)
    values: list[Value] = []
    while len(values) < count - 1:
        start, position = position, _upto(text, position, end, ifs)
        values.append(slice_runs(line, start, position))
        position = _past_separator(text, position, end, ifs, blanks)
    stop = _upto(text, position, end, ifs)
    last = stop if _past_separator(text, stop, end, ifs, blanks) == end else end
    return [*values, slice_runs(line, position, max(position, last))]


def _upto(text: str, position: int, end: int, ifs: str) -> int:
    while position < end and text[position] not in ifs:
        position += 1
    return position


def _past(text: str, position: int, end: int, blanks: str) -> int:
    while position < end and text[position] in blanks:
        position += 1
    return position


def _past_separator(text: str, position: int, end: int, ifs: str, blanks: str) -> int:
    """Past one separator: blanks, at most one other character of IFS, and blanks."""
    position = _past(text, position, end, blanks)
    if position < end and text[position] in ifs:
        position = _past(text, position + 1, end, blanks)
    return position


def _trimmed(line: Value, ifs: str) -> Value:
    text = text_of(line) or ""
    blanks = "".join(char for char in ifs if char in " \t\n")
    start = len(text) - len(text.lstrip(blanks)) if blanks else 0
    end = len(text.rstrip(blanks)) if blanks else len(text)
    return slice_runs(line, start, max(start, end))


def _known_array(call: Call, name: str, values: Sequence[Value]) -> None:
    origin = call.origin(name)
    elements: dict[Index, Value] = {index: fed(value, origin) for index, value in enumerate(values)}
    call.shell.shell.variables.put(name, Variable(elements=elements, origin=origin))


def _unknown_array(call: Call, name: str) -> None:
    if NAME.fullmatch(name):
        value: Value = (unknown(f"${{{name}[@]}}", many=True),)
        call.shell.shell.variables.put(name, Variable(elements={0: value}, origin=call.origin(name)))


def mapfile(call: Call) -> Outcome:
    """``mapfile`` and ``readarray``"""
    words = [field.text or "" for field in call.words]
    options = {word for word in words if word.startswith("-")}
    name = words[-1] if words and not words[-1].startswith("-") else "MAPFILE"
    if not NAME.fullmatch(name):
        return SUCCESS
    lines: list[Value] = []
    try:
        if options - {"-t"}:
            raise LookupError
        while (line := call.shell.stdin.line()) is not None and len(lines) < MAX_LINES:
            lines.append(line if "-t" in options else (*line, Run("\n")))
    except LookupError:
        _unknown_array(call, name)
        return SUCCESS
    _known_array(call, name, lines)
    return SUCCESS


def getopts(call: Call) -> Outcome:
    """``getopts``: which options a script is given is not known."""
    name = call.words[1].text if len(call.words) > 1 else None
    if name and NAME.fullmatch(name):
        call.shell.assign(name, (unknown(f"${name}"),), call.origin(name))
    call.shell.assign("OPTARG", (unknown("$OPTARG"),), None)
    if call.shell.shell.open_arguments or call.shell.shell.positional:
        return Outcome(None, Known.NO, rendered="getopts", guess=False)
    return FAILURE
