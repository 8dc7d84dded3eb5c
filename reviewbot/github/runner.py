"""The runner that a job of GitHub Actions runs on: its files, its environment, its log."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reviewbot.errors import InputError

MAX_EVENT_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class Runner:
    """What the runner tells a step.  Only names that the runner itself sets are read."""

    environment: Mapping[str, str]

    @property
    def event_name(self) -> str:
        """``pull_request``, ``issue_comment`` …"""
        return self.environment.get("GITHUB_EVENT_NAME", "")

    @property
    def repository(self) -> str:
        """``owner/name``.  Raises InputError where there is none."""
        name = self.environment.get("GITHUB_REPOSITORY", "")
        if name.count("/") != 1:
            raise InputError("GITHUB_REPOSITORY is not set: reviewbot review runs in a job of GitHub Actions")
        return name

    @property
    def api_url(self) -> str:
        """``https://api.github.com``, or the one of a GitHub Enterprise server."""
        return self.environment.get("GITHUB_API_URL") or "https://api.github.com"

    @property
    def server_url(self) -> str:
        """``https://github.com``, or the GitHub Enterprise server."""
        return (self.environment.get("GITHUB_SERVER_URL") or "https://github.com").rstrip("/")

    @property
    def token(self) -> str:
        """The token; it is never shown.  Raises InputError where there is none."""
        token = self.environment.get("GITHUB_TOKEN", "").strip()
        if not token:
            raise InputError("GITHUB_TOKEN is not set: give the step env: GITHUB_TOKEN: ${{ github.token }}")
        return token

    @property
    def workspace(self) -> Path | None:
        """The folder of the checkout; None where there is none."""
        folder = self.environment.get("GITHUB_WORKSPACE", "")
        return Path(folder) if folder and Path(folder).is_dir() else None

    @property
    def in_actions(self) -> bool:
        """Whether the log is read by a runner."""
        return self.environment.get("GITHUB_ACTIONS") == "true"

    @property
    def debug(self) -> bool:
        """Whether the run was asked to log more."""
        return self.environment.get("RUNNER_DEBUG") == "1"

    @property
    def documentation(self) -> str:
        """Where reviewbot's own ``docs`` can be read; empty where the Action does not tell."""
        repository = self.environment.get("REVIEWBOT_ACTION_REPOSITORY", "")
        reference = self.environment.get("REVIEWBOT_ACTION_REF", "") or "main"
        return f"{self.server_url}/{repository}/blob/{reference}/docs" if repository.count("/") == 1 else ""

    def input(self, name: str) -> str:
        """An input of the Action: ``fail-level`` is ``REVIEWBOT_FAIL_LEVEL``; empty where not given."""
        return self.environment.get(f"REVIEWBOT_{name.upper().replace('-', '_')}", "").strip()

    def event(self) -> Mapping[str, Any]:
        """The payload of the event.  Raises InputError."""
        path = self.environment.get("GITHUB_EVENT_PATH", "")
        try:
            if not path or Path(path).stat().st_size > MAX_EVENT_BYTES:
                raise InputError(
                    "GITHUB_EVENT_PATH names no event: reviewbot review runs in a job of GitHub Actions"
                )
            payload = json.loads(Path(path).read_bytes())
        except (OSError, ValueError) as error:
            raise InputError(f"the event cannot be read ({type(error).__name__})") from error
        if not isinstance(payload, dict):
            raise InputError("the event is not a JSON object")
        return payload

    def summarise(self, text: str) -> None:
        """Add to the job summary, where there is one."""
        self._append("GITHUB_STEP_SUMMARY", text)

    def output(self, values: Mapping[str, str]) -> None:
        """Set outputs of the step."""
        self._append("GITHUB_OUTPUT", "".join(_output(name, value) for name, value in values.items()))

    def say(self, sentence: str) -> None:
        """One line of the log; it can be no workflow command."""
        from reviewbot.report.terminal import printable

        print(f"reviewbot: {inert_line(printable(sentence))}", file=sys.stderr, flush=True)

    @contextmanager
    def no_commands(self) -> Iterator[None]:
        """While this lasts, the runner takes nothing that is printed as a command."""
        if not self.in_actions:
            yield
            return
        token = secrets.token_hex(16)
        print(f"::stop-commands::{token}", flush=True)
        try:
            yield
        finally:
            print(f"::{token}::", flush=True)

    def _append(self, name: str, text: str) -> None:
        path = self.environment.get(name, "")
        if not path:
            return
        try:
            with open(path, "a", encoding="utf-8", errors="replace", newline="") as file:  # noqa: PTH123 - appends
                file.write(text)
        except OSError as error:
            self.say(f"{name} cannot be written ({error.strerror or type(error).__name__})")


def this_runner() -> Runner:
    """The runner of this process."""
    return Runner(dict(os.environ))


def inert_line(text: str) -> str:
    """A printable line without the runner's older form of commands, which it finds anywhere in a line."""
    return text.replace("##[", "# #[")


def _output(name: str, value: str) -> str:
    """An output in the form that takes any value; the delimiter is random, so no value can end it."""
    delimiter = f"end-{secrets.token_hex(16)}"
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"
