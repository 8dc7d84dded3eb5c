"""The scripts that are at hand, parsed as far as they are run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from reviewbot.language import say
from reviewbot.shell.code import Code, file_code
from reviewbot.shell.grammar import CommandReader
from reviewbot.shell.syntax import CommandList
from reviewbot.shell.words import RefusedError, TooDeepError
from reviewbot.text import SourceText

MAX_TEXT = 1_000_000
"""Longer files are not read."""


class ScriptFiles:
    """Files by path in the repository, and code that was made on the way; each parsed once."""

    def __init__(self, read: Callable[[str], str | None]) -> None:
        self.read = read
        self.codes: dict[str, Code | None] = {}
        self.readers: dict[int, Parsed] = {}

    def code(self, path: str) -> Code | None:
        """The code of a file; None where there is none, or it is too long."""
        if path not in self.codes:
            text = self.read(path)
            readable = text is not None and len(text) <= MAX_TEXT
            self.codes[path] = file_code(SourceText(path, text or "")) if readable else None
        return self.codes[path]

    def commands(self, code: Code) -> Iterable[CommandList]:
        """The commands of a code, line by line, up to where bash would refuse it."""
        return self.parsed(code)

    def parsed(self, code: Code) -> Parsed:
        """The code, parsed as far as it was asked for."""
        parsed = self.readers.get(id(code))
        if parsed is None:
            parsed = self.readers[id(code)] = Parsed(code)
        return parsed


class Parsed:
    """The commands of a code, parsed as far as they were asked for."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.commands: list[CommandList] = []
        self.reader = CommandReader(code)
        self.done = False
        self.error: RefusedError | TooDeepError | None = None
        """Why nothing is read from some place on."""

    def where_it_ends(self, main: str) -> str:
        """Where nothing is read any more, in words; ``main`` is the script that is reviewed."""
        at = 0 if self.error is None else self.error.offset
        span = self.code.span(at, at)
        line = self.code.text.count("\n", 0, at) + 1 if span is None else span.line
        where = (
            say("line {line}", line=line)
            if self.code.path == main
            else say("{path}, line {line}", path=self.code.path, line=line)
        )
        if isinstance(self.error, TooDeepError):
            return say("nothing is read from {where} on, where it nests too deeply", where=where)
        return say("bash reads nothing from {where} on", where=where)

    def __iter__(self) -> Iterator[CommandList]:
        index = 0
        while True:
            while index < len(self.commands):
                yield self.commands[index]
                index += 1
            if self.done:
                return
            self._more()

    def _more(self) -> None:
        try:
            commands = self.reader.next()
        except (RefusedError, TooDeepError) as error:
            self.error = error
            self.done = True
        else:
            if commands is None:
                self.done = True
            else:
                self.commands.append(commands)
