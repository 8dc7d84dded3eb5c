"""``reviewbot rules``: make and check the knowledge base."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from reviewbot.commands.output import write_report
from reviewbot.commands.progress import progress, working_on
from reviewbot.errors import ConfigurationError, ExitCode
from reviewbot.knowledge.commands import extract_facts
from reviewbot.knowledge.rules import Rule, load_rules
from reviewbot.knowledge.store import FRAMEWORKS, rules_of
from reviewbot.knowledge.verification import verify
from reviewbot.language import say
from reviewbot.report.terminal import printable
from reviewbot.review.rule_examples import failing_examples, knowledge_for


def run(options: Namespace) -> int:
    """Run the action; returns the exit code.  Raises InputError or ConfigurationError for input that is of no use."""
    if options.action == "extract":
        with working_on(say("reading {source}", source=options.source)):
            facts = extract_facts(options.source, options.version)
        write_report(options.output, facts)
        return ExitCode.OK
    rules = _rules(options.rules)
    if options.action == "list":
        return _list(rules)
    if options.action == "test":
        return _test(rules)
    return _verify(rules, options.source)


def _rules(folder: str | None) -> tuple[Rule, ...]:
    if folder is None:
        return rules_of(FRAMEWORKS[0])
    path = Path(folder)
    if not path.is_dir():
        raise ConfigurationError(f"{folder}: there is no such folder; --rules takes a folder of *.yaml files")
    rules = load_rules(path)
    if not rules:
        raise ConfigurationError(f"{folder}: the folder holds no rule (*.yaml, *.yml)")
    return rules


def _list(rules: tuple[Rule, ...]) -> int:
    for rule in rules:
        versions = f" ({rule.versions})" if rule.versions else ""
        print(printable(f"{rule.id}: {rule.effect}, {rule.severity}{versions}: {rule.key}"))
    return ExitCode.OK


def _test(rules: tuple[Rule, ...]) -> int:
    failures = [
        failure
        for rule in progress(rules, [rule.id for rule in rules])
        for failure in failing_examples(rule, knowledge_for)
    ]
    for failure in failures:
        print(printable(str(failure)))
    examples = sum(len(rule.bad) + len(rule.good) for rule in rules)
    print(f"{_counted(len(rules), 'rule')}, {_counted(examples, 'example')}, {len(failures)} failing")
    return ExitCode.FINDINGS if failures else ExitCode.OK


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _verify(rules: tuple[Rule, ...], source: str) -> int:
    verified = verify(rules, source)
    for item in verified:
        print(printable(str(item)))
    counts = {state: sum(item.state == state for item in verified) for state in ("holds", "moved", "gone")}
    print(", ".join(f"{count} {state}" for state, count in counts.items()))
    return ExitCode.FINDINGS if counts["gone"] else ExitCode.OK
