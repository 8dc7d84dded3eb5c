"""Calls: what flows into the framework's own functions, and what leaves for others."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from reviewbot.knowledge.reads.annotation import OPEN, typing_of
from reviewbot.knowledge.reads.atoms import Atom, Box, Cls, Ext, Fun, Loose, Node, Obj, Text
from reviewbot.knowledge.reads.lookup import ANY, SPREAD, Lookup
from reviewbot.knowledge.reads.program import Fn, Klass

MAX_NAMESAKES = 12
"""A method name that more classes than this share says nothing about where a call goes."""
KEY_METHODS = frozenset({"get", "pop", "setdefault", "__getitem__"})
SAME = frozenset({"copy", "deepcopy", "remote", "options", "to_dict", "values", "items", "keys"})
QUIET = frozenset(
    {
        f"builtins.{name}"
        for name in ("print", "len", "isinstance", "type", "id", "bool", "repr", "hash", "super")
    }
    | {
        "builtins.issubclass",
        "builtins.callable",
        "pprint.pprint",
        "omegaconf.open_dict",
        "omegaconf.read_write",
    }
    | {
        f"omegaconf.OmegaConf.{name}"
        for name in ("resolve", "set_struct", "set_readonly", "is_config", "to_yaml")
    }
    | {"omegaconf.OmegaConf.is_missing", "omegaconf.OmegaConf.is_struct", "dataclasses.is_dataclass"}
)
PASSED_ON = frozenset(
    {"copy.deepcopy", "copy.copy", "dataclasses.asdict", "ray.remote", "ray.get", "ray.put", "asyncio.run"}
    | {"asyncio.gather", "asyncio.create_task", "typing.cast", "functools.wraps", "functools.lru_cache"}
    | {
        f"builtins.{name}"
        for name in ("list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "next")
    }
    | {
        f"omegaconf.OmegaConf.{name}"
        for name in ("create", "to_container", "to_object", "merge", "structured")
    }
    | {
        "omegaconf.OmegaConf.masked_copy",
        "omegaconf.OmegaConf.unsafe_merge",
        "asyncio.wait_for",
        "builtins.zip",
    }
    | {
        "builtins.enumerate",
        "itertools.chain",
        "asyncio.ensure_future",
        "dataclasses.replace",
        "builtins.max",
    }
    | {"builtins.min", "omegaconf.DictConfig", "omegaconf.ListConfig", "contextlib.nullcontext"}
)
DEFERRED = frozenset({"functools.partial", "builtins.map", "threading.Thread", "builtins.filter"})
_LOG = ("logger.", "logging.", "warnings.", "log.", "logger_.")


@dataclass
class Arguments:
    """The values of a call's arguments."""

    positional: list[set[Atom]] = field(default_factory=list)
    star: set[Atom] = field(default_factory=set)
    named: dict[str, set[Atom]] = field(default_factory=dict)
    spread: set[Atom] = field(default_factory=set)

    def all(self) -> Iterable[Atom]:
        """Every value."""
        for value in (*self.positional, self.star, *self.named.values(), self.spread):
            yield from value


