"""Coerce: sharpen a structure by integrity constraints, or find that it stands for nothing.

Where the body of a constraint must hold, its head must: a head of 1/2 is sharpened, a head that is definitely wrong is
a breach. An equality that must hold on a summary node makes it a single one. Each constraint is compiled to a function
that does this for all nodes at once. Only constraints run that read something that changed (what may hold shrank, what
must hold grew), in an order in which those come first on which others depend.

>>> from heapwright.engines.tvl.constraints import all_constraints
>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> vocabulary = Vocabulary((Predicate("x", 1, unique=True),))
>>> signature = Signature(vocabulary)
>>> coercer = Coercer(signature, all_constraints(vocabulary, ()), Layouts())
>>> draft = Draft.empty(signature, 2)
>>> draft.may[4], draft.must[4] = 0b11, 0b01
>>> coercer.coerce_all(draft), draft.may[4]
(True, 1)
"""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.engines.tvl.evaluate import MAY, MUST, Evaluate, Request, Writer, answer, assemble, define
from heapwright.engines.tvl.layout import Layouts
from heapwright.engines.tvl.structure import ACTIVE, SUMMARY, Draft, Signature
from heapwright.logic.formulas import Atom, Equal, Formula, Not, free_variables
from heapwright.logic.vocabulary import Constraint

BREACH = -1


class Compiled:
    """The text of one constraint's function, and what it depends on. Changes are numbered 2p for `may` of p shrinking,
    2p + 1 for `must` of p growing; `makes` is the change that the head brings, or -1."""

    __slots__ = ("head", "makes", "negative", "reads", "reads_inequality", "source")

    def __init__(self, signature: Signature, constraint: Constraint, name: str) -> None:
        writer = Writer(signature)
        head = constraint.head
        self.negative = isinstance(head, Not)
        atom = head.operand if isinstance(head, Not) else head
        self.head = -1
        self.makes = -1
        if isinstance(atom, Atom):
            axes = tuple(dict.fromkeys(atom.arguments))
            self.head = signature.number[atom.predicate]
            self.makes = 2 * self.head + (0 if self.negative else 1)
            last = self._predicate(signature.arity[self.head], len(axes))
        elif isinstance(atom, Equal) and atom.left != atom.right:
            axes = (atom.left, atom.right)
            last = self._equality()
            self.makes = -1 if self.negative else 2 * SUMMARY
        else:
            axes = ()
            last = [] if isinstance(atom, Equal) and not self.negative else ["return -1"]
        text = answer(writer, Request(constraint.body, axes, MUST), {})
        lines = [*writer.lines[0], f"b = {text}", "if not b:", "    return 0"]
        lines += active_only(constraint.body, axes)
        self.source = assemble(name, (), [*lines, *last, "return 0"])
        self.reads = {2 * predicate + reading for predicate, reading in writer.reads}
        self.reads_inequality = writer.reads_inequality

    def _predicate(self, arity: int, axes: int) -> list[str]:
        p = self.head
        widen = ["b = b * column & diagonal"] if arity == 2 and axes == 1 else []
        if self.negative:
            return [
                *widen,
                f"if b & must[{p}]:",
                "    return -1",
                f"if b & may[{p}]:",
                f"    may[{p}] &= ~b",
                "    return 1",
            ]
        return [
            *widen,
            f"if b & ~may[{p}]:",
            "    return -1",
            f"if b & ~must[{p}]:",
            f"    must[{p}] |= b",
            "    return 1",
        ]

    def _equality(self) -> list[str]:
        if self.negative:
            return ["if b & diagonal:", "    return -1"]
        return [
            "if b & ~diagonal:",
            "    return -1",
            f"b = on_diagonal[b] & may[{SUMMARY}]",
            "if b:",
            f"    may[{SUMMARY}] &= ~b",
            "    return 1",
        ]


def active_only(body: Formula, axes: Sequence[str]) -> list[str]:
    """A constraint binds only nodes that are there for certain."""
    bound = [axis for axis, variable in enumerate(axes) if variable in free_variables(body)]
    if not bound:
        return []
    lines = [f"if must[{ACTIVE}] != full:"]
    for axis in bound:
        if len(axes) == 1:
            lines.append(f"    b &= must[{ACTIVE}]")
        elif axis == 0:
            lines.append(f"    b &= spread[must[{ACTIVE}]] * full")
        else:
            lines.append(f"    b &= must[{ACTIVE}] * column")
    return lines


