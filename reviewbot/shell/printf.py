"""``printf`` and the escapes of ``echo -e``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reviewbot.shell.values import Run, Value, computed, text_of, unknown

_ESCAPE = re.compile(r"\\(?:([abefnrtv\\\"'])|(0?[0-7]{1,3})|x([0-9A-Fa-f]{1,2}))")
_NAMED = {"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_DIRECTIVE = re.compile(r"%([-+ #0]*)(\d*)(?:\.(\d+))?([sdiuxXobqcfgeE%])")
MAX_WIDTH = 1000


def unescaped(text: str) -> str:
    """Text with its backslash escapes replaced."""
    return _ESCAPE.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    if match[1]:
        return _NAMED.get(match[1], match[1])
    return chr(int(match[2], 8) & 0xFF) if match[2] else chr(int(match[3], 16))


def formatted(words: Sequence[Value]) -> list[Run]:
    """What ``printf format arguments`` writes."""
    template = text_of(words[0])
    arguments = list(words[1:])
    if template is None or any(run.many for value in arguments for run in value):
        return [unknown("$(printf …)")]
    out: list[Run] = []
    at = 0
    for _ in range(2000):
        used = _once(template, arguments, at, out, words[0])
        if used is None:
            return [unknown("$(printf …)")]
        at += used
        if used == 0 or at >= len(arguments):
            break
    return out


def _once(template: str, arguments: Sequence[Value], at: int, out: list[Run], origin: Value) -> int | None:
    """One pass over the template; the number of arguments used, None where it is not understood."""
    used = position = 0
    for match in _DIRECTIVE.finditer(template):
        literal = template[position : match.start()]
        if "%" in literal:
            return None
        if literal:
            out.append(computed(unescaped(literal), origin))
        position = match.end()
        if match[4] == "%":
            out.append(Run("%"))
            continue
        argument = arguments[at + used] if at + used < len(arguments) else ()
        used += 1
        runs = _converted(match, argument)
        if runs is None:
            return None
        out.extend(runs)
    rest = template[position:]
    if "%" in rest:
        return None
    if rest:
        out.append(computed(unescaped(rest), origin))
    return used


def _converted(match: re.Match[str], argument: Value) -> Sequence[Run] | None:
    flags, width, precision, kind = match.groups()
    if kind == "s" and not width and precision is None:
        return argument
    text = text_of(argument)
    if text is None:
        return [unknown("$(printf …)")]
    if int(width or 0) > MAX_WIDTH or int(precision or 0) > MAX_WIDTH:
        return None
    if kind == "b":
        return [computed(unescaped(text), argument)]
    if kind == "q":
        return [computed(re.sub(r"([^A-Za-z0-9_@%+=:,./-])", r"\\\1", text) or "''", argument)]
    if kind == "c":
        text, kind = text[:1], "s"
    if kind in "diuxXo":
        try:
            number = int(text.strip() or "0", 0 if text.strip().startswith(("0x", "0X")) else 10)
        except ValueError:
            return None
        python = f"%{flags}{width}{'.' + precision if precision else ''}{'d' if kind in 'diu' else kind}"
        return [computed(python % number, argument)]
    if kind in "fgeE":
        try:
            value = float(text or "0")
        except ValueError:
            return None
        return [computed(f"%{flags}{width}{'.' + precision if precision else ''}{kind}" % value, argument)]
    cut = text if precision is None else text[: int(precision)]
    return [computed(cut.ljust(int(width or 0)) if "-" in flags else cut.rjust(int(width or 0)), argument)]
