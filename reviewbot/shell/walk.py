"""Walks through syntax trees."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.shell.syntax import (
    AndOr,
    ArithmeticFor,
    Case,
    Command,
    CommandList,
    For,
    Function,
    Group,
    If,
    Loop,
    Pipeline,
    Redirected,
)


def lists_in(command: Command) -> Iterator[CommandList]:
    """Every list of commands within a command, itself included; not those of substitutions."""
    for inner in commands_in(command):
        if isinstance(inner, CommandList):
            yield inner


def commands_in(command: Command) -> Iterator[Command]:
    """A command and every command within it, outer ones first; not those of substitutions."""
    pending = [command]
    while pending:
        found = pending.pop()
        yield found
        pending.extend(reversed(_children(found)))


def _children(command: Command) -> list[Command]:
    if isinstance(command, (CommandList, Pipeline)):
        return list(command.commands)
    if isinstance(command, AndOr):
        return [command.first, *(following for _, following in command.rest)]
    if isinstance(command, If):
        arms: list[Command] = [part for arm in command.arms for part in arm]
        return arms if command.otherwise is None else [*arms, command.otherwise]
    if isinstance(command, Loop):
        return [command.condition, command.body]
    if isinstance(command, (For, ArithmeticFor, Group, Function)):
        return [command.body]
    if isinstance(command, Case):
        return [body for _, body, _ in command.arms]
    if isinstance(command, Redirected):
        return [command.command]
    return []
