"""Code generation: Python that computes one reading of a formula, `may` or `must`, for all nodes at once.

A variable is an axis of the answer or bound to one node, as `mask_code` has it. A quantifier becomes an operation on
relations: `E(w) p(u,w) & q(w,v)` is their composition, `E(w) x(w) & q(w,v)` the image of a set. The operands come again
and again, so that these operations are tables, which remember their results. Of several variables the one with the
fewest neighbours goes first. Where a conjunct ties three variables together, the quantifier becomes a loop over the
nodes that the cheap conjuncts of its body (the guard) leave; what does not depend on a loop is computed once before it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from heapwright.engines.tvl.formulas.mask_code import (
    BOTH,
    FIRST,
    LAST,
    ONE,
    SCALAR,
    ZERO,
    Binding,
    Value,
    as_kind,
    at,
    both,
    complement,
    either,
)
from heapwright.engines.tvl.formulas.rewriting import renamed
from heapwright.engines.tvl.formulas.subformula_numbering import Numbering, conjuncts, first_use, negated
from heapwright.engines.tvl.structures.structure import BUILT_IN, SUMMARY
from heapwright.logic import formulas as f

MAY, MUST = 0, 1
BUILT_IN_NUMBERS = {predicate.name: number for number, predicate in enumerate(BUILT_IN)}

Environment = Mapping[str, Binding]
Key = tuple[int, int, tuple[Binding, ...]]  # a formula, by number; its reading; the bindings of its free variables


class Writer:
    """Writes the body of one function. Lines belong to loop levels; level 0 is the function itself. Predicates are
    written as the names P0, P1, ... of variables that hold their numbers, so that formulas which differ in nothing but
    their predicates have the same text."""

    def __init__(self) -> None:
        self.slots: dict[str, int] = {}
        self.numbering = Numbering()
        self.free = self.numbering.free
        self.lines: list[list[str]] = [[]]
        self.memo: list[dict[Key, Value]] = [{}]
        self.names: list[dict[str, str]] = [{}]
        self.count = 0
        self.reads: set[tuple[str, int]] = set()
        self.reads_inequality = False
        self._set_aside: list[tuple[list[list[str]], list[dict[Key, Value]], list[dict[str, str]]]] = []

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def keep(self, level: int, text: str) -> str:
        """A local variable that holds the value of an expression, computed at a level."""
        if text.isidentifier():
            return text
        for names in self.names[: level + 1]:
            if text in names:
                return names[text]
        name = self.fresh("t")
        self.lines[level].append(f"{name} = {text}")
        self.names[level][text] = name
        return name

    def slot(self, predicate: str) -> str:
        """The text of a predicate's number."""
        if predicate in BUILT_IN_NUMBERS:
            return str(BUILT_IN_NUMBERS[predicate])
        return f"P{self.slots.setdefault(predicate, len(self.slots))}"

    def table(self, predicate: str, reading: int) -> str:
        self.reads.add((predicate, reading))
        return self.keep(0, f"{'must' if reading else 'may'}[{self.slot(predicate)}]")

    # --- formulas ---

    def value(self, formula: f.Formula, reading: int, environment: Environment) -> Value:
        number = self.numbering.number(formula)
        free = self.numbering.variables[number]
        key: Key = (number, reading, tuple([environment[v] for v in free]))
        for memo in self.memo:
            found = memo.get(key)
            if found is not None:
                return found
        level = max([environment[v].level for v in free], default=0)
        if level and len(free) <= 2 and self._better_at_once(formula, free, environment):
            result = self._at_once(formula, free, reading, environment)
        else:
            result = self._value(formula, reading, environment, level)
        if result.kind != SCALAR or not result.text.isdigit():
            result = Value(result.kind, self.keep(level, result.text))
        self.memo[level][key] = result
        return result

    def _better_at_once(self, formula: f.Formula, free: tuple[str, ...], environment: Environment) -> bool:
        """Inside loops: is it cheaper to evaluate the formula before them, for all nodes? It is if it has loops inside
        loops itself, or if the loops around it visit all nodes anyway."""
        weight = self.numbering.weight(formula)
        if weight == 0 or isinstance(formula, f.Not):
            return False
        return weight > 1 or all(environment[v].every or environment[v].kind != SCALAR for v in free)

    def _at_once(self, formula: f.Formula, free: tuple[str, ...], reading: int, environment: Environment) -> Value:
        """Evaluate a formula inside loops over all nodes as a set or relation, outside of them."""
        names = {v: f"#{i}" for i, v in enumerate(sorted(free, key=first_use(formula).__getitem__))}
        general = renamed(formula, names)
        if len(names) == 1:
            (variable,) = names
            members = as_kind(self.value(general, reading, {"#0": Binding(LAST)}), LAST)
            return at(self.keep(0, members.text), environment[variable])
        left, right = names
        pairs = as_kind(self.value(general, reading, {"#0": Binding(FIRST), "#1": Binding(LAST)}), BOTH)
        return self._pair(self.keep(0, pairs.text), left, right, environment)

    def _value(self, formula: f.Formula, reading: int, environment: Environment, level: int) -> Value:
        match formula:
            case f.Truth(value):
                return ONE if value is f.Kleene.TRUE or (value is f.Kleene.HALF and reading == MAY) else ZERO
            case f.Atom(name, arguments):
                return self._atom(name, arguments, reading, environment)
            case f.Equal(left, right):
                return self._equal(left, right, reading, environment)
            case f.Not(operand):
                return complement(self.value(operand, 1 - reading, environment))
            case f.And():
                return both([self.value(part, reading, environment) for part in conjuncts(formula)])
            case f.Or(operands):
                return either([self.value(part, reading, environment) for part in operands])
            case f.IfThenElse(condition, then, other):
                cases = (f.And((condition, then)), f.And((negated(condition), other)), f.And((then, other)))
                return self._value(f.Or(cases), reading, environment, level)
            case f.Iff(left_side, right_side):
                same = f.And((left_side, right_side)), f.And((negated(left_side), negated(right_side)))
                return self._value(f.Or(same), reading, environment, level)
            case f.Exists(variables, body):
                return self._exists(list(variables), body, reading, environment)
            case f.ForAll():
                return complement(self.value(negated(formula), 1 - reading, environment))
            case f.TransitiveClosure():
                return self._closure(formula, reading, environment)

    def _atom(self, name: str, arguments: tuple[str, ...], reading: int, environment: Environment) -> Value:
        table = self.table(name, reading)
        if not arguments:
            return Value(SCALAR, table)
        if len(arguments) == 1:
            return at(table, environment[arguments[0]])
        return self._pair(table, arguments[0], arguments[1], environment)

    def _pair(self, relation: str, left: str, right: str, environment: Environment) -> Value:
        """The value of a relation, given by the name of its mask, for two variables."""
        i, j = environment[left], environment[right]
        if left == right:
            if i.kind == SCALAR:
                return Value(SCALAR, f"{relation} >> {i.name} * (n + 1) & 1")
            return at(f"on_diagonal[{relation} & diagonal]", i)
        if i.kind == SCALAR and j.kind == SCALAR:
            return Value(SCALAR, f"{relation} >> {i.name} * n + {j.name} & 1")
        if i.kind == SCALAR:
            return at(f"({relation} >> {i.name} * n & full)", j)
        if j.kind == SCALAR:
            column = f"({relation} >> {j.name} & column)"
            return Value(FIRST, column) if i.kind == FIRST else Value(LAST, f"gathered[{column}]")
        return Value(BOTH, relation if i.kind == FIRST else f"transposed[{relation}]")

    def _equal(self, left: str, right: str, reading: int, environment: Environment) -> Value:
        if left == right:
            return ONE
        i, j = environment[left], environment[right]
        if reading == MAY:
            self.reads_inequality = True
            single = "full"
        else:
            self.reads.add(("sm", MAY))
            single = self.keep(0, f"full & ~may[{SUMMARY}]")
        if i.kind == SCALAR and j.kind == SCALAR:
            same = f"{i.name} == {j.name}"
            return Value(SCALAR, f"int({same})" if reading == MAY else f"({same}) & {single} >> {i.name}")
        if i.kind == SCALAR or j.kind == SCALAR:
            node, axis = (i, j) if i.kind == SCALAR else (j, i)
            return at(f"(1 << {node.name} & {single})", axis)
        return Value(BOTH, "diagonal" if reading == MAY else self.keep(0, f"diagonal & {single} * column"))

    def _closure(self, formula: f.TransitiveClosure, reading: int, environment: Environment) -> Value:
        others = self.free(formula.body) - {formula.source, formula.target}
        for variable in sorted(others):
            if environment[variable].kind != SCALAR:
                return self._by_node(formula, variable, reading, environment)
        inner = {v: environment[v] for v in others}
        inner[formula.source] = Binding(FIRST)
        inner[formula.target] = Binding(LAST)
        level = max((environment[v].level for v in others), default=0)
        step = as_kind(self.value(formula.body, reading, inner), BOTH)
        through = "full" if reading == MAY else self.table("ac", MUST)
        closed = self.keep(level, f"closed[{step.text}, {through}]")
        return self._pair(closed, formula.left, formula.right, environment)

    def _by_node(self, formula: f.Formula, variable: str, reading: int, environment: Environment) -> Value:
        """Evaluate for each node of an axis in turn: for the few formulas that cannot be done at once."""
        free = self.free(formula) - {variable}
        level = max((environment[v].level for v in free), default=0)
        axis = environment[variable].kind
        node, result = self.fresh("v"), self.fresh("r")
        self._enter(level)
        inner = {v: environment[v] for v in free}
        inner[variable] = Binding(SCALAR, node, level + 1)
        value = self._value(formula, reading, inner, level + 1)
        value = Value(value.kind, self.keep(level + 1, value.text))
        two = any(environment[v].kind in (FIRST, LAST) for v in free)
        if axis == FIRST:
            value, shift, kind = as_kind(value, LAST) if two else value, f"{node} * n", BOTH if two else FIRST
        else:
            value, shift, kind = as_kind(value, FIRST) if two else value, node, BOTH if two else LAST
        self._leave(level, result, f"for {node} in range(n):", f"{result} |= {value.text} << {shift}")
        return Value(kind, result)

    def _enter(self, level: int) -> None:
        """Begin a loop just inside a level. Deeper levels that are being written wait: they are set aside."""
        self._set_aside.append((self.lines[level + 1 :], self.memo[level + 1 :], self.names[level + 1 :]))
        self.lines[level + 1 :] = [[]]
        self.memo[level + 1 :] = [{}]
        self.names[level + 1 :] = [{}]

    def _leave(self, level: int, result: str, header: str, *last: str) -> None:
        body = [*self.lines[level + 1], *last]
        self.lines[level].append(f"{result} = 0")
        self.lines[level].append(header)
        self.lines[level].extend("    " + line for line in body)
        lines, memo, names = self._set_aside.pop()
        self.lines[level + 1 :] = lines
        self.memo[level + 1 :] = memo
        self.names[level + 1 :] = names

    # --- quantifiers ---

    def _exists(self, variables: list[str], body: f.Formula, reading: int, environment: Environment) -> Value:
        while isinstance(body, f.Exists):
            if set(body.variables) & set(variables):
                variables = [v for v in variables if v not in body.variables]
            variables = [*variables, *body.variables]
            body = body.body
        if isinstance(body, f.Not) and isinstance(body.operand, f.And | f.Or | f.Not | f.ForAll | f.Exists):
            return self._exists(variables, negated(body.operand), reading, environment)
        if isinstance(body, f.Or):
            parts = [self.value(f.Exists(tuple(variables), part), reading, environment) for part in body.operands]
            return either(parts)
        if isinstance(body, f.IfThenElse):
            cases = (
                f.And((body.condition, body.then)),
                f.And((negated(body.condition), body.other)),
                f.And((body.then, body.other)),
            )
            return self._exists(variables, f.Or(cases), reading, environment)
        parts_inside: list[f.Formula] = []
        outside: list[Value] = []
        bound = set(variables)
        for part in conjuncts(body):
            if self.free(part) & bound:
                parts_inside.append(part)
            else:
                outside.append(self.value(part, reading, environment))
        used = set[str]().union(*(self.free(part) for part in parts_inside)) if parts_inside else set()
        idle = [v for v in variables if v not in used]
        if idle:
            universe = self.table("ac", MUST) if reading == MUST else "full"
            outside.append(Value(SCALAR, f"(1 if {universe} else 0)"))
        variables = [v for v in variables if v in used]
        if variables:
            outside.append(self._without(variables, parts_inside, reading, environment))
        return both(outside)

    def _without(self, variables: list[str], parts: list[f.Formula], reading: int, environment: Environment) -> Value:
        """Some nodes for the variables make all parts hold. Variables go one by one, that with the fewest neighbours
        first: what speaks of it becomes one part, a set or a relation between its neighbours."""
        environment = {v: binding for v, binding in environment.items() if v not in variables}
        while len(variables) > 1:
            neighbours = {v: self._neighbours(v, parts, environment) for v in variables}
            variable = min(variables, key=lambda v: len(neighbours[v]))
            if len(neighbours[variable]) > 2:
                return self._loop(variables, parts, reading, environment)
            own = [part for part in parts if variable in self.free(part)]
            parts = [part for part in parts if part not in own]
            parts.append(f.Exists((variable,), f.And(tuple(own)) if len(own) > 1 else own[0]))
            variables = [v for v in variables if v != variable]
            if len(neighbours[variable]) == 0:
                return both(
                    [
                        self.value(parts.pop(), reading, environment),
                        self._without(variables, parts, reading, environment),
                    ]
                )
        (variable,) = variables
        if any(len(self._neighbours(variable, [part], environment)) > 1 for part in parts):
            return self._loop(variables, parts, reading, environment)
        return self._composed(variable, parts, reading, environment)

    def _neighbours(self, variable: str, parts: list[f.Formula], environment: Environment) -> set[str]:
        """The terms to which parts tie a variable, apart from single nodes."""
        found = set[str]().union(*[self.free(part) for part in parts if variable in self.free(part)]) - {variable}
        return {v for v in found if v not in environment or environment[v].kind != SCALAR}

    def _composed(self, variable: str, parts: list[f.Formula], reading: int, environment: Environment) -> Value:
        """A quantifier over one variable as an operation on relations: each part ties it to one axis at most."""
        guards: list[Value] = []
        sources: list[Value] = []
        targets: list[Value] = []
        level = 0
        for part in parts:
            others = {v: environment[v] for v in self.free(part) if v != variable}
            level = max([level, *(binding.level for binding in others.values())])
            axes = [binding.kind for binding in others.values() if binding.kind != SCALAR]
            axis, kept = (FIRST, targets) if axes == [LAST] else (LAST, sources if axes else guards)
            kept.append(self.value(part, reading, {**others, variable: Binding(axis)}))
        if reading == MUST:
            guards.append(Value(LAST, self.table("ac", MUST)))
        guard, source, target = (
            as_kind(both(values), kind) for values, kind in ((guards, LAST), (sources, BOTH), (targets, BOTH))
        )
        if "0" in (guard.text, source.text, target.text):
            return ZERO
        if sources and targets:
            return Value(BOTH, self.keep(level, f"composed[{source.text}, {target.text}, {guard.text}]"))
        if sources:
            return Value(FIRST, self.keep(level, f"meeting[{source.text}, {guard.text}]"))
        if targets:
            return Value(LAST, self.keep(level, f"image[{target.text}, {guard.text}]"))
        return Value(SCALAR, f"(1 if {guard.text} else 0)")

    def _loop(self, variables: list[str], parts: list[f.Formula], reading: int, environment: Environment) -> Value:
        nodes = {v for v, binding in environment.items() if binding.kind == SCALAR} - set(variables)
        variable = max(variables, key=lambda v: (self._guard_rank(v, parts, nodes), -variables.index(v)))
        others = [v for v in variables if v != variable]
        guards = [part for part in parts if variable in self.free(part) and self.free(part) <= nodes | {variable}]
        rest = [part for part in parts if part not in guards]
        inner: dict[str, Binding] = {v: environment[v] for v in nodes}
        inner[variable] = Binding(LAST)
        limits = [as_kind(self.value(guard, reading, inner), LAST) for guard in guards]
        if reading == MUST:
            limits.append(Value(LAST, self.table("ac", MUST)))
        guard = both(limits) if limits else Value(LAST, "full")
        if not rest and not others:
            return Value(SCALAR, f"(1 if {guard.text} else 0)")
        free = set[str]().union(*(self.free(part) for part in parts)) - set(variables)
        level = max((environment[v].level for v in free), default=0)
        return self._over(level, guard.text, variable, others, rest, reading, environment, bool(guards))

    def _over(
        self,
        level: int,
        guard: str,
        variable: str,
        others: list[str],
        rest: list[f.Formula],
        reading: int,
        environment: Environment,
        guarded: bool,
    ) -> Value:
        node, result, left = self.fresh("v"), self.fresh("r"), self.fresh("g")
        if guarded:
            guard = self.keep(level, guard)
        self._enter(level)
        inner = {v: b for v, b in environment.items() if v not in others}
        inner[variable] = Binding(SCALAR, node, level + 1, not guarded)
        body: f.Formula = f.And(tuple(rest)) if len(rest) != 1 else rest[0]
        value = self.value(f.Exists(tuple(others), body) if others else body, reading, inner)
        closing = [f"{result} |= {value.text}"]
        if value.kind == SCALAR:
            closing = [f"if {value.text}:", f"    {result} = 1", "    break"]
        if guarded or reading == MUST:
            self.lines[level].append(f"{left} = {guard}")
            opening = [f"{node} = {left}.bit_length() - 1", f"{left} ^= 1 << {node}"]
            self.lines[level + 1][:0] = opening
            self._leave(level, result, f"while {left}:", *closing)
        else:
            self._leave(level, result, f"for {node} in range(n):", *closing)
        return Value(value.kind, result)

    def _guard_rank(self, variable: str, parts: list[f.Formula], nodes: set[str]) -> int:
        rank = 0
        for part in parts:
            free = self.free(part)
            if variable in free and free <= nodes | {variable}:
                rank = max(rank, 2 if isinstance(part, f.Atom) else 1)
        return rank


