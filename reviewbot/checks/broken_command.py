"""``broken-command``: the script does not pass to the command what it seems to pass."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.checks.model import Finding, Intent, Severity
from reviewbot.checks.recipe import Recipe, touched
from reviewbot.checks.wording import code, on_path
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.shell.model import ShellProblem

ID = "broken-command"


def check(recipe: Recipe, _knowledge: Knowledge) -> Iterator[Finding]:
    """Continuations that end early, variables that are never set, stray spaces, and words that are no override."""
    for problem in recipe.shell.problems:
        yield Finding(
            check=ID,
            severity=Severity.HIGH,
            span=problem.span,
            key=problem.kind,
            value=recipe.source.cut(problem.span) if problem.span.path == recipe.source.path else "",
            message=problem.message,
            intent=_intent(problem),
            partners=problem.lost,
            related=tuple((span, say("never reaches the command")) for span in problem.lost),
        )
    for plan in recipe.plans:
        for word, message in plan.configured.arguments.malformed:
            yield Finding(
                check=ID,
                severity=Severity.HIGH,
                span=word.span,
                key="not-an-override",
                value=word.text or word.prefix,
                message=(
                    say(
                        "Hydra cannot read {text} as an override{branch} and the run ends there: {message}.",
                        text=code(word.text or word.prefix),
                        branch=on_path(plan.launch.decisions),
                        message=message.rstrip("."),
                    )
                ),
                confidence="certain" if plan.launch.on_default_path else "likely",
                causes=touched(word),
            )


def _intent(problem: ShellProblem) -> Intent | None:
    """Join a command that ends early with its rest."""
    if not problem.lost:
        return None
    line, next_line = problem.span.end_line, problem.lost[0].line
    if problem.kind == "space-after-backslash":
        return Intent(
            say("Remove the blanks after the backslash on line {line}", line=line),
            strip_lines=(line,),
            gains=problem.lost,
        )
    if problem.kind in ("blank-after-continuation", "comment-after-continuation") and next_line > line + 1:
        what = say("blank line") if problem.kind == "blank-after-continuation" else say("comment")
        return Intent(
            say("Remove the {what} after line {line}, so that the command goes on", what=what, line=line),
            delete_lines=((line + 1, next_line - 1),),
            gains=problem.lost,
        )
    return None
