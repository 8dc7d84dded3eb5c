"""Statements: what a function stores, returns and checks."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from reviewbot.knowledge.reads.annotation import typing_of
from reviewbot.knowledge.reads.atoms import ANYTHING, NOTHING, Atom, Box, Cls, Fun, Loose, Node, Obj, Text
from reviewbot.knowledge.reads.calls import Arguments
from reviewbot.knowledge.reads.expressions import Expressions
from reviewbot.knowledge.reads.flow import Activation, Flow
from reviewbot.knowledge.reads.lookup import ANY
from reviewbot.knowledge.reads.program import Code, Fn
from reviewbot.knowledge.source import Function


class Reader(Expressions):
    """Reads one function for one receiver."""

    def run(self) -> None:
        """Note all that the function reads, and hand its values on."""
        if isinstance(self.fn, Code):
            self._module(self.fn)
            return
        self._parameters(self.fn)
        self.block(self.fn.node.body)

    def _module(self, code: Code) -> None:
        """Registrations at the top of a module: decorators and calls."""
        for node in code.source.tree.body:
            if isinstance(node, ast.ClassDef | Function):
                self._decorated(code, node)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                self.ev(node.value)

    def _decorated(self, code: Code, node: ast.ClassDef | Function) -> None:
        key = (code.name, node.name)
        klass, fn = self.flow.program.classes.get(key), self.flow.program.functions.get(key)
        atom: Atom | None = Cls(klass) if klass is not None else Fun(fn) if fn is not None else None
        for decorator in node.decorator_list:
            for callee in self.ev(decorator) if isinstance(decorator, ast.Call) else ():
                if atom is not None and isinstance(callee, Fun):
                    self.call(callee, Arguments([{atom}]))

    def _parameters(self, fn: Fn) -> None:
        if fn.node.args.vararg is not None:
            self.flow.add(("v", self.act, fn.node.args.vararg.arg), {Box(f"{fn.place()}*")})
        if fn.node.args.kwarg is not None:
            self.flow.add(("v", self.act, fn.node.args.kwarg.arg), {Box(f"{fn.place()}**")})
        for number, (name, annotation) in enumerate(fn.annotations.items()):
            cell = ("v", self.act, name)
            if number == 0 and fn.kind in ("method", "property", "class") and fn.klass is not None:
                receiver: Atom = self.ctx or (Cls(fn.klass) if fn.kind == "class" else Obj(fn.klass))
                self.flow.add(cell, {receiver})
                continue
            typed = typing_of(annotation, fn.module, self.flow.program)
            if typed.klass is not None:
                self.flow.add(cell, self.of_type(typed))
            elif not typed.plain and ("p", self.act, name) not in self.flow.passed:
                self.flow.undecided.add(self.act)
                self.flow.add(cell, ANYTHING if self.flow.final else NOTHING)
        defaults = fn.node.args.defaults
        for item, default in zip(fn.positional[len(fn.positional) - len(defaults) :], defaults, strict=True):
            self.flow.add(("v", self.act, item.arg), self.ev(default))

    def block(self, body: Iterable[ast.stmt]) -> None:
        """Statements in their order."""
        for node in body:
            self.statement(node)

    def statement(self, node: ast.stmt) -> None:
        """One statement."""
        self.line = node.lineno
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self.assign(target, node.value)
        elif isinstance(node, ast.AnnAssign):
            self._annotated(node)
        elif isinstance(node, ast.AugAssign):
            self.ev(_loaded(node.target))
            self.ev(node.value)
        elif isinstance(node, ast.Return):
            self.flow.add(("r", self.act), self.ev(node.value))
        elif isinstance(node, ast.Expr):
            self.ev(node.value)
        elif isinstance(node, ast.Assert):
            self._checked([node.test, node.msg])
        elif isinstance(node, ast.If):
            self._if(node)
        elif isinstance(node, ast.For | ast.AsyncFor):
            self.loop(node.target, node.iter)
            self.block([*node.body, *node.orelse])
        else:
            self._compound(node)

    def _compound(self, node: ast.stmt) -> None:
        if isinstance(node, ast.While):
            self.ev(node.test)
            self.block([*node.body, *node.orelse])
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                value = self.ev(item.context_expr)
                if item.optional_vars is not None:
                    self.store(item.optional_vars, value)
            self.block(node.body)
        elif isinstance(node, ast.Try):
            self.block([*node.body, *(s for handler in node.handlers for s in handler.body)])
            self.block([*node.orelse, *node.finalbody])
        elif isinstance(node, Function):
            self._inner(node)
        elif isinstance(node, ast.ImportFrom) and isinstance(self.fn, Fn):
            self._import(node)
        elif isinstance(node, ast.Raise):
            kind, self.kind = self.kind, "log"
            self.ev(node.exc)
            self.kind = kind
        elif isinstance(node, ast.Match):
            self.ev(node.subject)
            for case in node.cases:
                self.block(case.body)
        elif isinstance(node, ast.Global):
            for name in node.names:
                self.flow.passed.add(("global", self.fn, name))

    def _import(self, node: ast.ImportFrom) -> None:
        """An import within a function: the same name may come from elsewhere in another branch."""
        program = self.flow.program
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            found: set[Atom] = set(self.atoms_of(program.imported(self.code, module, alias.name)))
            other = program.modules.get(self.code.absolute(module))
            for item in program.alternatives(other, alias.name) if other is not None else ():
                found |= set(self.atoms_of(item))
            self._bind_name(alias.asname or alias.name, found)

    def _if(self, node: ast.If) -> None:
        body = [*node.body, *node.orelse]
        weak = all(_only_complains(item) or (self.makes_config and self._only_copies(item)) for item in body)
        if weak and (self.makes_config or not _is_flag(node.test)):
            self._checked([node.test])
        else:
            self.ev(node.test)
        self.block([*node.body, *node.orelse])

    def _only_copies(self, node: ast.stmt) -> bool:
        """Whether a statement of ``__post_init__`` only tests, complains, or copies one key to another."""
        if isinstance(node, ast.If):
            return all(
                _only_complains(item) or self._only_copies(item) for item in (*node.body, *node.orelse)
            )
        if isinstance(node, ast.Assign):
            return self._is_copy(node.value) or isinstance(node.value, ast.Constant)
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _is_own(node.value)

    def _checked(self, nodes: Iterable[ast.expr | None]) -> None:
        kind, self.kind = self.kind, "check" if self.kind == "read" else self.kind
        for node in nodes:
            self.ev(node)
        self.kind = kind

    def _inner(self, node: Function) -> None:
        """A function within the function."""
        fn = self.flow.children.get(id(node))
        if fn is None:
            assert isinstance(self.fn, Fn)
            fn = Fn(self.code, node, f"{self.fn.qual}.{node.name}", None, self.fn)
            self.flow.children[id(node)] = fn
        self._bind_name(node.name, {Fun(fn)})
        if self.ctx is None:
            self.flow.activate((fn, None))

    # assignments

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        """See Expressions."""
        copied = self._copied_to(target, value)
        if copied is None:
            self.store(target, self.ev(value))
            return
        self.target = copied
        held = self.ev(value)
        self.target = ""
        if not self._is_key(target):
            self.store(target, held)

    def _is_key(self, target: ast.expr) -> bool:
        """Whether an assignment's target is a key of the trees: what is copied there is noted as such."""
        if not isinstance(target, ast.Attribute):
            return False
        owner = self._owner_of(target.value)
        return bool(owner) and all(
            isinstance(atom, Node)
            and self.flow.shapes[atom.root].kind(atom.child(target.attr).path) != "absent"
            for atom in owner
        )

    def _copied_to(self, target: ast.expr, value: ast.expr) -> str | None:
        """Where the value is only copied: the config key (``feed``), or the attribute (``.name``)."""
        if not isinstance(target, ast.Attribute | ast.Subscript) or not self._is_copy(value):
            return None
        owner = self._owner_of(target.value)
        name = (
            target.attr if isinstance(target, ast.Attribute) else next(iter(self.keys_of(target.slice)), None)
        )
        if name is None or not owner:
            return None
        nodes = [atom for atom in owner if isinstance(atom, Node)]
        if nodes and len(nodes) == len(owner):
            return "|".join(sorted(f"{node.root}:{node.child(name).path}" for node in nodes))
        is_instance = all(isinstance(atom, Obj) for atom in owner)
        return f".{name}" if is_instance and isinstance(target, ast.Attribute) else None

    def _is_copy(self, value: ast.expr) -> bool:
        while True:
            if isinstance(value, ast.Attribute | ast.Subscript):
                return True
            if isinstance(value, ast.BoolOp | ast.IfExp) and self.makes_config:
                return True
            if isinstance(value, ast.Call):
                func = value.func
                if isinstance(func, ast.Attribute) and func.attr in ("get", "pop"):
                    return True
                is_getattr = isinstance(func, ast.Name) and func.id == "getattr"
                return is_getattr and len(value.args) >= 2
            return False

    def _annotated(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            return
        typed = typing_of(node.annotation, self.code, self.flow.program)
        value = self.ev(node.value)
        kept = self.fitting(value, typed)
        klass = typed.klass if typed.klass is not None and typed.klass.is_dataclass else None
        for atom in value:
            is_new = isinstance(atom, Node) and atom not in self.flow.class_of and ANY not in atom.path
            if klass is not None and isinstance(atom, Node) and is_new:
                self.flow.give_class(atom, klass)
        if not kept and typed.klass is not None and value:
            kept = self.of_type(typed)
        self.store(node.target, kept)

    def store(self, target: ast.expr, value: Iterable[Atom]) -> None:
        """See Expressions."""
        held = set(value)
        if isinstance(target, ast.Name):
            self._bind_name(target.id, held)
        elif isinstance(target, ast.Attribute):
            self._store_attribute(self._owner_of(target.value), target.attr, held)
        elif isinstance(target, ast.Subscript):
            self._store_key(target, held)
        elif isinstance(target, ast.Starred):
            self.store(target.value, held)
        elif isinstance(target, ast.Tuple | ast.List):
            for number, item in enumerate(target.elts):
                self.store(item, self._part(held, number))

    def _part(self, value: set[Atom], number: int) -> set[Atom]:
        found: set[Atom] = set()
        for atom in value:
            if isinstance(atom, Box) and str(number) in self.flow.boxes.get(atom.site, ()):
                found |= self.flow.get(("b", atom.site, str(number)), self.act)
            else:
                found |= set(self.elements(atom))
        return found

    def _bind_name(self, name: str, value: set[Atom]) -> None:
        if isinstance(self.fn, Code) or ("global", self.fn, name) in self.flow.passed:
            self.flow.add(("g", self.code.name, name), value)
            return
        self.flow.passed.add(("s", self.act, name))
        self.flow.add(("v", self.act, name), value)

    def _store_attribute(self, owner: set[Atom], name: str, value: set[Atom]) -> None:
        for atom in owner:
            if isinstance(atom, Node):
                child = self.flow.child(atom, name)
                if child is not None:
                    self.flow.add(
                        ("n", child),
                        {item for item in value if isinstance(item, Node | Obj | Box | Loose)} - {child},
                    )
            elif isinstance(atom, Obj | Cls):
                self.store_field(atom.klass, name, value)

    def _store_key(self, target: ast.Subscript, value: set[Atom]) -> None:
        owner = self._owner_of(target.value)
        keys = self.keys_of(target.slice)
        for atom in owner:
            if isinstance(atom, Box):
                for key in keys or [ANY]:
                    self.flow.put(atom, key, value - {atom})
            elif isinstance(atom, Node):
                self._store_attribute({atom}, keys[0] if keys else ANY, value)
        if not any(isinstance(atom, Box | Node) for atom in owner):
            self.gather(target.value, value)

    def gather(self, owner: ast.expr, value: Iterable[Atom]) -> None:
        """See Expressions."""
        held = {atom for atom in value if not isinstance(atom, Text)}
        if not isinstance(owner, ast.Name) or self._is_local(owner.id):
            self.store(owner, held)
            return
        found = self._owner(self.code, owner.id)
        if found is not None:
            self.flow.add(("g", found[0].name, found[1]), held)

    def _is_local(self, name: str) -> bool:
        fn = self.fn if isinstance(self.fn, Fn) else None
        while fn is not None:
            if name in fn.annotations or any(
                ("s", (fn, ctx), name) in self.flow.passed for ctx in (None, self.ctx)
            ):
                return True
            fn = fn.parent
        return False

    # what Lookup asks for

    def module_value(self, code: Code, value: ast.expr) -> Iterable[Atom]:
        """See Lookup."""
        inner = Reader(self.flow, (code, None))
        inner.act = self.act
        inner.fn = code
        return inner.ev(value)


def read(flow: Flow, activation: Activation) -> None:
    """Read one function."""
    Reader(flow, activation).run()


def _loaded(node: ast.expr) -> ast.expr:
    return node


def _is_flag(test: ast.expr) -> bool:
    """``cfg.strict``: whether to complain is what the key decides."""
    while isinstance(test, ast.UnaryOp):
        test = test.operand
    return isinstance(test, ast.Attribute | ast.Name | ast.Call | ast.Subscript)


def _is_own(call: ast.Call) -> bool:
    """``self._check(…)`` and ``object.__setattr__(self, …)``"""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id in ("self", "object")


def _only_complains(node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise | ast.Pass | ast.Assert):
        return True
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    func = node.value.func
    if isinstance(func, ast.Name):
        return func.id == "print"
    return (
        isinstance(func, ast.Attribute)
        and isinstance(func.value, ast.Name)
        and func.value.id in ("logger", "warnings", "logging")
    )


__all__ = ["Loose", "Reader", "read"]
