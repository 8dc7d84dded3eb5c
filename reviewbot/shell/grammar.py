"""Reads commands as bash's grammar has them: one complete command at a time, as bash itself does."""

from __future__ import annotations

import re

from reviewbot.shell.brackets import ConditionReader
from reviewbot.shell.code import Code
from reviewbot.shell.syntax import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Assignment,
    Case,
    Command,
    CommandList,
    Element,
    For,
    Function,
    Group,
    If,
    Literal,
    Loop,
    Part,
    Pipeline,
    Redirect,
    Redirected,
    Simple,
    Word,
)
from reviewbot.shell.words import RefusedError, WordReader

_BLANKS = re.compile(r"(?:[ \t]|\\\n)+")
_COMMENT = re.compile(r"#[^\n]*")
_CONTROL = re.compile(r"&&|\|\||\|&|;;&|;;|;&|[;&|()\n]")
_REDIRECT = re.compile(
    r"([0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})?(<<<|<<-|<<|<>|<&|<(?!\()|>>|>&|>\||>(?!\())|(&>>|&>)"
)
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[|\+?=)")
_ELEMENT = re.compile(r"\[")
_WORD_STOP = re.compile(r"[ \t\n;&|<>()]|$")
_FUNCTION = re.compile(r"[^\s;&|<>()$`'\"\\=]+(?=(?:[ \t]|\\\n)*\((?:[ \t]|\\\n)*\))")
_FUNCTION_NAME = re.compile(r"[^\s;&|<>()$`'\"\\]+")
_PARENTHESES = re.compile(r"(?:[ \t]|\\\n)*\((?:[ \t]|\\\n)*\)")
_RESERVED = frozenset(
    "if then elif else fi while until do done for case esac select function time { } ! [[ ]] in coproc".split()
)
_CLOSING = frozenset("then elif else fi do done esac }".split())
_DECLARING = frozenset("declare typeset local export readonly eval let alias".split())


