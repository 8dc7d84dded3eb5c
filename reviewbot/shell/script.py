"""Reads a script: the paths through it, and the programs that it launches on them."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from reviewbot.language import say
from reviewbot.shell.code import file_code
from reviewbot.shell.files import MAX_TEXT, ScriptFiles
from reviewbot.shell.interpreter import Interpreter
from reviewbot.shell.launches import distinct, model_launches
from reviewbot.shell.memory import Memory
from reviewbot.shell.model import ShellResult
from reviewbot.shell.problems import Findings, problems_in
from reviewbot.shell.state import (
    Alternative,
    Budget,
    Course,
    ExhaustedError,
    Leave,
    Path,
    Return,
    Shell,
    Stop,
)
from reviewbot.shell.values import Run, Value
from reviewbot.shell.variables import Variables
from reviewbot.text import SourceText, Span

MAX_STEPS = 150_000
MAX_CHARACTERS = 2_000_000


def read_script(
    source: SourceText,
    *,
    env: Mapping[str, str] | None = None,
    read: Callable[[str], str | None] | None = None,
    arguments: Sequence[str] | None = None,
    max_paths: int = 16,
) -> ShellResult:
    """The launches of a script, on the default path and on up to ``max_paths`` others.

    ``env`` holds the only environment variables that are known; what the environment holds is never asked.
    ``arguments`` are the script's own; None: not known, with none as the default.
    ``read`` gives the text of another file of the repository by its path there, or None; ``source.path`` is the
    script's own.  Any text is accepted; what could not be followed is said in ``partly``.
    """
    return _Script(source, env or {}, read or _nothing, arguments, max_paths).result()


def _nothing(_path: str) -> str | None:
    return None


class _Script:
    def __init__(
        self,
        source: SourceText,
        env: Mapping[str, str],
        read: Callable[[str], str | None],
        arguments: Sequence[str] | None,
        max_paths: int,
    ) -> None:
        self.source = source
        self.env = env
        self.files = ScriptFiles(read)
        self.arguments = arguments
        self.max_paths = max_paths
        self.code = file_code(source)
        self.files.codes[source.path] = self.code
        self.fallback = self.code.span(0, 0) or Span(source.path, 1, 1, 1, 1)
        self.memory = Memory()
        self.positional: list[Value] = [(Run(argument),) for argument in arguments or ()]
        self.budget = Budget(MAX_STEPS, MAX_CHARACTERS)
        self.partly: dict[str, None] = {}

    def result(self) -> ShellResult:
        if len(self.source.text) > MAX_TEXT:
            return ShellResult(
                partly=say("the file has more than {MAX_TEXT} characters: it was not read", MAX_TEXT=MAX_TEXT)
            )
        paths = list(self._paths())
        started = distinct(
            [launch for path in paths for launch in path.launches],
            [alternative.decision for path in paths[:1] for alternative in path.alternatives],
        )
        launches = model_launches(started)
        parsed = self.files.parsed(self.code)
        others = [other for other in self.files.readers.values() if other is not parsed]
        for other in (parsed, *others):
            if other.error is not None:
                self.partly[other.where_it_ends(self.source.path)] = None
        return ShellResult(
            launches,
            problems_in(Findings(self.source, parsed, others, paths, started, launches)),
            "; ".join(self.partly),
            {name: origin.span for path in reversed(paths) for name, origin in path.exports.items()},
            frozenset(command for path in paths for command in path.others),
        )

    def _paths(self) -> Iterable[Path]:
        """The default path, then those with one assumption, with two, and so on."""
        queue: list[tuple[int, int, Course]] = [(0, 0, Course())]
        seen = {Course().identity}
        count = 0
        for _ in range(self.max_paths):
            if not queue:
                return
            weight, _, course = heapq.heappop(queue)
            path = self._follow(course)
            if path is None:
                return
            yield path
            for alternative in path.alternatives:
                other = _with(course, alternative)
                if other.identity not in seen:
                    seen.add(other.identity)
                    count += 1
                    heapq.heappush(queue, (weight + 1, count, other))

    def _follow(self, course: Course) -> Path | None:
        path = Path(course, self.budget, self.env, self.files, self.code, self.fallback, self.memory)
        path.decisions.extend(course.decisions)
        shell = Shell(Variables(), {}, self.positional, self.arguments is None, self.source.path)
        try:
            Interpreter(shell, path).run_code(self.code)
        except (Stop, Return, Leave):
            pass
        except ExhaustedError as limit:
            self.partly[str(limit)] = None
            if course.forced or course.assumptions:
                return None
        except RecursionError:
            self.partly[say("it nests too deeply")] = None
        for message in path.gaps:
            self.partly[message] = None
        return path


def _with(course: Course, alternative: Alternative) -> Course:
    decisions = (*course.decisions, alternative.decision)
    if alternative.assumptions:
        added = {assumption.name: assumption for assumption in alternative.assumptions}
        return replace(course, assumptions={**course.assumptions, **added}, decisions=decisions)
    return replace(course, forced={**course.forced, alternative.key: alternative.choice}, decisions=decisions)
