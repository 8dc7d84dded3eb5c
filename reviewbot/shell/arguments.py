"""Reads simple commands: assignments, words and redirections."""

from __future__ import annotations

import re

from reviewbot.shell.syntax import Assignment, Element, Redirect, Simple, Word
from reviewbot.shell.tokens import TokenReader
from reviewbot.shell.words import RefusedError

_REDIRECT = re.compile(
    r"([0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})?(<<<|<<-|<<|<>|<&|<(?!\()|>>|>&|>\||>(?!\())|(&>>|&>)"
)
_ASSIGNMENT = re.compile(r"((?:\\\n)*[A-Za-z_](?:[A-Za-z0-9_]|\\\n)*)(\[|\+?=)")
_ARGUMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\s\[\]]*\])?\+?=")
_DECLARING = frozenset(("declare", "typeset", "local", "export", "readonly", "eval", "let", "alias"))
"""Commands whose arguments may be array assignments."""


class SimpleReader(TokenReader):
    """Reads simple commands."""

    def simple(self) -> Simple:
        """The simple command at the position."""
        start = self.position
        assignments: list[Assignment] = []
        words: list[Word | Assignment] = []
        redirects: list[Redirect] = []
        declaring = False
        last = start
        while True:
            self.blanks()
            redirect = self.redirect()
            if redirect is not None:
                redirects.append(redirect)
            elif not words and (assignment := self.assignment()) is not None:
                assignments.append(assignment)
            elif declaring and _ARGUMENT.match(self.text, self.position, self.end):
                assignment = self.assignment()
                if assignment is not None:
                    words.append(assignment)
            elif (word := self.word()) is not None:
                words.append(word)
                declaring = declaring or word.plain in _DECLARING
            else:
                break
            last = self.position
        if last == start:
            raise RefusedError(self.position, self.unexpected())
        if self.at("("):
            raise RefusedError(self.position, self.unexpected())
        stop = self.position
        self.position = last
        return Simple(start, last, self.code, assignments, words, redirects, stop)

    def assignment(self) -> Assignment | None:
        """The assignment at the position, or None where there is none."""
        match = _ASSIGNMENT.match(self.text, self.position, self.end)
        if match is None:
            return None
        start = self.position
        name = match[1].replace("\\\n", "")
        index = None
        append = match[2] == "+="
        if match[2] == "[":
            self.position = match.end() - 1
            index = self.subscript(start)
            append = self.at("+=")
            if not append and not self.at("="):
                self.position = start
                return None
            self.position += 2 if append else 1
        else:
            self.position = match.end()
        if self.at("("):
            elements = self._elements(start)
            value = Word(self.code, match.end(), self.position, [])
            return Assignment(start, self.position, name, index, append, value, elements)
        at = self.position
        value = self.word() or Word(self.code, at, at, [], "")
        return Assignment(start, self.position, name, index, append, value)

    def _elements(self, opened: int) -> list[Element]:
        self.position += 1
        elements: list[Element] = []
        while True:
            self.newlines()
            if self.accept(")"):
                return elements
            element = self._element()
            if element is None:
                if self.position >= self.end:
                    raise RefusedError(opened, "the parenthesis of an array is never closed")
                raise RefusedError(self.position, self.unexpected())
            elements.append(element)

    def _element(self) -> Element | None:
        start = self.position
        if self.at("["):
            index = self.subscript(start)
            append = self.at("+=")
            if append or self.at("="):
                self.position += 2 if append else 1
                at = self.position
                return Element(self.word() or Word(self.code, at, at, [], ""), index, append)
            self.position = start
        word = self.word()
        return None if word is None else Element(word)

    def redirect(self) -> Redirect | None:
        """The redirection at the position, or None where there is none."""
        match = _REDIRECT.match(self.text, self.position, self.end)
        if match is None:
            return None
        operator = match[2] or match[3]
        self.position = match.end()
        self.blanks()
        target = self.word()
        if target is None:
            raise RefusedError(self.position, self.unexpected())
        redirect = Redirect(operator, target, (match[1] or "").strip("{}"))
        if operator in ("<<", "<<-"):
            quoted = target.plain is None and any(char in target.source for char in "'\"\\")
            self.documents.append((redirect, _unquoted(target), quoted, operator == "<<-"))
        return redirect


def _unquoted(word: Word) -> str:
    """The delimiter of a here-document: its word without quotes."""
    if word.plain is not None:
        return word.plain
    return re.sub(r"\\(.)|['\"]", lambda match: match[1] or "", word.source)
