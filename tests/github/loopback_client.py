"""The bot's client for the loopback GitHub."""

from __future__ import annotations

from loopback_github import LoopbackGitHub

from reviewbot.github.client import Client
from reviewbot.github.transport import Pace, Transport


def client_of(github: LoopbackGitHub, token: str = "bot-token") -> Client:
    """A client that does not really wait."""
    waits: list[float] = []
    transport = Transport(token, github.url, Pace(between_writes=0, timeout=5), sleep=waits.append)
    return Client(transport, github.repository.name)