class Coercer:
    """The constraints of a vocabulary, compiled."""

    def __init__(self, signature: Signature, constraints: Sequence[Constraint], layouts: Layouts) -> None:
        self.signature = signature
        self.layouts = layouts
        written = [Compiled(signature, c, f"c{i}") for i, c in enumerate(constraints)]
        ordered = in_order(written)
        self.constraints = [constraints[i] for i in ordered]
        compiled = [written[i] for i in ordered]
        names = [f"c{i}" for i in ordered]
        self.functions: list[Evaluate] = define("\n".join(c.source for c in compiled), names)
        self.everything = (1 << len(compiled)) - 1
        self.readers = [0] * (2 * signature.size)
        self.heads = [0] * (2 * signature.size)  # by the change of which they undo the lack
        self.inequality = 0
        for i, c in enumerate(compiled):
            for change in c.reads:
                self.readers[change] |= 1 << i
            if c.head >= 0:
                self.heads[c.makes] |= 1 << i
            if c.reads_inequality:
                self.inequality |= 1 << i
        self.following = [self.readers[c.makes] if c.makes >= 0 else 0 for c in compiled]

    def coerce_all(self, draft: Draft) -> bool:
        return self.run(draft, self.everything) < 0

    def coerce(self, draft: Draft) -> bool:
        """After focus: the structure met all constraints before what `touched` tells. False for a breach."""
        pending = self.inequality if draft.split else 0
        touched = draft.touched
        if touched < 0:
            return self.coerce_all(draft)
        while touched:
            change = touched.bit_length() - 1
            touched ^= 1 << change
            pending |= self.readers[change]
        return self.run(draft, pending) < 0

    def affected(self, before_may: Sequence[int], before_must: Sequence[int], draft: Draft, changed: Sequence[int]) -> int:
        """The constraints that an update of some predicates may have disturbed."""
        pending = 0
        for p in changed:
            lost, gained = before_may[p] & ~draft.may[p], draft.may[p] & ~before_may[p]
            if lost:
                pending |= self.readers[2 * p]
            if gained:
                pending |= self.heads[2 * p]
            lost, gained = before_must[p] & ~draft.must[p], draft.must[p] & ~before_must[p]
            if lost:
                pending |= self.heads[2 * p + 1]
            if gained:
                pending |= self.readers[2 * p + 1]
        return pending

    def run(self, draft: Draft, pending: int) -> int:
        """Run constraints until nothing changes. Returns the number of a constraint that is breached, or -1."""
        layout = self.layouts.of(draft.n)
        may, must = draft.may, draft.must
        functions, following = self.functions, self.following
        while pending:
            low = pending & -pending
            pending ^= low
            i = low.bit_length() - 1
            outcome = functions[i](may, must, layout)
            if outcome:
                if outcome < 0:
                    return i
                pending |= following[i]
        draft.touched = 0
        draft.split = False
        return -1


def in_order(compiled: Sequence[Compiled]) -> list[int]:
    """Constraints so that those come first whose heads others read, strongly connected ones together."""
    readers: dict[int, list[int]] = {}
    for i, c in enumerate(compiled):
        for change in c.reads:
            readers.setdefault(change, []).append(i)
    successors = [readers.get(c.makes, []) if c.makes >= 0 else [] for c in compiled]
    return [i for component in components(successors) for i in sorted(component)]


def components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """Strongly connected components, each before those that it leads to (Tarjan's algorithm, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    found: list[list[int]] = []
    for root in range(len(successors)):
        if root in index:
            continue
        work = [(root, 0)]
        while work:
            node, place = work.pop()
            if place == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
            if place < len(successors[node]):
                work.append((node, place + 1))
                following = successors[node][place]
                if following not in index:
                    work.append((following, 0))
                elif following in stack:
                    low[node] = min(low[node], index[following])
                continue
            for following in successors[node]:
                if following in stack:
                    low[node] = min(low[node], low[following])
            if low[node] == index[node]:
                cut = stack.index(node)
                found.append(stack[cut:])
                del stack[cut:]
    return found[::-1]


__all__ = ["BREACH", "MAY", "Coercer", "Draft", "Layouts", "Signature", "components", "in_order"]
