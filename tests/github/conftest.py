"""Fixtures: the loopback GitHub, a client for it, and what a toy review finds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from loopback_client import client_of
from loopback_description import description
from loopback_github import LoopbackGitHub
from npm_package import BUILD

from reviewbot.github.client import Client


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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if BUILD.parent.exists() and description() is None:
        terminalreporter.write_line(
            "GitHub's description is not at hand (no npm): requests were checked by hand only"
        )
