"""Reads and assigns variables: the shell's own, the declared environment, what a path assumes, and the unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reviewbot.shell import arithmetic
from reviewbot.shell.expansion import Expander
from reviewbot.shell.memory import ARGUMENTS, ARRAY, SCALAR, Read
from reviewbot.shell.model import Known, Origin
from reviewbot.shell.state import Outcome, Stop
from reviewbot.shell.syntax import Parameter, Part, Word
from reviewbot.shell.values import Run, Value, computed, known_of, origins_of, text_of, unknown, weaker
from reviewbot.shell.variables import Index, Variable

MAX_VALUE = 1_000_000
"""Longer values are not kept."""
MAX_RUNS = 20_000
"""Values of more pieces are not kept."""
_OWN = frozenset((
    "RANDOM", "SRANDOM", "SECONDS", "LINENO", "EPOCHSECONDS", "EPOCHREALTIME", "UID", "EUID", "PPID",
    "HOSTNAME", "HOSTTYPE", "OSTYPE", "MACHTYPE", "BASH", "BASH_VERSION", "BASHPID", "SHLVL",
    "BASH_SUBSHELL",
))  # fmt: skip
"""Variables that bash itself sets to something that a reader cannot know."""
_HELD = frozenset((
    "HOME", "PATH", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "PWD", "OLDPWD",
))  # fmt: skip
"""Variables that every environment has."""


class Reader(Expander):
    """Variables of a shell on a path."""

    def spend(self, steps: int) -> None:
        """See :class:`Surroundings`."""
        self.path.budget.spend(steps)

    def ifs(self) -> str:
        """See :class:`Surroundings`."""
        variable = self.shell.variables.get("IFS")
        if variable is not None:
            self.impurities += 1
        if variable is None or variable.value is None:
            return " \t\n"
        text = text_of(variable.value)
        return " \t\n" if text is None else text

    def read(self, name: str) -> Value | None:
        """See :class:`Surroundings`."""
        variable = self.shell.variables.get(name)
        if variable is not None:
            value = variable.first
        elif name[0].isalpha() or name[0] == "_":
            value = self._environment(name)
        else:
            return self._special(name)
        self.reads.append(Read(SCALAR, name, value))
        return value

    def holds(self, reads: Sequence[Read]) -> bool:
        """Whether the same is there as when it was read."""
        for kind, name, seen in reads:
            if kind == SCALAR:
                variable = self.shell.variables.get(name)
                value = self._environment(name) if variable is None else variable.first
                if value is not seen:
                    return False
            elif kind == ARGUMENTS:
                if self.shell.positional is not seen or not self.shell.open_arguments or self.path.shifted:
                    return False
            elif not self._same_elements(name, seen):
                return False
        return True

    def _same_elements(self, name: str, seen: list[tuple[Index, Value]]) -> bool:
        elements = self._elements_of(name)
        return len(elements) == len(seen) and all(
            key == other and value is before
            for (key, value), (other, before) in zip(elements, seen, strict=True)
        )

    def _environment(self, name: str) -> Value | None:
        if name in ("PWD", "OLDPWD", "FUNCNAME"):
            self.impurities += 1
            return self._outside(name)
        key = (name, self.path.course.assumptions.get(name), self.shell.script)
        known = self.path.memory.environment.get(key)
        if known is None:
            value = self._outside(name)
            if value is None:
                return None
            known = self.path.memory.environment[key] = value
        return known

    def _outside(self, name: str) -> Value | None:
        assumption = self.path.course.assumptions.get(name)
        if assumption is not None:
            if assumption.value is not None:
                return (Run(assumption.value, Known.CHOICE, env=name),)
            return (unknown(f"${name}", env=name),)
        declared = self.path.env.get(name)
        if declared is not None:
            return (Run(declared),)
        if name in ("PWD", "OLDPWD"):
            return (unknown(f"${name}", place=self.shell.folder if name == "PWD" else None),)
        if name in _OWN or name in _HELD:
            return (unknown(f"${name}", env=name),)
        if name == "BASH_SOURCE":
            return (Run(self.shell.script, Known.DEFAULT),)
        if name == "FUNCNAME":
            return (unknown("$FUNCNAME"),) if self.shell.local_depth else None
        if name in ("IFS", "OPTIND"):
            return (Run(" \t\n" if name == "IFS" else "1"),)
        return (unknown(f"${name}", env=name, unset=True),)

    def _special(self, name: str) -> Value | None:
        self.impurities += 1
        if name.isdecimal():
            return self._numbered(int(name))
        if name == "#":
            return self._argument_count()
        if name == "?":
            status = self.shell.status
            if status.code is None or status.known is Known.NO:
                return (unknown("$?"),)
            return (Run(str(status.code), status.known),)
        if name in "@*":
            values = [value for _, value in self.read_all("@")]
            return tuple(run for value in values for run in value)
        return (unknown(f"${name}"),)

    def _numbered(self, number: int) -> Value | None:
        if number == 0:
            return (Run(self.shell.script, Known.DEFAULT),)
        if number <= len(self.shell.positional):
            value = self.shell.positional[number - 1]
            return tuple(run._replace(many=False) for run in value)
        if not self.shell.open_arguments:
            return None
        name = str(number + self.path.shifted)
        assumption = self.path.course.assumptions.get(name)
        if assumption is not None:
            if assumption.value is not None:
                return (Run(assumption.value, Known.CHOICE, env=name),)
            return (unknown(f"${number}", env=name),)
        return (unknown(f"${number}", env=name, unset=True),)

    def _argument_count(self) -> Value:
        count = len(self.shell.positional)
        if any(run.many for value in self.shell.positional for run in value):
            return (unknown("$#"),)
        return (Run(str(count), Known.DEFAULT if self.shell.open_arguments else Known.YES),)

    def read_all(self, name: str) -> list[tuple[Index, Value]]:
        """See :class:`Surroundings`."""
        if name in "@*":
            values = list(self.shell.positional)
            if not self.shell.open_arguments or self.path.shifted:
                self.impurities += 1
            self.reads.append(Read(ARGUMENTS, name, self.shell.positional))
            if self.shell.open_arguments:
                values.append((unknown("$@", env="@", many=True),))
            return [(index + 1, value) for index, value in enumerate(values)]
        elements = self._elements_of(name)
        self.reads.append(Read(ARRAY, name, elements))
        return elements

    def _elements_of(self, name: str) -> list[tuple[Index, Value]]:
        variable = self.shell.variables.get(name)
        if variable is None:
            value = self._environment(name)
            return [] if value is None or value[0].unset else [(0, value)]
        if variable.elements is not None:
            return list(variable.elements.items())
        return [] if variable.value is None else [(0, variable.value)]

    def read_element(self, name: str, index: Value) -> Value | None:
        """See :class:`Surroundings`."""
        variable = self.shell.variables.get(name)
        self.reads.append(Read(ARRAY, name, self._elements_of(name)))
        key = self.index(variable, index)
        if variable is None:
            return self._environment(name) if key == 0 else None
        if key is None or any(run.many for value in (variable.elements or {}).values() for run in value):
            return (unknown(f"${{{name}[…]}}"),)
        if variable.elements is None:
            return variable.value if key == 0 else None
        if isinstance(key, int) and key < 0 and variable.elements:
            key += max((k for k in variable.elements if isinstance(k, int)), default=-1) + 1
        return variable.elements.get(key)

    def index(self, variable: Variable | None, index: Value) -> Index | None:
        """The key that a subscript means; None where it is not known."""
        text = text_of(index)
        if text is None:
            return None
        return text if variable is not None and variable.associative else self.number(text)

    def has_array(self, name: str) -> bool:
        """See :class:`Surroundings`."""
        self.impurities += 1
        variable = self.shell.variables.get(name)
        return variable is not None and variable.elements is not None

    def unbound(self, _name: str) -> None:
        """See :class:`Surroundings`."""
        self.impurities += 1
        if "u" in self.shell.options and not self.path.opaque:
            raise Stop(Outcome(False, code=1))

    def names_with(self, prefix: str) -> list[str]:
        """See :class:`Surroundings`."""
        self.impurities += 1
        found = {name for name in self.shell.variables.names() if name.startswith(prefix)}
        return sorted(
            name for name in found if (v := self.shell.variables.get(name)) is not None and v.is_set
        )

    # --- assignment

    def assign_default(self, name: str, value: Value, word: Word, part: Parameter) -> None:
        """See :class:`Surroundings`."""
        span = word.code.span(part.start, part.end)
        origin = None if span is None else Origin(name, span)
        if name[0].isalpha() or name[0] == "_":
            self.assign(name, value, origin)

    def assign(
        self,
        name: str,
        value: Value,
        origin: Origin | None,
        *,
        append: bool = False,
        index: Value | None = None,
    ) -> None:
        """``name=value``, ``name+=value``, ``name[index]=value``."""
        self.impurities += 1
        variables = self.shell.variables
        name = variables.target(name)
        variable = variables.get(name) or Variable(exported=name in self.path.env)
        if variable.readonly:
            return
        value = self._converted(variable, self.path.memory.fed(value, origin))
        key = self.index(variable, index) if index is not None else None
        if index is not None and key is None:
            self._spoil(name, variable, origin)
            return
        if variable.elements is not None or index is not None:
            key = key if index is not None else ("0" if variable.associative else 0)
            elements: dict[Index, Value] = dict(
                variable.elements or ({} if variable.value is None else {0: variable.value})
            )
            if isinstance(key, int) and key < 0:
                key += max((k for k in elements if isinstance(k, int)), default=-1) + 1
            if key is None:
                return
            elements[key] = self._appended(variable, elements.get(key), value) if append else value
            self.spend(1 + len(elements) // 100)
            changes: dict[str, Any] = {"elements": _ordered(elements), "value": None}
        else:
            before = variable.value
            if before is None and append and variables.get(name) is None:
                before = self.read(name)
            changes = {"value": self._appended(variable, before, value) if append else self._bounded(value)}
        variables.put(name, variable._replace(origin=origin, **changes))
        if variable.exported and origin is not None:
            self.path.exports[name] = origin

    def _appended(self, variable: Variable, before: Value | None, value: Value) -> Value:
        if variable.integer:
            text = text_of((*(before or ()), Run("+"), *value)) if before else text_of(value)
            number = None if text is None else self.number(text)
            return (
                (unknown("arithmetic"),)
                if number is None
                else (computed(str(number), (*(before or ()), *value)),)
            )
        return self._bounded((*(before or ()), *value))

    def _bounded(self, value: Value) -> Value:
        """The value, unless it is too long to keep."""
        if len(value) < 50 and all(len(run.text or "") < 1000 for run in value):
            return value
        self.spend(len(value) // 10)
        size = sum(len(run.text or "") for run in value)
        self.path.budget.write(size // 10)
        return value if size <= MAX_VALUE and len(value) <= MAX_RUNS else (unknown("a very long value"),)

    def _converted(self, variable: Variable, value: Value) -> Value:
        if not variable.integer and not variable.case:
            return value
        text = text_of(value)
        if text is None:
            return value
        if variable.integer:
            number = self.number(text)
            return (unknown("arithmetic"),) if number is None else (computed(str(number), value),)
        return (computed(text.lower() if variable.case == "l" else text.upper(), value),)

    def _spoil(self, name: str, variable: Variable, origin: Origin | None) -> None:
        """Something unknown was assigned somewhere in an array."""
        elements: dict[Index, Value] = dict(variable.elements or {})
        spoiled: Value = (unknown(f"${{{name}[@]}}", many=True),)
        elements["" if variable.associative else len(elements)] = spoiled
        self.shell.variables.put(name, variable._replace(elements=elements, value=None, origin=origin))

    # --- arithmetic

    def arithmetic(self, word: Word, parts: Sequence[Part], *, why: str) -> Run:
        """See :class:`Surroundings`."""
        runs = self.parts_value(word, parts)
        text = text_of(runs)
        if text is None:
            return unknown(why, origins=origins_of(runs))
        names = _Names(self)
        self.spend(1 + len(text) // 50)
        try:
            value = arithmetic.evaluate(text, names)
        except (arithmetic.WrongError, RecursionError):
            return unknown(why)
        if value is None:
            return unknown(why, origins=origins_of(names.runs))
        run = computed(str(value), (*runs, *names.runs))
        return run._replace(why=why)

    def number(self, expression: str) -> int | None:
        """See :class:`Surroundings`."""
        if expression.isdecimal() and expression.isascii() and (expression[0] != "0" or expression == "0"):
            return int(expression) if len(expression) < 19 else None
        try:
            return arithmetic.evaluate(expression, _Names(self))
        except (arithmetic.WrongError, RecursionError):
            return None


class _Names:
    """The variables of an expression; collects the runs that were read."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.runs: list[Run] = []

    def read(self, name: str, index: str | None) -> str | None:
        self.reader.spend(1)
        reader = self.reader
        value = reader.read(name) if index is None else reader.read_element(name, (Run(index),))
        if value is None:
            return ""
        self.runs.extend(value)
        return text_of(value)

    def write(self, name: str, index: str | None, value: int | None) -> None:
        run = (
            unknown("arithmetic")
            if value is None
            else Run(str(value), weaker(Known.YES, known_of(self.runs)))
        )
        key = None if index is None else (Run(index),)
        self.reader.assign(name, (run._replace(origins=origins_of(self.runs)),), None, index=key)


def _ordered(elements: dict[Index, Value]) -> dict[Index, Value]:
    """Indexed elements in the order of their indices."""
    keys = list(elements)
    if len(keys) > 1 and isinstance(keys[-1], int) and isinstance(keys[-2], int) and keys[-1] < keys[-2]:
        return {key: elements[key] for key in sorted(key for key in keys if isinstance(key, int))}
    return elements
