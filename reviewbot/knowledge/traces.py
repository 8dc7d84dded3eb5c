"""How rollout servers make their arguments, read from the source.

A server function builds one dict: from the rollout config, then ``**engine_kwargs``, then further writes.
It is found by that shape, below the framework's server folder, in any file: see :func:`read_traces`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from reviewbot.knowledge.command_line import Drops, builder_loop, dropped_by
from reviewbot.knowledge.conditions import keys_in
from reviewbot.knowledge.config_classes import constraints_of
from reviewbot.knowledge.dataflow import Flow
from reviewbot.knowledge.evaluation import dotted
from reviewbot.knowledge.expressions import conjunction, literal_text, reads_key, text_of
from reviewbot.knowledge.flow_state import Scope
from reviewbot.knowledge.framework import Framework
from reviewbot.knowledge.model import ServerTrace, ServerWrite
from reviewbot.knowledge.modes import Modes, read_modes
from reviewbot.knowledge.source import Function, Klass, Module, Sources
from reviewbot.knowledge.tables import Entry, Table, as_expression
from reviewbot.tree import Tree

_MARK = "engine_kwargs"


def read_traces(tree: Tree, framework: Framework) -> tuple[ServerTrace, ...]:
    """The traces of every backend in the tree, sorted by backend, mode and path."""
    return traces_of(Sources(tree), framework)


def traces_of(sources: Sources, framework: Framework) -> tuple[ServerTrace, ...]:
    """As :func:`read_traces`, for sources at hand; what cannot be read leaves a sentence there."""
    modes = read_modes(sources, framework)
    found: list[ServerTrace] = []
    for path in sources.tree.files(framework.server_dir):
        if not path.endswith(".py") or _MARK not in (sources.text(path) or ""):
            continue
        module = sources.module(path)
        for klass, function in () if module is None else _functions(module):
            if module is not None and _mentions(function):
                found += _function_traces(sources, framework, module, klass, function, modes)
    return tuple(sorted(found, key=lambda trace: (trace.backend, trace.condition, trace.path, trace.symbol)))


def _functions(module: Module) -> Iterator[tuple[Klass | None, Function]]:
    for function in module.functions.values():
        yield None, function
    for node in module.classes.values():
        for item in node.body:
            if isinstance(item, Function):
                yield Klass(module, node), item


def _mentions(function: Function) -> bool:
    """Whether the function reads the engine arguments from a config."""
    return any(
        literal_text(node) == _MARK or (isinstance(node, ast.Attribute) and node.attr == _MARK)
        for node in ast.walk(function)
    )


def _function_traces(
    sources: Sources,
    framework: Framework,
    module: Module,
    klass: Klass | None,
    function: Function,
    modes: Modes,
) -> list[ServerTrace]:
    flow = Flow(sources, framework, module, klass, Scope.of_server(framework))
    try:
        flow.run(function)
    except RecursionError:
        sources.problems.append(
            f"{module.path}: {function.name} is too deeply nested; nothing is claimed from it"
        )
        return []
    chosen = _arguments(flow, framework)
    if chosen is None:
        return []
    table, backend = chosen
    class_name = klass.node.name if klass is not None else ""
    trace = _Reader(framework, table, backend, flow.users).trace(module.path, flow.frame.symbol)
    drops = _drops(flow, table, module, sources)
    if drops is not None:
        path, found = drops
        trace = replace(
            trace, drops=found.always, may_drop=found.sometimes, drops_line=found.line, drops_path=path
        )
    condition = modes.condition(backend, class_name)
    return [replace(trace, condition=condition, constraints=constraints_of(flow))]


def _arguments(flow: Flow, framework: Framework) -> tuple[Table, str] | None:
    """The dict that becomes the server's arguments, and the backend whose engine arguments it takes."""
    backends = {
        key: _backend(key, framework) for key in (table.user for table in flow.users) if key is not None
    }
    for table in flow.tables:
        if table.user in backends and len(table.entries) > 1:
            return table, backends[table.user or ""]
    handed_on = [table for _, table in flow.sinks]
    for table in flow.tables:
        for key, backend in backends.items():
            reads = any(reads_key(as_expression(entry.value), key) for entry in table.entries)
            if reads and any(table is sink for sink in handed_on):
                return table, backend
    return None


def _backend(key: str, framework: Framework) -> str:
    prefix, _, suffix = framework.engine_kwargs.partition("{backend}")
    return key.removeprefix(prefix).removesuffix(suffix)


def _drops(flow: Flow, table: Table, module: Module, sources: Sources) -> tuple[str, Drops] | None:
    for node, handed in flow.sinks:
        if handed is not table:
            continue
        if isinstance(node, ast.For):
            found = dropped_by(node)
            if found is not None:
                return module.path, found
        else:
            target = sources.function(module, dotted(node.func) or "")
            loop = None if target is None else builder_loop(target[1])
            found = None if loop is None else dropped_by(loop)
            if target is not None and found is not None:
                return target[0].path, found
    return None


@dataclass
class _Reader:
    """Turns a dict's entries into writes."""

    framework: Framework
    table: Table
    backend: str
    users: list[Table]

    def trace(self, path: str, symbol: str) -> ServerTrace:
        """The trace, without what is known only outside the dict."""
        key = self.framework.engine_key(self.backend)
        popped = {entry.key for user in self.users for entry in user.entries if entry.kind == "pop"}
        spread = next((entry.line for entry in self.table.entries if entry.kind == "user"), 0)
        writes = tuple(self._writes(self.table, "", key, popped))
        merged = {write.argument for write in writes if write.stage == "merge"}
        return ServerTrace(
            backend=self.backend,
            path=path,
            symbol=symbol,
            spread_line=spread,
            writes=writes,
            honoured=tuple(sorted(popped & merged)),
            only=None if spread else tuple(sorted(merged)),
            skips_none=self.table.skips_none,
        )

    def _writes(self, table: Table, prefix: str, user_key: str, popped: set[str]) -> Iterator[ServerWrite]:
        spread = False
        for entry in table.entries:
            if entry.kind == "user":
                spread = True
            if entry.kind not in ("set", "default"):
                continue
            own = f"{user_key}.{entry.key}"
            inner = entry.value if isinstance(entry.value, Table) and entry.value.user == own else None
            merges = inner is not None or reads_key(as_expression(entry.value), own)
            stage = self._stage(table, entry, spread, merges, entry.key in popped)
            write = self._write(prefix + entry.key, stage, entry)
            if write.condition == "False":
                continue
            yield write
            if inner is not None:
                yield from self._writes(inner, f"{prefix}{entry.key}.", own, set())

    def _stage(self, table: Table, entry: Entry, spread: bool, merges: bool, popped: bool) -> str:
        if entry.kind == "default":
            return "default"
        if merges:
            return "merge"
        if table.is_call and not spread:
            return "conflict"
        overwrites = spread or popped or table.user is None
        return "after" if overwrites else "before"

    def _write(self, argument: str, stage: str, entry: Entry) -> ServerWrite:
        value = as_expression(entry.value)
        outer = {text_of(guard) for guard in self.table.guards}
        guards = [guard for guard in entry.guards if text_of(guard) not in outer]
        return ServerWrite(
            argument=argument,
            stage=stage,
            value=text_of(value),
            condition=conjunction(guards),
            line=entry.line,
            feeds=keys_in(value),
        )
