"""``check --baseline`` and ``--write-baseline``."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from reviewbot.checks.wording import plural
from reviewbot.commands.inputs import Unreadable, load
from reviewbot.commands.output import write_report
from reviewbot.commands.wish import Wish
from reviewbot.errors import InputError
from reviewbot.language import say
from reviewbot.report.baseline import Baseline, baseline_of, baseline_text, read_baseline
from reviewbot.review.review import FileReview

Files = tuple[FileReview, ...]


def given_baseline(options: Namespace) -> Baseline | None:
    """The baseline that the options name.  Raises InputError, also for a use that makes no sense."""
    if options.write_baseline is not None and (options.diff is not None or options.base is not None):
        raise InputError("--write-baseline goes with whole files: leave out --diff and --base")
    if options.baseline is None:
        return None
    source = load(Path(options.baseline), options.baseline)
    if isinstance(source, Unreadable):
        raise InputError(
            f"{options.baseline}: the baseline {source.why}; make one with --write-baseline {options.baseline}"
        )
    return read_baseline(source.text, options.baseline)


def with_baseline(
    options: Namespace, wish: Wish, baseline: Baseline | None, files: Files, root: Path, *, whole: bool
) -> Files:
    """The reviews without the findings that are known; writes the baseline that is asked for.

    ``whole``: the files were reviewed whole.  Raises InputError for a baseline that cannot be written.
    """
    if options.write_baseline is not None:
        if baseline is None:
            baseline = baseline_of(finding for file in files for finding in file.findings)
        else:
            baseline = baseline.without(_gone(baseline, files, root))
        write_report(options.write_baseline, baseline_text(baseline))
        wish.note(
            say(
                "{file}: the baseline holds {count}",
                file=options.write_baseline,
                count=plural(len(baseline.entries), "finding"),
            )
        )
    elif baseline is not None and whole:
        gone = len(_gone(baseline, files, root).entries)
        if gone:
            wish.note(
                say(
                    "{file}: {count} of the baseline no longer found; shrink it with "
                    "--baseline {file} --write-baseline {file}",
                    file=options.baseline,
                    count=plural(gone, "finding"),
                )
            )
    return files if baseline is None else tuple(map(baseline.hide, files))


def _gone(baseline: Baseline, files: Files, root: Path) -> Baseline:
    return baseline.gone(files, (path for path in baseline.paths if (root / path).exists()))
