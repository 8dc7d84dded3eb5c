"""Follows a script along one path, as bash would run it, without running anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from reviewbot.shell import builtins, conditions
from reviewbot.shell.code import Code
from reviewbot.shell.expansion import rendered
from reviewbot.shell.external import ExternalCommands
from reviewbot.shell.grammar import CommandReader
from reviewbot.shell.model import Decision, Known, Origin
from reviewbot.shell.patterns import Unmatchable, matches
from reviewbot.shell.prepared import Prepared
from reviewbot.shell.state import (
    SUCCESS,
    Alternative,
    Assumption,
    Exhausted,
    Leave,
    Outcome,
    Path,
    Return,
    Shell,
    Stdin,
    Stop,
)
from reviewbot.shell.syntax import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Assignment,
    Case,
    Command,
    CommandList,
    CommandSubstitution,
    Condition,
    For,
    Function,
    Group,
    If,
    Loop,
    Pipeline,
    Redirect,
    Redirected,
    Simple,
    Test,
    Word,
)
from reviewbot.shell.values import Field, Run, Value, cut, env_of, fed, known_of, text_of, unknown, weaker
from reviewbot.shell.variables import Index, Variable
from reviewbot.shell.words import Refused, TooDeep

MAX_ROUNDS = 2000
"""How often one loop goes round before the rest of its rounds is left out."""
MAX_CALLS = 25
"""How deep functions, sourced files and ``eval`` nest."""


class Interpreter(ExternalCommands):
    """A shell on a path.  Subshells are made by swapping :attr:`shell` for a copy."""

    def __init__(self, shell: Shell, path: Path) -> None:
        self.shell = shell
        self.path = path
        self.out: list[Run] | None = None
        """What is written to standard output, where something reads it."""
        self.stdin = Stdin(None)
        self.tested = 0
        """How many conditions are being evaluated: ``set -e`` does not count within."""
        self.substituted: Outcome | None = None
        """The outcome of the last command substitution of a simple command."""

    # --- code

    def run_code(self, code: Code) -> None:
        """Runs a whole script, line by line.  Raises :class:`Stop`, :class:`Return`, :class:`Leave`."""
        for commands in self.path.files.commands(code):
            self.run_list(commands)

    def run_list(self, commands: CommandList) -> Outcome:
        """Runs commands one after the other."""
        outcome = SUCCESS
        for command, background in zip(commands.commands, commands.background, strict=True):
            if background:
                with self.subshell():
                    self.run(command)
                outcome = self.shell.status = SUCCESS
            else:
                outcome = self.run(command)
        return outcome

    def run(self, command: Command) -> Outcome:
        """Runs one command and keeps its outcome as ``$?``."""
        self.spend(1)
        outcome: Outcome = _RUNNERS[type(command)](self, command)
        self.shell.status = outcome
        return outcome

    @contextmanager
    def subshell(self) -> Iterator[None]:
        """A shell whose changes are lost at the end; ``exit`` only leaves it."""
        shell, stdin = self.shell, self.stdin
        self.shell = replace(
            shell,
            variables=shell.variables.copy(),
            functions=dict(shell.functions),
            positional=list(shell.positional),
            options=set(shell.options),
        )
        self.spend(2)
        try:
            yield
        except Stop as stop:
            shell.status = stop.outcome
        except (Return, Leave):
            shell.status = self.shell.status
        else:
            shell.status = self.shell.status
        finally:
            self.shell, self.stdin = shell, stdin

    # --- decisions

    def settle(self, outcome: Outcome, *, avoid: bool | None = None) -> bool:
        """Whether a condition holds on this path.  ``avoid`` is the truth that would end the script."""
        if outcome.value is not None and outcome.known is Known.YES:
            return outcome.value
        code, start, end = outcome.place or (self.path.code, 0, 0)
        key = (code.path, start, end, outcome.rendered)
        settled = self.path.settled.get(key)
        if settled is not None:
            return bool(settled)
        default = outcome.guess if outcome.value is None else outcome.value
        guessed = outcome.value is None
        if outcome.known is not Known.CHOICE and default is avoid:
            default, guessed = not default, True
        forced = self.path.course.forced.get(key)
        if forced is not None:
            default, guessed = bool(forced), False
        elif outcome.known is not Known.CHOICE:
            assumptions = outcome.when_false if default else outcome.when_true
            other = self._decision(code, start, end, str(not default).lower(), True, False)
            self.path.alternatives.append(Alternative(key, int(not default), assumptions, other))
        self.path.settled[key] = int(default)
        self.path.guesses += guessed
        self._decide(
            code,
            start,
            end,
            str(default).lower(),
            forced is not None or outcome.known is Known.CHOICE,
            guessed,
        )
        return default

    def _decide(self, code: Code, start: int, end: int, taken: str, assumed: bool, guessed: bool) -> None:
        decision = self._decision(code, start, end, taken, assumed, guessed)
        if not any(
            decision.span == other.span and taken == other.taken for other in self.path.course.decisions
        ):
            self.path.decisions.append(decision)

    def _decision(
        self, code: Code, start: int, end: int, taken: str, assumed: bool, guessed: bool
    ) -> Decision:
        span = code.span(start, end) or self.path.fallback
        return Decision(code.text[start:end] or "(a condition)", taken, span, assumed, guessed)

    # --- compound commands

    def run_and_or(self, command: AndOr) -> Outcome:
        """``first && second || third``"""
        outcome = self._condition(command.first) if command.rest else self.run(command.first)
        for index, (operator, following) in enumerate(command.rest):
            avoid = (operator == "&&") if _ends(following) else None
            if outcome.value is None or outcome.known is not Known.YES:
                outcome = replace(_placed(outcome, self.path.code, command), place=outcome.place)
            if outcome.value is None and _breaks(following):
                outcome = replace(outcome, guess=operator == "&&")
            truth = self.settle(outcome, avoid=avoid)
            outcome = replace(
                outcome,
                value=truth,
                known=Known.YES,
                code=int(not truth) if outcome.code is None else outcome.code,
            )
            if truth == (operator == "&&"):
                last = index == len(command.rest) - 1
                outcome = self.run(following) if last else self._condition(following)
            elif index == len(command.rest) - 1 and not truth:
                outcome = replace(outcome, guess=False)
        return outcome

    def _condition(self, command: Command) -> Outcome:
        self.tested += 1
        try:
            return self.run(command)
        finally:
            self.tested -= 1

    def run_pipeline(self, command: Pipeline) -> Outcome:
        """``! a | b``"""
        outcome = SUCCESS
        if len(command.commands) == 1:
            outcome = (
                self._condition(command.commands[0]) if command.negated else self.run(command.commands[0])
            )
        elif command.commands:
            outcome = self._piped(command.commands)
        return outcome.negated() if command.negated else outcome

    def _piped(self, commands: Sequence[Command]) -> Outcome:
        out, stdin = self.out, self.stdin
        try:
            for index, command in enumerate(commands):
                last = index == len(commands) - 1
                self.out = out if last else []
                with self.subshell():
                    self.run(command)
                written = self.out
                self.stdin = Stdin(_stdin(written) if written is not None else None)
        finally:
            self.out, self.stdin = out, stdin
        return self.shell.status

    def run_if(self, command: If) -> Outcome:
        """``if``"""
        for index, (condition, body) in enumerate(command.arms):
            self.tested += 1
            try:
                outcome = self.run_list(condition)
            finally:
                self.tested -= 1
            following = command.arms[index + 1][1] if index + 1 < len(command.arms) else command.otherwise
            avoid = True if _ends(body) else False if following is not None and _ends(following) else None
            if outcome.value is None and _breaks(body):
                outcome = replace(outcome, guess=True)
            if self.settle(outcome, avoid=avoid):
                return self.run_list(body)
        return SUCCESS if command.otherwise is None else self.run_list(command.otherwise)

    def run_loop(self, command: Loop) -> Outcome:
        """``while`` and ``until``"""
        for _ in range(MAX_ROUNDS):
            self.tested += 1
            try:
                outcome = self.run_list(command.condition)
            finally:
                self.tested -= 1
            outcome = outcome.negated() if command.until else outcome
            certain = outcome.value is not None and outcome.known is not Known.NO
            if not certain:
                reads = isinstance(command.condition.commands[-1], Simple) and _reads(
                    command.condition.commands[-1]
                )
                outcome = replace(outcome, guess=reads)
            if not self.settle(outcome):
                break
            if self._leaves(command.body) or not certain:
                break
        else:
            self.path.gap("a loop goes round too often")
        return SUCCESS

    def _leaves(self, body: CommandList) -> bool:
        """Runs the body of a loop once; whether the loop ends by that."""
        try:
            self.run_list(body)
        except Leave as leave:
            if leave.levels > 1:
                raise Leave(leave.levels - 1, again=leave.again) from None
            return not leave.again
        return False

    def run_for(self, command: For) -> Outcome:
        """``for name in words`` and ``select``"""
        span = command.code.span(command.start, _header_end(command))
        origin = None if span is None else Origin(command.name, span)
        if command.words is None:
            values = [value for _, value in self.read_all("@")]
        else:
            values = [field.runs for field in self.fields(command.words)]
        for count, value in enumerate(values):
            if count >= MAX_ROUNDS:
                self.path.gap("a loop goes round too often")
                break
            if any(run.many for run in value) and not self._goes_round(command, value):
                continue
            value = tuple(run._replace(many=False) for run in value)
            self.assign(command.name, value, origin)
            if self._leaves(command.body):
                break
        return SUCCESS

    def _goes_round(self, command: For, value: Value) -> bool:
        """Whether a loop runs for words of which not even the number is known."""
        place = (command.code, command.start, _header_end(command))
        shown = rendered(value)
        if any(run.env == "@" for run in value):
            return self.settle(Outcome(False, Known.DEFAULT, 1, place, shown))
        return self.settle(Outcome(None, Known.NO, None, place, shown, guess=True))

    def run_arithmetic_for(self, command: ArithmeticFor) -> Outcome:
        """``for ((a; b; c))``"""
        word = Word(command.code, command.start, command.start, [])
        first, condition, step = command.clauses
        self.arithmetic(word, first, why="((…))")
        for _ in range(MAX_ROUNDS):
            if condition:
                value = self.arithmetic(word, condition, why="((…))")
                if value.text == "0":
                    break
                if value.text is None:
                    self._leaves(command.body)
                    break
            if self._leaves(command.body):
                break
            self.arithmetic(word, step, why="((…))")
        else:
            self.path.gap("a loop goes round too often")
        return SUCCESS

    def run_case(self, command: Case) -> Outcome:
        """``case``"""
        subject = conditions.with_defaults(self.value(command.subject), strict="u" in self.shell.options)
        arm = self._arm(command, subject)
        outcome = SUCCESS
        while arm is not None and arm < len(command.arms):
            _, body, terminator = command.arms[arm]
            outcome = self.run_list(body) if body.commands else SUCCESS
            if terminator == ";&":
                arm += 1
            elif terminator == ";;&":
                arm = next(
                    (i for i in range(arm + 1, len(command.arms)) if self._matches(command, i, subject)), None
                )
            else:
                break
        return outcome

    def _arm(self, command: Case, subject: Value) -> int | None:
        """The arm that is taken."""
        verdicts = [self._matches(command, index, subject) for index in range(len(command.arms))]
        known = known_of(subject) if subject else Known.YES
        default = next((index for index, verdict in enumerate(verdicts) if verdict), None)
        sure = default is None or None not in verdicts[: default + 1]
        if known is Known.YES and sure:
            return default
        key = (command.code.path, command.start, command.end, rendered(subject))
        settled = self.path.settled.get(key)
        if settled is not None:
            return settled if settled < len(command.arms) else None
        guessed = text_of(subject) is None
        chosen = len(command.arms) if default is None else default
        if known is not Known.CHOICE and (guessed or self._arm_ends(command, chosen)):
            better = next((i for i in range(len(command.arms)) if not self._arm_ends(command, i)), None)
            if better is not None and (guessed or self._arm_ends(command, chosen)):
                chosen, guessed = better, True
        forced = self.path.course.forced.get(key)
        if forced is not None:
            chosen, guessed = forced, False
        elif known is not Known.CHOICE:
            self._other_arms(command, subject, key, chosen)
        self.path.settled[key] = chosen
        self.path.guesses += guessed
        subject_word = command.subject
        taken = "no arm" if chosen >= len(command.arms) else _patterns_text(command.arms[chosen][0])
        assumed = forced is not None or known is Known.CHOICE
        self._decide(command.code, subject_word.start, subject_word.end, taken, assumed, guessed)
        return chosen if chosen < len(command.arms) else None

    def _other_arms(self, command: Case, subject: Value, key: tuple[str, int, int, str], chosen: int) -> None:
        env = env_of(subject) if subject else ""
        assumed = env in self.path.course.assumptions
        literals = frozenset(
            pattern.plain
            for patterns, _, _ in command.arms
            for pattern in patterns
            if _is_literal(pattern) and pattern.plain
        )
        for index, (patterns, _, _) in enumerate(command.arms):
            if index == chosen:
                continue
            assumptions: tuple[Assumption, ...] = ()
            if env and not assumed:
                if _is_literal(patterns[0]):
                    assumptions = (Assumption(env, patterns[0].plain),)
                elif patterns[0].plain == "*":
                    assumptions = (Assumption(env, None, literals),)
            where = command.subject
            taken = _patterns_text(patterns)
            other = self._decision(command.code, where.start, where.end, taken, True, False)
            self.path.alternatives.append(Alternative(key, index, assumptions, other))

    def _arm_ends(self, command: Case, index: int) -> bool:
        return index < len(command.arms) and _ends(command.arms[index][1])

    def _matches(self, command: Case, index: int, subject: Value) -> bool | None:
        text = text_of(subject)
        unknown_pattern = False
        for pattern in command.arms[index][0]:
            if pattern.plain == "*":
                return True
            fragments = self.fragments(pattern, pattern.parts)
            if fragments is None or text is None:
                if fragments is not None and text is None and self._excludes(subject, fragments):
                    continue
                unknown_pattern = True
                continue
            try:
                if matches(fragments, text):
                    return None if unknown_pattern else True
            except Unmatchable:
                unknown_pattern = True
        return None if unknown_pattern else False

    def _excludes(self, subject: Value, fragments: Sequence[tuple[str, bool]]) -> bool:
        assumption = self.path.course.assumptions.get(env_of(subject))
        return assumption is not None and "".join(text for text, _ in fragments) in assumption.excluded

    def run_group(self, command: Group) -> Outcome:
        """``{ … }`` and ``( … )``"""
        if not command.subshell:
            return self.run_list(command.body)
        with self.subshell():
            self.run_list(command.body)
        return self.shell.status

    def run_arithmetic(self, command: ArithmeticCommand) -> Outcome:
        """``(( … ))``"""
        word = Word(command.code, command.start, command.end, [])
        run = self.arithmetic(word, command.parts, why=command.code.text[command.start : command.end])
        place = (command.code, command.start, command.end)
        if run.text is None:
            return Outcome(None, Known.NO, place=place, rendered=run.why, guess=False)
        truth = run.text != "0"
        shown = command.code.text[command.start : command.end]
        return Outcome(truth, known_of((run,)), int(not truth), place, shown)

    def run_function(self, command: Function) -> Outcome:
        """A definition."""
        self.shell.functions[command.name] = command.body
        return SUCCESS

    def run_condition(self, command: Condition) -> Outcome:
        """``[[ … ]]``"""
        outcome = self._test(command.test)
        return replace(outcome, place=(command.code, command.start, command.end))

    def _test(self, test: Test) -> Outcome:
        if test.operator in ("&&", "||"):
            result: Outcome | None = None
            for operand in test.operands:
                assert isinstance(operand, Test)
                if (
                    result is not None
                    and result.known is Known.YES
                    and result.value is (test.operator == "||")
                ):
                    break
                following = self._test(operand)
                join = conditions.conjunction if test.operator == "&&" else conditions.disjunction
                result = following if result is None else join(result, following)
            return result or SUCCESS
        if test.operator == "!":
            inner = test.operands[0]
            assert isinstance(inner, Test)
            return self._test(inner).negated()
        return conditions.evaluate_test(self, test)

    def run_redirected(self, command: Redirected) -> Outcome:
        """A compound command with redirections."""
        with self.redirected(command.redirects):
            return self.run(command.command)

    @contextmanager
    def redirected(self, redirects: Sequence[Redirect]) -> Iterator[None]:
        """Standard input and output as redirections make them."""
        if not redirects:
            yield
            return
        out, stdin = self.out, self.stdin
        for redirect in redirects:
            self._redirect(redirect)
        try:
            yield
        finally:
            self.out, self.stdin = out, stdin

    def _redirect(self, redirect: Redirect) -> None:
        operator = redirect.operator
        if operator in ("<<", "<<-"):
            body = redirect.body
            self.stdin = Stdin(() if body is None else self.parts_value(body, body.parts, quoted=True))
        elif operator == "<<<":
            self.stdin = Stdin((*self.value(redirect.target), Run("\n")))
        elif operator.startswith("<") and redirect.descriptor in ("", "0"):
            self.stdin = self._read_from(redirect)
        elif redirect.descriptor in ("", "1") and operator.startswith((">", "&>")):
            self.value(redirect.target)
            if not (operator == ">&" and redirect.target.plain == "1"):
                self.out = None
        elif redirect.descriptor == "2" and operator == ">&":
            return

    def _read_from(self, redirect: Redirect) -> Stdin:
        parts = redirect.target.parts
        if len(parts) == 1 and isinstance(parts[0], CommandSubstitution) and parts[0].process == "<":
            return Stdin(_stdin(self._written_by(parts[0])))
        self.value(redirect.target)
        return Stdin(None)

    # --- substitutions

    def substitution(self, word: Word, part: CommandSubstitution) -> Value:
        """See :class:`ParameterExpander`."""
        why = word.code.text[part.start : part.end]
        if part.process:
            self._written_by(part)
            return (unknown(why),)
        guesses = self.path.guesses
        written = self._written_by(part)
        self.substituted = self.shell.status
        if any(run.text is None for run in written):
            place = written[0].place if sum(1 for run in written if run.text != "\n") == 1 else None
            return (unknown(why, place=place),)
        runs = _without_newlines(written)
        if self.path.guesses > guesses:
            runs = tuple(run._replace(known=weaker(run.known, Known.CHOICE)) for run in runs)
        return runs

    def _written_by(self, part: CommandSubstitution) -> list[Run]:
        out, tested = self.out, self.tested
        self.out = written = []
        self.path.enter(MAX_CALLS)
        try:
            with self.subshell():
                if part.body is not None:
                    self.run_list(part.body)
                else:
                    self.run_code(part.code)
        finally:
            self.path.depth -= 1
            self.out, self.tested = out, tested
        return written

    def write(self, runs: Sequence[Run]) -> None:
        """Writes to standard output."""
        if self.out is not None:
            self.out.extend(runs)
            self.path.budget.write(sum(len(run.text or "") for run in runs))

    def matched(self, groups: Sequence[str | None], subject: Value) -> None:
        """Sets BASH_REMATCH after ``=~``."""
        known = known_of(subject)
        elements: dict[Index, Value] = {
            index: (Run(group or "", known),) for index, group in enumerate(groups)
        }
        self.shell.variables.put("BASH_REMATCH", Variable(elements=elements))

    # --- simple commands

    def run_simple(self, command: Simple) -> Outcome:
        """Assignments, a builtin, a function or another program."""
        self.substituted = None
        fields = self._fields(command)
        if not fields:
            with self.redirected(command.redirects):
                for assignment in command.assignments:
                    self.run_assignment(assignment)
            outcome = self.substituted or SUCCESS
            return self._checked(command, outcome)
        with self.redirected(command.redirects):
            outcome = self._dispatch(command, fields)
        if outcome.place is None:
            outcome = _placed(outcome, command.code, command)
        return self._checked(command, outcome)

    def _fields(self, command: Simple) -> list[Field]:
        words = command.words
        fields: list[Field] = []
        plain: list[Word] = []
        for word in words:
            if isinstance(word, Assignment):
                fields.extend(self.fields(plain))
                plain = []
                text = word.value.code.text[word.start : word.end]
                placeholder = Word(word.value.code, word.start, word.end, [], text)
                fields.append(Field((Run(text, word=placeholder, start=word.start),), placeholder))
            else:
                plain.append(word)
        fields.extend(self.fields(plain))
        return fields

    def _checked(self, command: Simple, outcome: Outcome) -> Outcome:
        """Ends the script where ``set -e`` certainly does."""
        failed = outcome.value is False and outcome.known is Known.YES
        if failed and "e" in self.shell.options and not self.tested:
            raise Stop(outcome)
        return outcome

    def _dispatch(self, command: Simple, fields: list[Field]) -> Outcome:
        name = fields[0].text
        if name is not None and name in self.shell.functions:
            return self.call(name, fields[1:], command)
        builtin = builtins.BUILTINS.get(name) if name is not None else None
        if builtin is not None:
            with self._prefixed(command.assignments):
                return builtin(self, fields, command)
        return self.external(command, fields)

    @contextmanager
    def _prefixed(self, assignments: Sequence[Assignment]) -> Iterator[None]:
        """Assignments in front of a builtin or function hold while it runs."""
        if not assignments:
            yield
            return
        variables = self.shell.variables
        before = {a.name: variables.get(a.name) for a in assignments}
        for assignment in assignments:
            self.run_assignment(assignment)
            variables.change(assignment.name, exported=True)
        try:
            yield
        finally:
            for name, variable in before.items():
                if variable is None:
                    variables.forget(name)
                else:
                    variables.put(name, variable)

    def call(self, name: str, arguments: Sequence[Field], command: Simple) -> Outcome:
        """Calls a function."""
        shell = self.shell
        self.path.enter(MAX_CALLS)
        positional, open_arguments = shell.positional, shell.open_arguments
        shell.positional = [field.runs for field in arguments]
        shell.open_arguments = False
        shell.variables.scopes.append({})
        shell.local_depth += 1
        try:
            with self._prefixed(command.assignments):
                return self.run(shell.functions[name])
        except Return:
            return self.shell.status
        finally:
            self.path.depth -= 1
            shell.local_depth -= 1
            shell.variables.scopes.pop()
            shell.positional, shell.open_arguments = positional, open_arguments

    def run_assignment(self, assignment: Assignment) -> None:
        """Makes one assignment."""
        self.store(self.prepared(assignment))

    def prepared(self, assignment: Assignment) -> Prepared:
        """Expands the right side of an assignment, and changes nothing yet."""
        span = assignment.value.code.span(assignment.start, assignment.end)
        origin = None if span is None else Origin(assignment.name, span)
        if assignment.elements is not None:
            return Prepared(assignment.name, origin, assignment.append, elements=self._elements(assignment))
        value = self.value(assignment.value)
        index = None
        if assignment.index is not None:
            index = self.parts_value(assignment.value, assignment.index, quoted=False)
        return Prepared(assignment.name, origin, assignment.append, value, index)

    def _elements(self, assignment: Assignment) -> list[tuple[Value | None, Value, bool]]:
        """The elements of an array: index (None: the next one), value, and whether it is appended."""
        found: list[tuple[Value | None, Value, bool]] = []
        for element in assignment.elements or ():
            word = element.value
            span = word.code.span(word.start, word.end)
            origin = None if span is None else Origin(assignment.name, span)
            if element.index is not None:
                index = self.parts_value(word, element.index, quoted=False)
                found.append((index, fed(self.value(word), origin), element.append))
            else:
                found.extend((None, fed(field.runs, origin), False) for field in self.fields((word,)))
        return found

    def store(self, prepared: Prepared) -> None:
        """Makes an assignment whose right side is expanded."""
        if prepared.elements is None:
            self.assign(
                prepared.name, prepared.value, prepared.origin, append=prepared.append, index=prepared.index
            )
            return
        variables = self.shell.variables
        name = variables.target(prepared.name)
        variable = variables.get(name) or Variable()
        elements: dict[Index, Value] = {}
        if prepared.append:
            elements = dict(variable.elements or ({} if variable.value is None else {0: variable.value}))
        if variable.associative:
            self._store_pairs(prepared.elements, elements)
        else:
            elements = self._store_elements(prepared.elements, elements, variable)
        variables.put(name, replace(variable, elements=elements, value=None, origin=prepared.origin))
        self.spend(len(elements) // 10)

    def _store_pairs(
        self, found: Sequence[tuple[Value | None, Value, bool]], elements: dict[Index, Value]
    ) -> None:
        pending: str | None = None
        for index, value, append in found:
            if index is not None:
                key = text_of(index) or "?"
                elements[key] = (*elements.get(key, ()), *value) if append else value
            elif pending is None:
                pending = text_of(value) or "?"
                elements[pending] = ()
            else:
                elements[pending], pending = value, None

    def _store_elements(
        self,
        found: Sequence[tuple[Value | None, Value, bool]],
        elements: dict[Index, Value],
        variable: Variable,
    ) -> dict[Index, Value]:
        following = max((key for key in elements if isinstance(key, int)), default=-1) + 1
        sort = False
        for index, value, append in found:
            key: Index | None = following
            if index is not None:
                sort = True
                key = self.index(variable, index)
            if not isinstance(key, int):
                key = following
            elements[key] = (*elements.get(key, ()), *value) if append else value
            following = key + 1
        if sort:
            return dict(
                sorted(elements.items(), key=lambda item: item[0] if isinstance(item[0], int) else -1)
            )
        return elements


def _placed(outcome: Outcome, code: Code, command: Command) -> Outcome:
    return replace(outcome, place=(code, command.start, command.end))


def _stdin(written: list[Run]) -> Value | None:
    return None if any(run.text is None for run in written) else tuple(written)


def _without_newlines(runs: Sequence[Run]) -> Value:
    kept = list(runs)
    while kept and (kept[-1].text or "").rstrip("\n") == "":
        kept.pop()
    if kept and (kept[-1].text or "").endswith("\n"):
        kept[-1] = cut(kept[-1], 0, len((kept[-1].text or "").rstrip("\n")))
    return tuple(kept)


def _ends(command: Command) -> bool:
    """Whether a command, as far as can be seen, ends the script."""
    return _holds(command, "exit")


def _breaks(command: Command) -> bool:
    """Whether a command, as far as can be seen, leaves a loop: one that is not left is of no use."""
    return _holds(command, "break")


def _holds(command: Command, name: str) -> bool:
    if isinstance(command, CommandList):
        return any(_holds(inner, name) for inner in command.commands)
    if isinstance(command, Group) and not command.subshell:
        return _holds(command.body, name)
    if isinstance(command, Simple) and command.words and isinstance(command.words[0], Word):
        return command.words[0].plain == name
    return False


def _reads(command: Command) -> bool:
    return isinstance(command, Simple) and any(
        isinstance(word, Word) and word.plain == "read" for word in command.words[:1]
    )


def _header_end(command: For) -> int:
    return command.words[-1].end if command.words else min(command.body.start, command.end)


def _is_literal(pattern: Word) -> bool:
    return pattern.plain is not None and not any(char in pattern.plain for char in "*?[")


def _patterns_text(patterns: Sequence[Word]) -> str:
    return " | ".join(pattern.source for pattern in patterns)


_RUNNERS = {
    Simple: Interpreter.run_simple,
    Pipeline: Interpreter.run_pipeline,
    AndOr: Interpreter.run_and_or,
    CommandList: Interpreter.run_list,
    If: Interpreter.run_if,
    Loop: Interpreter.run_loop,
    For: Interpreter.run_for,
    ArithmeticFor: Interpreter.run_arithmetic_for,
    Case: Interpreter.run_case,
    Group: Interpreter.run_group,
    ArithmeticCommand: Interpreter.run_arithmetic,
    Function: Interpreter.run_function,
    Condition: Interpreter.run_condition,
    Redirected: Interpreter.run_redirected,
}

__all__ = ["CommandReader", "Exhausted", "Interpreter", "Refused", "TooDeep"]