LOCALS = {
    "n": "layout.n",
    "full": "layout.full",
    "column": "layout.column",
    "diagonal": "layout.diagonal",
    "square": "layout.square",
    "spread": "layout.spread",
    "gathered": "layout.gathered",
    "on_diagonal": "layout.on_diagonal",
    "transposed": "layout.transposed",
    "closed": "layout.closed",
    "image": "layout.image",
    "meeting": "layout.meeting",
    "composed": "layout.composed",
}
WORD = re.compile(r"[a-z_]+\b")
LOCAL = re.compile(r"\bt\d+\b")  # as `Writer.keep` names them
LONGEST = 200  # characters that become part of another line: Python takes 200 parentheses inside each other


def assemble(writer: Writer, parameters: Sequence[str], lines: Sequence[str], first: Sequence[str] = ()) -> str:
    """The text of a function that makes the function of given predicates. What it uses of the layout becomes local,
    but not for the first lines."""
    words = set(WORD.findall("\n".join(lines)))
    head = [f"{local} = {source}" for local, source in LOCALS.items() if local in words]
    body = "\n        ".join([*first, *head, *lines])
    slots = ", ".join(f"P{i}" for i in range(len(writer.slots)))
    arguments = ", ".join(["may", "must", "layout", *parameters])
    return f"def make({slots}):\n    def evaluate({arguments}):\n        {body}\n    return evaluate\n"


def inlined(lines: Sequence[str]) -> list[str]:
    """The same computation with fewer local variables: those that are used once, outside of loops, become part of the
    line that uses them, and those that are not used are left out. That halves the time to compile it.

    >>> inlined(["t1 = may[P0]", "t2 = t1 | 1", "t3 = must[P0]", "return (t2, t1)"])
    ['t1 = may[P0]', 'return ((t1 | 1), t1)']
    """
    uses = Counter(LOCAL.findall("\n".join(lines)))
    inside = set(LOCAL.findall("\n".join([line for line in lines if line[0] == " "])))
    values: dict[str, str] = {}

    def value(found: re.Match[str]) -> str:
        return values.get(found[0]) or found[0]

    kept: list[str] = []
    for line in lines:
        name, _, text = line.partition(" = ")
        if values:
            text = LOCAL.sub(value, text)
        if uses[name] == 2 and name not in inside and len(text) < LONGEST:
            values[name] = f"({text})" if " " in text else text
        elif uses[name] != 1:
            kept.append(f"{name} = {text}" if text else LOCAL.sub(value, line))
    return kept