class Calls(Lookup):
    """Calls of one function."""

    def call(self, callee: Atom, args: Arguments) -> set[Atom]:
        """The result of calling something."""
        if isinstance(callee, Fun):
            if callee.fn.klass is None and callee.fn.node.name in self.flow.transparent:
                return self._converted(args)
            return self.bind(callee, args)
        if isinstance(callee, Cls):
            return self.construct(callee.klass, args)
        if isinstance(callee, Ext):
            return self.external(callee.name, args)
        if isinstance(callee, Obj):
            method = callee.klass.method("__call__") or callee.klass.method("forward")
            return self.bind(Fun(method, callee), args) if method is not None else set()
        if isinstance(callee, Loose):
            self.whole(args.all())
            return {Loose("")}
        return set()

    # the framework's own

    def _converted(self, args: Arguments) -> set[Atom]:
        """A config node as an instance of a class: it stays that node."""
        found = set(args.positional[0]) if args.positional else set(args.named.get("config", ()))
        for value in (*args.positional[1:], *args.named.values()):
            for klass in (atom.klass for atom in value if isinstance(atom, Cls)):
                for node in found:
                    if isinstance(node, Node) and "*" not in node.path:
                        self.flow.give_class(node, klass)
        return found

    def construct(self, klass: Klass, args: Arguments) -> set[Atom]:
        """An instance; a class that is made from a config node stands for that node."""
        made: set[Atom] = {Obj(klass)}
        self.flow.construct(klass)
        init = klass.method("__init__")
        if init is not None and init.node.args.kwarg is not None and "cls" in init.annotations:
            self._deferred(args)
            return made
        if init is not None:
            self.bind(Fun(init, Obj(klass)), args)
        elif klass.is_dataclass:
            self._fill(klass, args, made)
        else:
            self.whole(args.all())
        self._deferred(args)
        return made

    def _fill(self, klass: Klass, args: Arguments, made: set[Atom]) -> None:
        names = list(klass.fields)
        given = {**dict(zip(names, args.positional, strict=False)), **args.named}
        for atom in args.spread:
            if isinstance(atom, Node):
                self.flow.give_class(atom, klass)
                made.add(atom)
            for name in names:
                given[name] = given.get(name, set()) | set(
                    self.key(atom, name) if isinstance(atom, Box) else ()
                )
        for name, value in given.items():
            typed = typing_of(klass.fields.get(name), klass.module, self.flow.program)
            self.store_field(klass, name, self.fitting(value, typed))
        post = klass.method("__post_init__")
        if post is not None:
            self.bind(Fun(post, Obj(klass)), Arguments())

    def _deferred(self, args: Arguments) -> None:
        """``RayClassWithInitArgs(cls=C, config=…)``, ``partial(f, x)``: C or f gets the other arguments."""
        first = args.positional[0] if args.positional else set()
        for atom in (*first, *args.named.get("cls", ())):
            if isinstance(atom, Cls | Fun):
                rest = {name: value for name, value in args.named.items() if name != "cls"}
                inner = Arguments(args.positional[1:], args.star, rest, args.spread)
                if inner.named or inner.positional or inner.spread:
                    self.call(atom, inner)

    def store_field(self, klass: Klass, name: str, value: Iterable[Atom]) -> None:
        """``instance.name = value``"""
        self.flow.passed.add(("s", klass, name))
        self.flow.add(("f", klass, name), value)

    def bind(self, callee: Fun, args: Arguments) -> set[Atom]:
        """Hand the arguments to a function of the framework; its result."""
        fn, receiver = callee.fn, callee.receiver
        ctx = receiver if isinstance(receiver, Node) else None
        act = (fn, ctx)
        names = [item.arg for item in fn.positional]
        positional = list(args.positional)
        if fn.kind in ("method", "class", "property") and receiver is not None:
            positional.insert(0, {receiver})
        for number, value in enumerate(positional):
            if number < len(names):
                self._give(act, names[number], value)
            elif fn.node.args.vararg is not None:
                self.flow.put(Box(f"{fn.place()}*"), str(number - len(names)), value)
        self._star(act, names[len(positional) :], args.star)
        for name, value in args.named.items():
            if name in fn.annotations:
                self._give(act, name, value)
            elif fn.node.args.kwarg is not None:
                self.flow.put(Box(f"{fn.place()}**"), name, value)
        taken = {*names[: len(positional)], *args.named}
        self._spread(act, [name for name in fn.annotations if name not in taken], args.spread)
        self.flow.activate(act)
        return set(self.flow.get(("r", act), self.act))

    def _star(self, act: tuple[Fn, Node | None], names: list[str], star: set[Atom]) -> None:
        for atom in star:
            if not isinstance(atom, Box):
                continue
            for key in self.flow.keys(atom):
                held = set(self.flow.get(("b", atom.site, key), self.act))
                for name in [names[int(key)]] if key.isdigit() and int(key) < len(names) else names:
                    self._give(act, name, held)

    def _spread(self, act: tuple[Fn, Node | None], names: list[str], spread: set[Atom]) -> None:
        fn = act[0]
        for atom in spread:
            if isinstance(atom, Box | Node):
                for name in names:
                    self._give(act, name, set(self.key(atom, name)))
                if fn.node.args.kwarg is not None:
                    self.flow.put(Box(f"{fn.place()}**"), SPREAD, {atom})

    def _give(self, act: tuple[Fn, Node | None], name: str, value: set[Atom]) -> None:
        fn = act[0]
        typed = typing_of(fn.annotations.get(name), fn.module, self.flow.program)
        self.flow.passed.add(("p", act, name))
        self.flow.add(("v", act, name), self.fitting(value, typed))

    def call_property(self, bound: Fun) -> set[Atom]:
        """See Lookup."""
        return self.bind(bound, Arguments())

    # everything else

    def external(self, name: str, args: Arguments) -> set[Atom]:
        """The result of calling something outside the framework."""
        tail = name.rpartition(".")[2]
        if name in QUIET or name.startswith(_LOG):
            return set()
        if name in DEFERRED:
            self._deferred(args)
            return set(args.positional[0]) if args.positional else set()
        if name == "ray.remote" and not args.positional:
            return {Ext(name)}
        if name in PASSED_ON:
            return self._passed_on(args)
        if name == "builtins.dict":
            return self._dict(args)
        if name in ("hydra.utils.instantiate", "hydra.utils.call") or tail == "instantiate":
            return self._instantiate(args)
        self.whole(args.all())
        return (
            {Loose("")}
            if any(isinstance(atom, Loose) for atom in args.all()) and tail in ("vars", "load")
            else set()
        )

    def _passed_on(self, args: Arguments) -> set[Atom]:
        found = {atom for value in (*args.positional, args.star) for atom in value}
        found |= {atom for value in args.named.values() for atom in value if not isinstance(atom, Text)}
        return found

    def _dict(self, args: Arguments) -> set[Atom]:
        box = Box(f"{self.code.path}:{self.line}:dict:{getattr(self.current, 'col_offset', 0)}")
        for name, value in args.named.items():
            self.flow.put(box, name, value)
        for atom in (*args.spread, *(item for value in args.positional for item in value)):
            self.flow.put(box, SPREAD, {atom})
        return {box} if self.flow.boxes.get(box.site) else set()

    def _instantiate(self, args: Arguments) -> set[Atom]:
        found: set[Atom] = set()
        for atom in args.positional[0] if args.positional else ():
            if isinstance(atom, Node) and atom in self.flow.class_of:
                found.add(atom)
            elif isinstance(atom, Node):
                self.whole({atom})
                found.add(atom)
            else:
                found.add(atom)
        named = {
            name: value for name, value in args.named.items() if not name.startswith("_") and name != "config"
        }
        if not any(isinstance(atom, Node) and atom in self.flow.class_of for atom in found):
            self._made_of(named)
        for value in named.values():
            self.whole(value)
        return found

    def _made_of(self, named: dict[str, set[Atom]]) -> None:
        """A class that is not known is made: those whose ``__init__`` has all the given names may be meant."""
        if len(named) < 2:
            return
        for klass in self.flow.program.classes.values():
            init = klass.methods.get("__init__")
            if init is not None and named.keys() <= init.annotations.keys():
                for item in (klass, *klass.offspring):
                    self.construct(item, Arguments(named=named))

    current: ast.AST | None = None

    def namesakes(self, name: str, args: Arguments) -> set[Atom]:
        """A call of a method on a receiver that is not known: every method of that name may be meant."""
        found: set[Atom] = set()
        methods = self.flow.program.named.get(name, ())
        if len(methods) > MAX_NAMESAKES or not any(_carries(atom) for atom in args.all()):
            return found
        for method in methods:
            if method.klass is not None and method.kind == "method":
                found |= self.bind(Fun(method, Obj(method.klass)), args)
        return found


def _carries(atom: Atom) -> bool:
    return isinstance(atom, Node) or (isinstance(atom, Obj) and atom.klass.is_dataclass)


__all__ = ["ANY", "KEY_METHODS", "OPEN", "SAME", "Arguments", "Calls"]