class CommandReader(ConditionReader, WordReader):
    """Reads the commands of ``code``."""

    def __init__(self, code: Code, position: int = 0, end: int | None = None, depth: int = 0) -> None:
        super().__init__(code, position, end, depth)
        self.documents: list[tuple[Redirect, str, bool, bool]] = []

    def next(self) -> CommandList | None:
        """The commands of the next line (a line that runs on through compound commands counts as one).

        None at the end.  Raises :class:`RefusedError` where bash would refuse the text, :class:`TooDeepError`.
        """
        self._newlines()
        if self.position >= self.end:
            return None
        commands = self._list((), newlines=False)
        self._blanks()
        if self.position < self.end and self.text[self.position] != "\n":
            raise RefusedError(self.position, f"unexpected {self._token()!r}")
        self._newline()
        return commands

    # --- lists

    def commands_until_parenthesis(self, opened: int) -> CommandList:
        """See :class:`WordReader`."""
        documents, self.documents = self.documents, []
        commands = self._list((), newlines=True, may_be_empty=True)
        if not self._accept(")"):
            if self.position >= self.end:
                raise RefusedError(opened, "a parenthesis is never closed")
            raise RefusedError(self.position, f"unexpected {self._token()!r}")
        self.documents = documents
        return commands

    def _list(self, stop: tuple[str, ...], *, newlines: bool, may_be_empty: bool = False) -> CommandList:
        """Commands up to a word of ``stop``, an operator that ends a list or, without ``newlines``, a line's end."""
        if newlines:
            self._newlines()
        start = self.position
        commands: list[Command] = []
        background: list[bool] = []
        while not self._at_list_end(stop):
            commands.append(self._and_or())
            background.append(False)
            self._blanks()
            if self._accept_operator("&"):
                background[-1] = True
            elif not self._accept_operator(";") and not self._at("\n"):
                break
            if newlines:
                self._newlines()
            else:
                self._blanks()
                if self._at("\n"):
                    break
        if not commands and not may_be_empty:
            raise RefusedError(self.position, self._unexpected())
        return CommandList(start, commands[-1].end if commands else start, commands, background)

    def _at_list_end(self, stop: tuple[str, ...]) -> bool:
        self._blanks()
        if self.position >= self.end:
            return True
        char = self.text[self.position]
        if char == ")" or (char == ";" and self.text[self.position + 1 : self.position + 2] in (";", "&")):
            return True
        return bool(stop) and self._reserved() in stop

    def _and_or(self) -> Command:
        first = self._pipeline()
        rest: list[tuple[str, Command]] = []
        while True:
            self._blanks()
            operator = "&&" if self._accept("&&") else "||" if self._accept("||") else ""
            if not operator:
                break
            self._newlines()
            rest.append((operator, self._pipeline()))
        return AndOr(first.start, rest[-1][1].end, first, rest) if rest else first

    def _pipeline(self) -> Command:
        self._blanks()
        start = self.position
        negated = timed = False
        while self._reserved() in ("!", "time"):
            if self._take_reserved("!"):
                negated = not negated
            else:
                self._take_reserved("time")
                timed = True
                self._blanks()
                for option in ("-p", "--"):
                    if re.compile(re.escape(option) + r"(?=[ \t\n;&|]|$)").match(
                        self.text, self.position, self.end
                    ):
                        self.position += len(option)
                        self._blanks()
            self._blanks()
        if (negated or timed) and self._at_end_of_command():
            return Pipeline(start, self.position, [], negated, timed)
        commands = [self._command()]
        while True:
            self._blanks()
            if self._accept("|&") or (not self._at("||") and self._accept("|")):
                self._newlines()
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
        self._blanks()
        start = self.position
        if self._at("(("):
            command = self._arithmetic_command()
            if command is not None:
                return self._redirected(command)
        if self._at("("):
            return self._redirected(self._group(start, subshell=True))
        function = _FUNCTION.match(self.text, start, self.end)
        if function and function[0] not in _RESERVED:
            self.position = function.end()
            return self._function(start, function[0])
        reserved = self._reserved()
        if reserved is None:
            return self._simple()
        if reserved in _CLOSING or reserved in ("in", "]]", "!", "time"):
            if reserved in ("in", "]]", "!", "time"):
                return self._simple()
            raise RefusedError(start, f"unexpected {reserved!r}")
        self._enter(start)
        command = self._compound(start, reserved)
        self.depth -= 1
        return command

    def _compound(self, start: int, reserved: str) -> Command:
        if reserved == "function":
            return self._function_keyword(start)
        if reserved == "coproc":
            self._take_reserved("coproc")
            return self._command()
        readers = {
            "if": self._if, "while": self._loop, "until": self._loop, "for": self._for, "select": self._for,
            "case": self._case, "{": self._brace_group, "[[": self.condition,
        }  # fmt: skip
        return self._redirected(readers[reserved](start))

    def _if(self, start: int) -> If:
        self._take_reserved("if")
        arms = []
        otherwise = None
        while True:
            condition = self._list(("then",), newlines=True)
            self._expect("then", start)
            body = self._list(("elif", "else", "fi"), newlines=True)
            arms.append((condition, body))
            if not self._take_reserved("elif"):
                break
        if self._take_reserved("else"):
            otherwise = self._list(("fi",), newlines=True)
        self._expect("fi", start)
        return If(start, self.position, arms, otherwise)

    def _loop(self, start: int) -> Loop:
        until = self._take_reserved("until")
        if not until:
            self._take_reserved("while")
        condition = self._list(("do",), newlines=True)
        body = self._body(start)
        return Loop(start, self.position, condition, body, until)

    def _body(self, start: int) -> CommandList:
        """``do …; done``"""
        self._expect("do", start)
        body = self._list(("done",), newlines=True)
        self._expect("done", start)
        return body

    def _for(self, start: int) -> For | ArithmeticFor:
        select = self._take_reserved("select")
        if not select:
            self._take_reserved("for")
            self._blanks()
            if self._at("(("):
                return self._arithmetic_for(start)
        self._blanks()
        name = self.word()
        if name is None:
            raise RefusedError(self.position, self._unexpected())
        words: list[Word] | None = None
        self._newlines()
        if self._take_reserved("in"):
            words = []
            self._blanks()
            while (word := self.word()) is not None:
                words.append(word)
                self._blanks()
            if not self._accept_operator(";") and not self._at("\n"):
                raise RefusedError(self.position, self._unexpected())
        else:
            self._blanks()
            self._accept_operator(";")
        self._newlines()
        body = self._loop_body(start)
        return For(start, self.position, self.code, name.source, words, body, select)

    def _loop_body(self, start: int) -> CommandList:
        if self._reserved() == "{":
            return self._brace_group(self.position).body
        return self._body(start)

    def _arithmetic_for(self, start: int) -> ArithmeticFor:
        inner = self.position + 2
        close = self._arithmetic_end(inner)
        if close is None:
            raise RefusedError(start, "the parentheses of for (( are never closed")
        clauses = self._clauses(inner, close)
        if len(clauses) != 3:
            raise RefusedError(start, "for (( needs three expressions")
        self.position = close + 2
        self._blanks()
        self._accept_operator(";")
        self._newlines()
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
        return [self.arithmetic_parts(a + 1, b) for a, b in zip(bounds, bounds[1:], strict=False)]

    def _case(self, start: int) -> Case:
        self._take_reserved("case")
        self._blanks()
        subject = self.word()
        if subject is None:
            raise RefusedError(self.position, self._unexpected())
        self._newlines()
        self._expect("in", start)
        arms = []
        self._newlines()
        while not self._take_reserved("esac"):
            if self.position >= self.end:
                raise RefusedError(start, "the case is never closed by esac")
            patterns = self._patterns()
            body = self._list(("esac",), newlines=True, may_be_empty=True)
            self._newlines()
            terminator = next((t for t in (";;&", ";;", ";&") if self._accept(t)), "")
            arms.append((patterns, body, terminator))
            self._newlines()
            if not terminator and self._reserved() != "esac":
                raise RefusedError(self.position, self._unexpected())
        return Case(start, self.position, self.code, subject, arms)

    def _patterns(self) -> list[Word]:
        self._accept("(")
        patterns = []
        while True:
            self._blanks()
            pattern = self.word()
            if pattern is None:
                raise RefusedError(self.position, self._unexpected())
            patterns.append(pattern)
            self._blanks()
            if self._accept(")"):
                return patterns
            if not self._accept("|"):
                raise RefusedError(self.position, self._unexpected())

    def _brace_group(self, start: int) -> Group:
        self._take_reserved("{")
        body = self._list(("}",), newlines=True)
        self._expect("}", start)
        return Group(start, self.position, body, subshell=False)

    def _group(self, start: int, *, subshell: bool) -> Group:
        self._enter(start)
        self.position += 1
        body = self._list((), newlines=True)
        if not self._accept(")"):
            if self.position >= self.end:
                raise RefusedError(start, "a parenthesis is never closed")
            raise RefusedError(self.position, self._unexpected())
        self.depth -= 1
        return Group(start, self.position, body, subshell)

    def _arithmetic_command(self) -> ArithmeticCommand | None:
        start = self.position
        close = self._arithmetic_end(start + 2)
        if close is None:
            return None
        parts = self.arithmetic_parts(start + 2, close)
        self.position = close + 2
        return ArithmeticCommand(start, self.position, self.code, parts)

    def _function_keyword(self, start: int) -> Function:
        self._take_reserved("function")
        self._blanks()
        match = _FUNCTION_NAME.match(self.text, self.position, self.end)
        if match is None:
            raise RefusedError(self.position, self._unexpected())
        self.position = match.end()
        return self._function(start, match[0])

    def _function(self, start: int, name: str) -> Function:
        parentheses = _PARENTHESES.match(self.text, self.position, self.end)
        if parentheses:
            self.position = parentheses.end()
        self._newlines()
        self._enter(start)
        body = self._command()
        self.depth -= 1
        if isinstance(body, Simple):
            raise RefusedError(body.start, f"the function {name} has no body")
        return Function(start, body.end, name, body)

    def _redirected(self, command: Command) -> Command:
        redirects = []
        while True:
            self._blanks()
            redirect = self._redirect()
            if redirect is None:
                break
            redirects.append(redirect)
        return Redirected(command.start, self.position, command, redirects) if redirects else command

    # --- simple commands

    def _simple(self) -> Simple:
        start = self.position
        assignments: list[Assignment] = []
        words: list[Word | Assignment] = []
        redirects: list[Redirect] = []
        declaring = False
        last = start
        while True:
            self._blanks()
            redirect = self._redirect()
            if redirect is not None:
                redirects.append(redirect)
            elif not words and (assignment := self.assignment()) is not None:
                assignments.append(assignment)
            elif declaring and (assignment := self.assignment()) is not None:
                words.append(assignment)
            elif (word := self.word()) is not None:
                words.append(word)
                declaring = declaring or word.plain in _DECLARING
            else:
                break
            last = self.position
        if last == start:
            raise RefusedError(self.position, self._unexpected())
        if self._at("("):
            raise RefusedError(self.position, self._unexpected())
        stop = self.position
        self.position = last
        return Simple(start, last, self.code, assignments, words, redirects, stop)

    def assignment(self) -> Assignment | None:
        """The assignment at the position, or None where there is none."""
        match = _ASSIGNMENT.match(self.text, self.position, self.end)
        if match is None:
            return None
        start = self.position
        index = None
        append = match[2] == "+="
        if match[2] == "[":
            self.position = match.end() - 1
            try:
                index = self.subscript(start)
            except RefusedError:
                self.position = start
                return None
            append = self._at("+=")
            if not append and not self._at("="):
                self.position = start
                return None
            self.position += 2 if append else 1
        else:
            self.position = match.end()
        if self._at("(") and index is None:
            elements = self._elements(start)
            value = Word(self.code, match.end(), self.position, [])
            return Assignment(start, self.position, match[1], index, append, value, elements)
        at = self.position
        value = self.word() or Word(self.code, at, at, [], "")
        return Assignment(start, self.position, match[1], index, append, value)

    def _elements(self, opened: int) -> list[Element]:
        self.position += 1
        elements = []
        while True:
            self._newlines()
            if self._accept(")"):
                return elements
            element = self._element()
            if element is None:
                if self.position >= self.end:
                    raise RefusedError(opened, "the parenthesis of an array is never closed")
                raise RefusedError(self.position, self._unexpected())
            elements.append(element)

    def _element(self) -> Element | None:
        start = self.position
        if self._at("["):
            try:
                index = self.subscript(start)
            except RefusedError:
                index = []
            append = self._at("+=")
            if append or self._at("="):
                self.position += 2 if append else 1
                at = self.position
                return Element(self.word() or Word(self.code, at, at, [], ""), index, append)
            self.position = start
        word = self.word()
        return None if word is None else Element(word)

    def _redirect(self) -> Redirect | None:
        match = _REDIRECT.match(self.text, self.position, self.end)
        if match is None:
            return None
        operator = match[2] or match[3]
        self.position = match.end()
        self._blanks()
        target = self.word()
        if target is None:
            raise RefusedError(self.position, self._unexpected())
        redirect = Redirect(operator, target, (match[1] or "").strip("{}"))
        if operator in ("<<", "<<-"):
            quoted = target.plain is None and any(char in target.source for char in "'\"\\")
            self.documents.append((redirect, _unquoted(target), quoted, operator == "<<-"))
        return redirect

    # --- tokens

    def _blanks(self) -> None:
        """Skips blanks, continuations and a comment."""
        match = _BLANKS.match(self.text, self.position, self.end)
        if match:
            self.position = match.end()
        if self.position < self.end and self.text[self.position] == "#" and self._comment_may_start():
            comment = _COMMENT.match(self.text, self.position, self.end)
            if comment:
                self.position = comment.end()

    def _comment_may_start(self) -> bool:
        return self.position == 0 or self.text[self.position - 1] in " \t\n;&|()<>`"

    def _newlines(self) -> None:
        """Skips newlines too; here-documents begin behind them."""
        while True:
            self._blanks()
            if self.position >= self.end or self.text[self.position] != "\n":
                return
            self._newline()

    def _newline(self) -> None:
        if self.position < self.end:
            self.position += 1
        pending, self.documents = self.documents, []
        for redirect, delimiter, quoted, tabs in pending:
            redirect.body = self._document(delimiter, quoted, tabs)

    def _document(self, delimiter: str, quoted: bool, tabs: bool) -> Word:
        """The body of a here-document that starts at the position."""
        start = self.position
        line = start
        while line < self.end:
            newline = self.text.find("\n", line, self.end)
            stop = self.end if newline < 0 else newline
            content = self.text[line:stop]
            if (content.lstrip("\t") if tabs else content) == delimiter:
                self.position = min(stop + 1, self.end)
                break
            line = stop + 1
        else:
            self.position = line = self.end
        if quoted:
            parts: list[Part] = [Literal(start, line, self.text[start:line], quoted=True)]
        else:
            parts = CommandReader(self.code, start, line, self.depth).document()
        return Word(self.code, start, line, parts)

    def _at(self, token: str) -> bool:
        return self.position + len(token) <= self.end and self.text.startswith(token, self.position)

    def _accept(self, token: str) -> bool:
        if self._at(token):
            self.position += len(token)
            return True
        return False

    def _accept_operator(self, token: str) -> bool:
        """Accepts ``;`` or ``&`` unless it begins a longer operator."""
        match = _CONTROL.match(self.text, self.position, self.end)
        return match is not None and match[0] == token and self._accept(token)

    def _reserved(self) -> str | None:
        """The reserved word at the position."""
        self._blanks()
        stop = _WORD_STOP.search(self.text, self.position, min(self.end, self.position + 9))
        word = self.text[self.position : stop.start() if stop else self.end]
        return word if word in _RESERVED else None

    def _take_reserved(self, word: str) -> bool:
        if self._reserved() == word:
            self.position += len(word)
            return True
        return False

    def _expect(self, word: str, opened: int) -> None:
        self._newlines()
        if not self._take_reserved(word):
            if self.position >= self.end:
                raise RefusedError(
                    opened, f"{_first_word(self.text, opened)!r} is never closed: {word!r} is missing"
                )
            raise RefusedError(self.position, f"unexpected {self._token()!r} where {word!r} is needed")

    def _token(self) -> str:
        match = _CONTROL.match(self.text, self.position, self.end)
        if match:
            return match[0].replace("\n", "newline")
        return _first_word(self.text, self.position)

    def _unexpected(self) -> str:
        return "unexpected end of file" if self.position >= self.end else f"unexpected {self._token()!r}"


def _first_word(text: str, start: int) -> str:
    stop = _WORD_STOP.search(text, start + 1, start + 40)
    return text[start : stop.start() if stop else start + 40]


def _unquoted(word: Word) -> str:
    """The delimiter of a here-document: its word without quotes."""
    if word.plain is not None:
        return word.plain
    return re.sub(r"\\(.)|['\"]", lambda match: match[1] or "", word.source)
