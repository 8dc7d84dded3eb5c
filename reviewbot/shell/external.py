"""Commands that are no builtins: launches, scripts that are at hand, and the rest, of which little is known."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reviewbot.shell import programs
from reviewbot.shell.code import Code, file_code
from reviewbot.shell.expansion import UNKNOWN_CHARACTER, rendered, runs_code
from reviewbot.shell.launches import Started
from reviewbot.shell.model import Known, Origin
from reviewbot.shell.reading import Reader
from reviewbot.shell.state import SUCCESS, Leave, Outcome, Return, Shell, Stdin, Stop, joined_path
from reviewbot.shell.syntax import Assignment, Parameter, Simple, Word, flat
from reviewbot.shell.values import Field, Run, Value, computed, fed, text_of, unknown, used
from reviewbot.shell.variables import Variable, Variables
from reviewbot.text import SourceText, Span

MAX_SCRIPTS = 12
"""How many scripts may start one another."""
_PROBES = frozenset("which grep egrep fgrep pgrep nvidia-smi npu-smi rocm-smi lspci diff cmp".split())
"""Commands that are mostly run to find something out; a failure is the better guess."""
_SUCCEEDS = frozenset("mkdir rm cp mv ln touch chmod chown sleep kill pkill killall sync".split())
"""Commands that write nothing and are taken to succeed."""


class ExternalCommands(Reader):
    """What happens to the words of commands that bash does not run itself."""

    out: list[Run] | None
    stdin: Stdin
    tested: int

    def external(self, command: Simple, fields: list[Field]) -> Outcome:
        """Runs a program that is not part of the shell."""
        pure = _PURE.get(fields[0].text or "")
        if pure is not None and self.out is not None:
            written = pure(self, fields[1:])
            if written is not None:
                self.out.extend(written)
                return SUCCESS
        found = programs.find([_sketch(field) for field in fields])
        if isinstance(found, programs.Program):
            self.launch(command, fields, found, self._appended_by_xargs(fields[: found.entry]))
        elif isinstance(found, programs.Nested):
            outcome = self._nested(command, fields, found)
            if outcome is not None:
                return outcome
        return self.opaque(fields)

    def opaque(self, fields: Sequence[Field]) -> Outcome:
        """A program of which nothing is known."""
        name = (fields[0].text or "").rpartition("/")[2]
        shown = " ".join(rendered(field.runs) for field in fields)[:500]
        if name in _SUCCEEDS:
            return SUCCESS
        probing = name in _PROBES
        silent = False
        if programs.PYTHON.fullmatch(name):
            code = next(
                (f.text or "" for f, g in zip(fields[1:], fields, strict=False) if g.text == "-c"), ""
            )
            probing = bool(re.search(r"\bimport\b", code))
            silent = bool(code) and "print" not in code and "write" not in code
        if self.out is not None and not silent:
            self.out.append(unknown(shown))
        return Outcome(None, Known.NO, rendered=shown, guess=not probing)

    # --- launches

    def _appended_by_xargs(self, before: Sequence[Field]) -> list[Field]:
        """The words that xargs reads from its input and puts behind those that are written."""
        texts = [(field.text or "").rpartition("/")[2] for field in before]
        if "xargs" not in texts:
            return []
        placed = any(text.startswith(("-I", "-i", "--replace")) for text in texts)
        if placed or self.stdin.runs is None:
            return [Field((unknown("what xargs reads", many=True),), before[0].word)]
        return [Field(runs, before[0].word, False) for runs in self.split_value(self.stdin.runs)]

    def launch(
        self, command: Simple, fields: Sequence[Field], program: programs.Program, appended: Sequence[Field]
    ) -> None:
        """Records a launch."""
        span = self._command_span(command)
        self.path.budget.write(sum(len(run.text or "") for field in fields for run in field.runs) // 4)
        self.spend(len(fields))
        for field in fields:
            self.path.unset.extend(run for run in field.runs if run.unset)
        self.path.unset.extend(self._unset_arrays(command))
        self.path.launches.append(
            Started(
                span,
                fields,
                fields[program.entry],
                program.joined,
                program.is_module,
                [*fields[program.arguments :], *appended],
                self.environment(command, span),
                tuple(self.path.decisions),
            )
        )

    def _unset_arrays(self, command: Simple) -> Iterator[Run]:
        """``"${ARRAY[@]}"`` of arrays that are not set: they leave no word behind."""
        for word in command.words:
            for part in flat(word.parts) if isinstance(word, Word) else ():
                if (
                    isinstance(part, Parameter)
                    and part.whole == "@"
                    and not part.operator
                    and not part.prefix
                ):
                    value = self.read(part.name)
                    if value is not None and len(value) == 1 and value[0].unset:
                        yield from used(value, word, part.start, part.end)

    def _command_span(self, command: Simple) -> Span:
        words = command.words
        start = words[0].start if words else command.start
        end = words[-1].end if words else command.end
        return command.code.span(start, end) or self.path.fallback

    def environment(self, command: Simple, span: Span) -> dict[str, tuple[Value, Span]]:
        """The variables that the script exports, and those in front of the command, with where they are assigned."""
        env: dict[str, tuple[Value, Span]] = {}
        for name in self.shell.variables.names():
            variable = self.shell.variables.get(name)
            if variable is not None and variable.exported and variable.value is not None:
                env[name] = (variable.value, span if variable.origin is None else variable.origin.span)
        for assignment in command.assignments:
            if assignment.elements is None:
                code = assignment.value.code
                env[assignment.name] = (
                    self.value(assignment.value),
                    code.span(assignment.start, assignment.end) or span,
                )
        return env

    # --- other scripts

    def _nested(self, command: Simple, fields: list[Field], found: programs.Nested) -> Outcome | None:
        """A shell with text or a file to run; None where that is not at hand."""
        code: Code | None
        if found.stdin:
            code = None if self.stdin.runs is None else runs_code(self.stdin.runs, self.shell.script)
            arguments = fields[found.index :]
            script = self.shell.script
        elif found.text:
            code = runs_code(fields[found.index].runs, self.shell.script)
            arguments = fields[found.index + 2 :]
            script = self.shell.script
        else:
            path = self.located(fields[found.index].runs)
            code = None if path is None else self.path.files.code(path)
            arguments = fields[found.index + 1 :]
            script = path or ""
        if code is None or self.path.scripts >= MAX_SCRIPTS:
            return None
        outer = fields if found.wrapped and found.text else None
        return self._run_script(command, code, script, arguments, outer)

    def _run_script(
        self,
        command: Simple,
        code: Code,
        script: str,
        arguments: Sequence[Field],
        outer: Sequence[Field] | None,
    ) -> Outcome:
        variables = self._exported(command)
        shell = self.shell
        self.shell = Shell(variables, {}, [f.runs for f in arguments], False, script, set(), shell.folder)
        self.path.scripts += 1
        self.path.enter(MAX_SCRIPTS)
        launched = len(self.path.launches)
        tested, self.tested = self.tested, 0
        outcome = SUCCESS
        try:
            self.run_code(code)
            outcome = self.shell.status
        except Stop as stop:
            outcome = stop.outcome
        except (Return, Leave):
            outcome = self.shell.status
        finally:
            self.shell, self.tested = shell, tested
            self.path.depth -= 1
            self.path.scripts -= 1
        if outer is not None:
            for index in range(launched, len(self.path.launches)):
                self.path.launches[index] = replace(self.path.launches[index], argv=outer)
        return outcome

    def run_code(self, code: Code) -> None:
        """See :class:`Interpreter`."""
        raise NotImplementedError

    def run_assignment(self, assignment: Assignment) -> None:
        """See :class:`Interpreter`."""
        raise NotImplementedError

    def _exported(self, command: Simple) -> Variables:
        """The variables that a program started here sees."""
        visible = Variables([{}])
        for name in self.shell.variables.names():
            variable = self.shell.variables.get(name)
            if variable is not None and variable.exported and variable.value is not None:
                visible.put(name, replace(variable, readonly=False))
            elif variable is not None and not variable.is_set:
                visible.put(name, Variable())
        for assignment in command.assignments:
            if assignment.elements is None:
                span = assignment.value.code.span(assignment.start, assignment.end)
                origin = None if span is None else Origin(assignment.name, span)
                value = fed(self.value(assignment.value), origin)
                visible.put(assignment.name, Variable(value, exported=True, origin=origin))
        return visible

    def located(self, runs: Value) -> str | None:
        """The path in the repository of a file that a value names, where there is one."""
        candidates = [place_of(runs, self.shell.folder)]
        text = text_of(runs)
        if text is not None:
            candidates.append(joined_path("", text))
            candidates.append(joined_path(posixpath.dirname(self.shell.script), text))
            if text.startswith("/"):
                return None
        return next((path for path in candidates if path and self.path.files.code(path) is not None), None)


def _sketch(field: Field) -> str | None:
    """The text of a word with a placeholder for what is not known; None where none of it is."""
    text = field.text
    if text is not None or all(run.text is None for run in field.runs) or field.many:
        return text
    return "".join(UNKNOWN_CHARACTER if run.text is None else run.text for run in field.runs)


def place_of(runs: Value, folder: str | None) -> str | None:
    """Where in the repository a path is that a value names."""
    runs = tuple(run for run in runs if run.text != "")
    if not runs:
        return None
    if runs[0].text is None:
        rest = text_of(runs[1:])
        if runs[0].place is None or rest is None or (rest and not rest.startswith("/")):
            return None
        return joined_path(runs[0].place, rest.lstrip("/") or ".")
    text = text_of(runs)
    return None if text is None else joined_path(folder, text)


# --- programs whose output is known


def _basename(shell: ExternalCommands, fields: Sequence[Field]) -> list[Run] | None:
    words = [field for field in fields if field.text != "--"]
    if not words or len(words) > 2 or (words[0].text or "").startswith("-"):
        return None
    texts = [field.text for field in words]
    if None in texts:
        return None
    path = (texts[0] or "").rstrip("/") or "/"
    name = path.rpartition("/")[2] or "/"
    suffix = texts[1] if len(texts) > 1 else None
    if suffix and name.endswith(suffix) and name != suffix:
        name = name[: -len(suffix)]
    return [computed(name, words[0].runs), Run("\n")]


def _dirname(shell: ExternalCommands, fields: Sequence[Field]) -> list[Run] | None:
    words = [field for field in fields if field.text != "--"]
    if len(words) != 1:
        return None
    text = words[0].text
    if text is None:
        place = place_of(words[0].runs, None)
        return None if not place else [unknown("$(dirname …)", place=posixpath.dirname(place)), Run("\n")]
    return [
        computed(
            posixpath.dirname(text.rstrip("/")) or ("/" if text.startswith("/") else "."), words[0].runs
        ),
        Run("\n"),
    ]


def _realpath(shell: ExternalCommands, fields: Sequence[Field]) -> list[Run] | None:
    words = [field for field in fields if not (field.text or "").startswith("-")]
    if len(words) != 1:
        return None
    place = place_of(words[0].runs, shell.shell.folder)
    return None if place is None else [unknown("$(realpath …)", place=place), Run("\n")]


def _seq(shell: ExternalCommands, fields: Sequence[Field]) -> list[Run] | None:
    try:
        numbers = [int(field.text or "x") for field in fields]
    except ValueError:
        return None
    if not 1 <= len(numbers) <= 3:
        return None
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) == 3 else 1
    if step == 0 or abs(numbers[-1] - first) // abs(step) > 1000:
        return None
    values = range(first, numbers[-1] + (1 if step > 0 else -1), step)
    return [computed(f"{value}\n", (run for field in fields for run in field.runs)) for value in values]


def _cat(shell: ExternalCommands, fields: Sequence[Field]) -> list[Run] | None:
    stdin = shell.stdin
    if [field.text for field in fields] not in ([], ["-"]) or stdin.runs is None:
        return None
    return list(stdin.runs)


def _tee(shell: ExternalCommands, fields: Sequence[Field]) -> list[Run] | None:
    return None if shell.stdin.runs is None else list(shell.stdin.runs)


_PURE = {
    "basename": _basename,
    "dirname": _dirname,
    "realpath": _realpath,
    "readlink": _realpath,
    "seq": _seq,
    "cat": _cat,
    "tee": _tee,
}

__all__ = ["ExternalCommands", "SourceText", "file_code", "place_of"]
