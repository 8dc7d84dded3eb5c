"""What can be said of a few lines of a script, when the rest of it is not known.

The launch, its entry point, its backend and its other overrides are unknown, so only what holds whatever they
are is said: an engine argument is read by its own backend alone, and where that backend's server writes it
again in any case, the setting never has an effect.
"""

from __future__ import annotations

from collections.abc import Sequence

from reviewbot.checks.model import Finding, Severity
from reviewbot.checks.on_override import finding_on
from reviewbot.checks.wording import code, setting_text
from reviewbot.config.arguments import sort_arguments
from reviewbot.config.model import Override
from reviewbot.knowledge.model import ServerTrace
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import say
from reviewbot.text import SourceText


def fragment_findings(
    source: SourceText, shown: Sequence[range], knowledge: Knowledge
) -> tuple[Finding, ...]:
    """Findings on the shown lines of a script; ``source`` has its other lines empty."""
    from reviewbot.shell.fragments import read_fragments

    words = read_fragments(source, shown).words
    found = []
    for override in sort_arguments(words).overrides:
        for backend in knowledge.backends:
            trace = knowledge.trace(backend)
            prefix = knowledge.framework.engine_key(backend) + "."
            if trace is not None and override.key.startswith(prefix):
                finding = _always_overwritten(override, override.key[len(prefix) :], trace, knowledge)
                if finding is not None:
                    found.append(finding)
    return tuple(found)


def _always_overwritten(
    override: Override, argument: str, trace: ServerTrace, knowledge: Knowledge
) -> Finding | None:
    for write in reversed(trace.writes):
        if write.stage == "after" and not write.condition and write.argument == argument:
            evidence = knowledge.evidence(trace.path, write.line, trace.symbol)
            return finding_on(
                override,
                check="overwritten",
                severity=Severity.MEDIUM,
                message=(
                    say(
                        "{setting} never has an effect: only the {backend} server reads it, and "
                        "{symbol} writes {argument} again after it has read the engine arguments "
                        "({path}:{line}), as {value}. Delete it, or set what that is made from.",
                        setting=code(setting_text(override)),
                        backend=trace.backend,
                        symbol=code(trace.symbol),
                        argument=code(argument),
                        path=trace.path,
                        line=write.line,
                        value=code(knowledge.readable(write.value)),
                    )
                ),
                evidence=(evidence,),
            )
    return None
