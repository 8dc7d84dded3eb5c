"""One run in a job of GitHub Actions: from the event to exit code, outputs and job summary."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reviewbot.errors import ConfigurationError, ExitCode, InputError
from reviewbot.github.base import find_base
from reviewbot.github.changes import Changes
from reviewbot.github.check_run import post_check_run
from reviewbot.github.client import Client
from reviewbot.github.errors import GitHubError
from reviewbot.github.events import Command, Job, Obey, job_of
from reviewbot.github.events import Review as ReviewJob
from reviewbot.github.marker import SummaryMarker, read_marker, with_marker
from reviewbot.github.model import PullRequest
from reviewbot.github.publish import Options, Outcome, prepare, publish
from reviewbot.github.replies import explain, help_text
from reviewbot.github.reviewing import Place, Reviewing, knowledge_of, links_of, review_pull
from reviewbot.github.runner import Runner
from reviewbot.github.summary import job_summary, paused_body
from reviewbot.language import speaking
from reviewbot.report.annotations import workflow_commands
from reviewbot.report.model import Review
from reviewbot.settings.kinds import LEVELS
from reviewbot.settings.model import Settings
from reviewbot.settings.read import find_settings, with_inputs
from reviewbot.text import decode


@dataclass
class Run:
    """One run."""

    runner: Runner
    client: Client
    recipes: Callable[[Sequence[str], Sequence[str]], Callable[[str], bool]]
    """Globs (none: the usual ones), and those left out → whether a path is a recipe's."""
    dry: bool = False
    """Print what would be posted, and post nothing."""

    def run(self) -> int:
        """Do what the event asks for; returns the exit code.  Raises GitHubError, InputError."""
        job: Job = job_of(self.runner.event_name, self.runner.event())
        if isinstance(job, ReviewJob):
            return self._review_job(job)
        if isinstance(job, Obey):
            return self._obey(job)
        return self._nothing(job.why)

    def _review_job(self, job: ReviewJob) -> int:
        if job.number is not None:
            pull = self.client.pull(job.number)
        elif job.head is not None:
            found = self.client.pulls_with_head(job.head)
            if not found:
                return self._nothing(
                    "no open pull request has the commit of the other workflow as its newest one"
                )
            pull = found[0]
        else:
            raise InputError("the event names neither a pull request nor a commit")
        if job.head is not None and pull.head != job.head:
            return self._nothing("the pull request has a newer commit, which a newer run reviews")
        return self._review(pull, forced=False)

    def _obey(self, job: Obey) -> int:
        command = job.command
        if not self.client.may_write(command.author):
            return self._nothing("the author of the command may not write to this repository")
        if self.dry:
            return self._nothing(f"the command {command.name} would be carried out")
        self.client.react(command.comment)
        pull = self.client.pull(job.number)
        if command.name == "review":
            return self._review(pull, forced=True)
        with speaking(self._settings(pull).language):
            self._answer(pull, command)
        return self._nothing(f"the command {command.name} was carried out")

    def _answer(self, pull: PullRequest, command: Command) -> None:
        if command.name in ("pause", "resume"):
            self._pause(pull, paused=command.name == "pause")
        elif command.name == "explain":
            self.client.create_issue_comment(pull.number, self._explained(pull, command.argument))
        else:
            self.client.create_issue_comment(pull.number, help_text())

    def _review(self, pull: PullRequest, *, forced: bool) -> int:
        if not pull.open:
            return self._nothing("the pull request is closed")
        chosen = self._settings(pull)
        if pull.draft and not chosen.drafts and not forced:
            return self._nothing("the pull request is a draft")
        with speaking(chosen.language):
            return self._reviewed(pull, chosen, forced=forced)

    def _reviewed(self, pull: PullRequest, chosen: Settings, *, forced: bool) -> int:
        done = review_pull(
            self.client, pull, self.recipes(chosen.paths, chosen.exclude), chosen, self._place()
        )
        self.runner.summarise(job_summary(done.story))
        sarif = self._write_sarif(done.review)
        if self.dry:
            self._show(pull, done, chosen, forced)
            outcome = Outcome()
        else:
            outcome = self._publish(pull, done, chosen, forced)
        self._report(done.review, outcome, sarif)
        return _exit_code(done.review, chosen)

    def _publish(self, pull: PullRequest, done: Reviewing, chosen: Settings, forced: bool) -> Outcome:
        options = Options(chosen.max_comments, chosen.speak_when_clean, forced)
        outcome = publish(self.client, pull, done.story, done.files, done.refresh, options)
        told = done.review.findings if chosen.annotations else outcome.untold
        for line in workflow_commands(told):
            print(line, flush=True)
        if chosen.check_run and not outcome.quiet:
            failed = _exit_code(done.review, chosen) != ExitCode.OK
            try:
                post_check_run(self.client, pull.head, done.review, job_summary(done.story), failed)
            except GitHubError as error:
                self.runner.say(f"the check run was not posted: {error}")
        return outcome

    def _show(self, pull: PullRequest, done: Reviewing, chosen: Settings, forced: bool) -> None:
        """Print what would be posted, in a form that the runner takes no command from."""
        options = Options(chosen.max_comments, chosen.speak_when_clean, forced)
        wanted = prepare(self.client, pull, done.story, done.files, options)
        payload = {} if wanted is None else wanted.payload(pull, options)
        with self.runner.no_commands():
            print(json.dumps(payload, indent=2), flush=True)

    def _report(self, review: Review, outcome: Outcome, sarif: str) -> None:
        for sentence in (*outcome.trouble, *filter(None, [outcome.quiet])):
            self.runner.say(sentence)
        if outcome.untold:
            self.runner.say("what could not be posted is in the annotations and in the job summary")
        worst = max((finding.severity for finding in review.findings), default=None)
        self.runner.output(
            {
                "findings": str(len(review.findings)),
                "posted": str(len(outcome.posted)),
                "skipped": str(sum(1 for file in review.files if file.status == "skipped")),
                "highest-severity": worst.word if worst is not None else "none",
                "sarif-file": sarif,
                "review-url": outcome.url,
            }
        )

    def _nothing(self, why: str) -> int:
        self.runner.say(why)
        self._report(Review("", "", "", "", ()), Outcome(), "")
        return ExitCode.OK

    def _settings(self, pull: PullRequest) -> Settings:
        """From the base branch, never from the pull request."""

        def read(path: str) -> str | None:
            data = self.client.content(path, pull.base)
            text = None if data is None else decode(data)
            if data is not None and text is None:
                raise ConfigurationError(f"{path}: it is not UTF-8 text")
            return text

        return with_inputs(find_settings(read), self.runner.input)

    def _place(self) -> Place:
        runner = self.runner
        event_commit = runner.environment.get("GITHUB_SHA", "")
        return Place(runner.server_url, runner.workspace, event_commit, runner.documentation)

    def _pause(self, pull: PullRequest, *, paused: bool) -> None:
        summaries = self.client.summaries(pull.number)
        if summaries:
            marker = read_marker(summaries[0].body)
            kept = marker if isinstance(marker, SummaryMarker) else SummaryMarker()
            body = with_marker(summaries[0].body, SummaryMarker(kept.head, paused, kept.fingerprints))
            self.client.edit_issue_comment(summaries[0].id, body)
        elif paused:
            self.client.create_issue_comment(pull.number, paused_body(pull.head))

    def _explained(self, pull: PullRequest, subject: str) -> str:
        place = self._place()
        base = find_base(self.client, pull, place.checkout, place.event_commit)
        knowledge = knowledge_of(base.tree, base, self._settings(pull))
        nothing = Changes((), {}, ())
        return explain(subject, knowledge, links_of(self.client, pull, place, base, nothing, knowledge))

    def _write_sarif(self, review: Review) -> str:
        """Write the SARIF file that the Action asks for; returns its path, empty for none."""
        path = self.runner.input("sarif-file")
        if not path:
            return ""
        from reviewbot.report.sarif_report import sarif_report

        try:
            Path(path).write_text(sarif_report(review), encoding="utf-8")
        except OSError as error:
            raise InputError(f"{path}: the SARIF file cannot be written ({error.strerror})") from error
        return path


def _exit_code(review: Review, chosen: Settings) -> int:
    """By findings, never by what GitHub refused."""
    worst = max((finding.severity for finding in review.findings), default=None)
    level = LEVELS.get(chosen.fail_level or "none")
    failed = level is not None and worst is not None and worst >= level
    return ExitCode.FINDINGS if failed else ExitCode.OK
