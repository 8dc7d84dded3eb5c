"""Fixtures: the loopback GitHub, a client for it, and what a toy review finds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from loopback_description import BUILD, description
from loopback_github import LoopbackGitHub

from reviewbot.github.client import Client
from reviewbot.github.transport import Pace, Transport


@pytest.fixture(scope="session")
def server() -> Iterator[LoopbackGitHub]:
    with LoopbackGitHub(description()) as running:
        yield running


@pytest.fixture
def github(server: LoopbackGitHub) -> Iterator[LoopbackGitHub]:
    """A fresh GitHub; whatever breaks its description fails the test."""
    server.reset()
    yield server
    assert server.problems == []


@pytest.fixture
def client(github: LoopbackGitHub) -> Client:
    return client_of(github)


def client_of(github: LoopbackGitHub, token: str = "bot-token") -> Client:
    """A client that does not really wait; what it would have waited is in ``waits``."""
    waits: list[float] = []
    transport = Transport(token, github.url, Pace(between_writes=0, timeout=5), sleep=waits.append)
    return Client(transport, github.repository.name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if BUILD.parent.exists() and description() is None:
        terminalreporter.write_line(
            "GitHub's description is not at hand (no npm): requests were checked by hand only"
        )
