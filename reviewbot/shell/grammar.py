"""Reads commands as bash's grammar has them: one complete command at a time, as bash itself does."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from reviewbot.shell.arguments import SimpleReader
from reviewbot.shell.syntax import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Command,
    CommandList,
    For,
    Function,
    Group,
    If,
    Loop,
    Part,
    Pipeline,
    Redirected,
    Simple,
    Word,
)
from reviewbot.shell.tokens import RESERVED
from reviewbot.shell.words import RefusedError

_FUNCTION = re.compile(r"[^\s;&|<>()$`'\"\\=]+(?=(?:[ \t]|\\\n)*\((?:[ \t]|\\\n)*\))")
_FUNCTION_NAME = re.compile(r"[^\s;&|<>()$`'\"\\]+")
_PARENTHESES = re.compile(r"(?:[ \t]|\\\n)*\((?:[ \t]|\\\n)*\)")
_CLOSING = frozenset(("then", "elif", "else", "fi", "do", "done", "esac", "}"))
_TIME_OPTION = re.compile(r"(?:-p|--)(?=[ \t\n;&|]|$)")


class CommandReader(SimpleReader):
    """Reads the commands of ``code``."""

    def next(self) -> CommandList | None:
        """The commands of the next line (a line that runs on through compound commands counts as one).

        None at the end.  Raises :class:`RefusedError` where bash would refuse the text, :class:`TooDeepError`.
        """
        self.newlines()
        if self.position >= self.end:
            return None
        commands = self._list((), newlines=False)
        self.blanks()
        if self.position < self.end and self.text[self.position] != "\n":
            raise RefusedError(self.position, f"unexpected {self.token()!r}")
        self.newline()
        return commands

    # --- lists

    def commands_until_parenthesis(self, opened: int) -> CommandList:
        """See :class:`WordReader`."""
        documents, self.documents = self.documents, []
        commands = self._list((), newlines=True, may_be_empty=True)
        if not self.accept(")"):
            if self.position >= self.end:
                raise RefusedError(opened, "a parenthesis is never closed")
            raise RefusedError(self.position, f"unexpected {self.token()!r}")
        self.documents = documents
        return commands

    def _list(self, stop: tuple[str, ...], *, newlines: bool, may_be_empty: bool = False) -> CommandList:
        """Commands up to a word of ``stop``, an operator that ends a list or, without ``newlines``, a line's end."""
        if newlines:
            self.newlines()
        start = self.position
        commands: list[Command] = []
        background: list[bool] = []
        while not self._at_list_end(stop):
            commands.append(self._and_or())
            background.append(False)
            self.blanks()
            if self.accept_operator("&"):
                background[-1] = True
            elif not self.accept_operator(";") and not self.at("\n"):
                break
            if newlines:
                self.newlines()
            else:
                self.blanks()
                if self.at("\n"):
                    break
        if not commands and not may_be_empty:
            raise RefusedError(self.position, self.unexpected())
        return CommandList(start, commands[-1].end if commands else start, commands, background)

    def _at_list_end(self, stop: tuple[str, ...]) -> bool:
        self.blanks()
        if self.position >= self.end:
            return True
        char = self.text[self.position]
        if char == ")" or (char == ";" and self.text[self.position + 1 : self.position + 2] in (";", "&")):
            return True
        return bool(stop) and self.reserved() in stop

    def _and_or(self) -> Command:
        first = self._pipeline()
        rest: list[tuple[str, Command]] = []
        while True:
            self.blanks()
            operator = "&&" if self.accept("&&") else "||" if self.accept("||") else ""
            if not operator:
                break
            self.newlines()
            rest.append((operator, self._pipeline()))
        return AndOr(first.start, rest[-1][1].end, first, rest) if rest else first

    def _pipeline(self) -> Command:
        self.blanks()
        start = self.position
        negated = timed = False
        while self.reserved() in ("!", "time"):
            if self.take_reserved("!"):
                negated = not negated
            else:
                self.take_reserved("time")
                timed = True
                self.blanks()
                while option := _TIME_OPTION.match(self.text, self.position, self.end):
                    self.position = option.end()
                    self.blanks()
            self.blanks()
        if (negated or timed) and self._at_end_of_command():
            return Pipeline(start, self.position, [], negated, timed)
        commands = [self._command()]
        while True:
            self.blanks()
            if self.accept("|&") or (not self.at("||") and self.accept("|")):
                self.newlines()
                commands.append(self._command())
            else:
                break
        if len(commands) == 1 and not negated and not timed:
            return commands[0]
        return Pipeline(start, commands[-1].end, commands, negated, timed)

    def _at_end_of_command(self) -> bool:
        return self.position >= self.end or self.text[self.position] in "\n;&|)"

    # --- commands

    def _command(self) -> Command:
        self.blanks()
        start = self.position
        if self.at("(("):
            arithmetic = self._arithmetic_command()
            if arithmetic is not None:
                return self._redirected(arithmetic)
        if self.at("("):
            return self._redirected(self._group(start, subshell=True))
        function = _FUNCTION.match(self.text, start, self.end)
        if function and function[0] not in RESERVED:
            self.position = function.end()
            return self._function(start, function[0])
        reserved = self.reserved()
        if reserved is None:
            return self.simple()
        if reserved in _CLOSING or reserved in ("in", "]]", "!", "time"):
            if reserved in ("in", "]]", "!", "time"):
                return self.simple()
            raise RefusedError(start, f"unexpected {reserved!r}")
        self.enter(start)
        command = self._compound(start, reserved)
        self.depth -= 1
        return command

    def _compound(self, start: int, reserved: str) -> Command:
        if reserved == "function":
            return self._function_keyword(start)
        if reserved == "coproc":
            self.take_reserved("coproc")
            return self._command()
        readers: dict[str, Callable[[int], Command]] = {
            "if": self._if, "while": self._loop, "until": self._loop, "for": self._for, "select": self._for,
            "case": self._case, "{": self._brace_group, "[[": self.condition,
        }  # fmt: skip
        return self._redirected(readers[reserved](start))

    def _if(self, start: int) -> If:
        self.take_reserved("if")
        arms = []
        otherwise = None
        while True:
            condition = self._list(("then",), newlines=True)
            self.expect("then", start)
            body = self._list(("elif", "else", "fi"), newlines=True)
            arms.append((condition, body))
            if not self.take_reserved("elif"):
                break
        if self.take_reserved("else"):
            otherwise = self._list(("fi",), newlines=True)
        self.expect("fi", start)
        return If(start, self.position, arms, otherwise)

    def _loop(self, start: int) -> Loop:
        until = self.take_reserved("until")
        if not until:
            self.take_reserved("while")
        condition = self._list(("do",), newlines=True)
        body = self._body(start)
        return Loop(start, self.position, condition, body, until)

    def _body(self, start: int) -> CommandList:
        """``do …; done``"""
        self.expect("do", start)
        body = self._list(("done",), newlines=True)
        self.expect("done", start)
        return body

    def _for(self, start: int) -> For | ArithmeticFor:
        select = self.take_reserved("select")
        if not select:
            self.take_reserved("for")
            self.blanks()
            if self.at("(("):
                return self._arithmetic_for(start)
        self.blanks()
        name = self.word()
        if name is None:
            raise RefusedError(self.position, self.unexpected())
        words: list[Word] | None = None
        self.newlines()
        if self.take_reserved("in"):
            words = []
            self.blanks()
            while (word := self.word()) is not None:
                words.append(word)
                self.blanks()
            if not self.accept_operator(";") and not self.at("\n"):
                raise RefusedError(self.position, self.unexpected())
        else:
            self.blanks()
            self.accept_operator(";")
        self.newlines()
        body = self._loop_body(start)
        return For(start, self.position, self.code, name.source, words, body, select)

    def _loop_body(self, start: int) -> CommandList:
        if self.reserved() == "{":
            return self._brace_group(self.position).body
        return self._body(start)

    def _arithmetic_for(self, start: int) -> ArithmeticFor:
        inner = self.position + 2
        close = self.arithmetic_end(inner)
        if close is None:
            raise RefusedError(start, "the parentheses of for (( are never closed")
        clauses = self._clauses(inner, close)
        if len(clauses) != 3:
            raise RefusedError(start, "for (( needs three expressions")
        self.position = close + 2
        self.blanks()
        self.accept_operator(";")
        self.newlines()
        body = self._loop_body(start)
        return ArithmeticFor(start, self.position, self.code, clauses, body)

    def _clauses(self, start: int, end: int) -> list[list[Part]]:
        bounds = [start - 1]
        depth = 0
        for offset in range(start, end):
            char = self.text[offset]
            depth += (char in "({") - (char in ")}")
            if char == ";" and depth == 0:
                bounds.append(offset)
        bounds.append(end)
        return [self.arithmetic_parts(a + 1, b) for a, b in pairwise(bounds)]

    def _case(self, start: int) -> Case:
        self.take_reserved("case")
        self.blanks()
        subject = self.word()
        if subject is None:
            raise RefusedError(self.position, self.unexpected())
        self.newlines()
        self.expect("in", start)
        arms = []
        self.newlines()
        while not self.take_reserved("esac"):
            if self.position >= self.end:
                raise RefusedError(start, "the case is never closed by esac")
            patterns = self._patterns()
            body = self._list(("esac",), newlines=True, may_be_empty=True)
            self.newlines()
            terminator = next((t for t in (";;&", ";;", ";&") if self.accept(t)), "")
            arms.append((patterns, body, terminator))
            self.newlines()
            if not terminator and self.reserved() != "esac":
                raise RefusedError(self.position, self.unexpected())
        return Case(start, self.position, self.code, subject, arms)

    def _patterns(self) -> list[Word]:
        self.accept("(")
        patterns = []
        while True:
            self.blanks()
            pattern = self.word()
            if pattern is None:
                raise RefusedError(self.position, self.unexpected())
            patterns.append(pattern)
            self.blanks()
            if self.accept(")"):
                return patterns
            if not self.accept("|"):
                raise RefusedError(self.position, self.unexpected())

    def _brace_group(self, start: int) -> Group:
        self.take_reserved("{")
        body = self._list(("}",), newlines=True)
        self.expect("}", start)
        return Group(start, self.position, body, subshell=False)

    def _group(self, start: int, *, subshell: bool) -> Group:
        self.enter(start)
        self.position += 1
        body = self._list((), newlines=True)
        if not self.accept(")"):
            if self.position >= self.end:
                raise RefusedError(start, "a parenthesis is never closed")
            raise RefusedError(self.position, self.unexpected())
        self.depth -= 1
        return Group(start, self.position, body, subshell)

    def _arithmetic_command(self) -> ArithmeticCommand | None:
        start = self.position
        close = self.arithmetic_end(start + 2)
        if close is None:
            return None
        parts = self.arithmetic_parts(start + 2, close)
        self.position = close + 2
        return ArithmeticCommand(start, self.position, self.code, parts)

    def _function_keyword(self, start: int) -> Function:
        self.take_reserved("function")
        self.blanks()
        match = _FUNCTION_NAME.match(self.text, self.position, self.end)
        if match is None:
            raise RefusedError(self.position, self.unexpected())
        self.position = match.end()
        return self._function(start, match[0])

    def _function(self, start: int, name: str) -> Function:
        parentheses = _PARENTHESES.match(self.text, self.position, self.end)
        if parentheses:
            self.position = parentheses.end()
        self.newlines()
        self.enter(start)
        body = self._command()
        self.depth -= 1
        if isinstance(body, Simple):
            raise RefusedError(body.start, f"the function {name} has no body")
        return Function(start, body.end, name, body)

    def _redirected(self, command: Command) -> Command:
        redirects = []
        while True:
            self.blanks()
            redirect = self.redirect()
            if redirect is None:
                break
            redirects.append(redirect)
        return Redirected(command.start, self.position, command, redirects) if redirects else command
