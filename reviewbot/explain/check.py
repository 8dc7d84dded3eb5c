"""A check: its page, with the examples run."""

from __future__ import annotations

import re

from reviewbot.checks.registry import Check
from reviewbot.checks.ruled import CHECK_OF
from reviewbot.errors import InputError
from reviewbot.explain.model import CheckExplanation, Example
from reviewbot.explain.paths import pages_folder
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import language, say, why_of
from reviewbot.review.review import Reviewer
from reviewbot.text import SourceText

SCRIPT = "run.sh"
_BLOCK = re.compile(r"^```(?:bash|sh|shell)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)


def explain_check(check: Check, knowledge: Knowledge) -> CheckExplanation:
    """The check's page with its first and last script reviewed.  Raises InputError where there is no page."""
    path = pages_folder() / f"{check.id}.md"
    try:
        page = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{check.id}: the page of this check is not installed") from error
    scripts = _BLOCK.findall(page)
    text = page.partition("\n")[2].partition("\n## ")[0].strip()
    says, _, why = text.partition("\n\n")
    return CheckExplanation(
        check.id,
        " ".join(says.split()) if language() == "en" else say(check.says),
        why.strip() if language() == "en" else why_of(check.id),
        knowledge.source,
        _example(scripts[0], knowledge),
        _example(scripts[-1], knowledge),
        tuple(rule for rule in knowledge.rules if CHECK_OF.get(rule.effect) == check.id),
    )


def _example(script: str, knowledge: Knowledge) -> Example:
    return Example(script, Reviewer(knowledge).whole(SourceText(SCRIPT, script)), knowledge.source)
