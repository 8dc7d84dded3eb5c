"""``broken-command``: the script does not pass to the command what it seems to pass."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.checks.model import Finding, Intent, Severity
from reviewbot.checks.recipe import Recipe
from reviewbot.knowledge.store import Knowledge
from reviewbot.shell.model import ShellProblem

ID = "broken-command"


def check(recipe: Recipe, _knowledge: Knowledge) -> Iterator[Finding]:
    """Continuations that end early, variables that are never set, words that a stray space splits."""
    for problem in recipe.shell.problems:
        yield Finding(
            check=ID,
            severity=Severity.HIGH,
            span=problem.span,
            key=problem.kind,
            value=recipe.source.cut(problem.span),
            message=problem.message,
            intent=_intent(problem),
            partners=problem.lost,
            related=tuple((span, "never reaches the command") for span in problem.lost),
        )


def _intent(problem: ShellProblem) -> Intent | None:
    """Join a command that ends early with its rest."""
    if not problem.lost:
        return None
    line, next_line = problem.span.end_line, problem.lost[0].line
    if problem.kind == "space-after-backslash":
        return Intent(
            f"Remove the blanks after the backslash on line {line}", strip_lines=(line,), gains=problem.lost
        )
    if problem.kind in ("blank-after-continuation", "comment-after-continuation") and next_line > line + 1:
        what = "blank line" if problem.kind == "blank-after-continuation" else "comment"
        return Intent(
            f"Remove the {what} after line {line}, so that the command goes on",
            delete_lines=((line + 1, next_line - 1),),
            gains=problem.lost,
        )
    return None
