"""Coerce: sharpen a structure by integrity constraints, or reject it as inconsistent (empty concretisation).

Where the body of a constraint must hold, its head must: a head of 1/2 is sharpened, a definite head of the other value
is a violation. An equality that must hold on a summary node makes it a single one. Each constraint is compiled to a
function that does this for all nodes at once. Only constraints run that read a changed value (`may` shrank, `must`
grew), in the order of their dependencies.

>>> from heapwright.engines.tvl.constraints.integrity_constraints import all_constraints
>>> from heapwright.engines.tvl.structures.structure import Signature
>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> vocabulary = Vocabulary((Predicate("x", 1, unique=True),))
>>> signature = Signature(vocabulary)
>>> coercer = Coercer(Compiler(signature), all_constraints(vocabulary, ()), Layouts())
>>> draft = Draft.empty(signature, 2)
>>> draft.may[4], draft.must[4] = 0b11, 0b01
>>> coercer.coerce_all(draft), draft.may[4]
(True, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heapwright.engines.kit.deadline import NO_LIMIT, Deadline
from heapwright.engines.tvl.constraints import maybe_active_nodes as absence
from heapwright.engines.tvl.constraints.fused_constraints import Fused, Piece, fused
from heapwright.engines.tvl.formulas.evaluation import (
    MUST,
    Abstract,
    Compiler,
    Evaluate,
    Request,
    Writer,
    answer,
    assemble,
    inlined,
    template,
)
from heapwright.engines.tvl.structures.bit_sets import Layouts
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft
from heapwright.logic.formulas import And, Atom, Equal, Exists, Formula, Not, free_variables
from heapwright.logic.vocabulary import Constraint

FUSE_AFTER = 5_000  # calls, after which fusing pays
SUSPECTS = 3


class CompiledConstraint:
    """The function of one constraint, and what it depends on. Changes are numbered 2p for `may` of p shrinking,
    2p + 1 for `must` of p growing; `makes` is the change that the head brings, or -1."""

    __slots__ = ("function", "head", "identity", "makes", "reads", "reads_inequality")

    def __init__(self, compiler: Compiler, constraint: Constraint, *, loose: bool = False) -> None:
        abstract = Abstract(compiler.signature)
        atom, negative = split(constraint.head)
        shape = abstract.shape(constraint.body), abstract.shape(atom), negative, loose

        def write(writer: Writer) -> str:
            test, lines = NumberedConstraint(abstract, constraint, loose=loose).piece(writer).alone()
            return assemble(writer, (), lines, test)

        found = template(shape, write)
        self.function = compiler.made(found, abstract)
        self.identity = (found.make, *[abstract.number(name) for name in found.slots])  # of the same function
        self.head = -1
        self.makes = -1
        if isinstance(atom, Atom):
            self.head = compiler.signature.number[atom.predicate]
            self.makes = 2 * self.head + (0 if negative else 1)
        elif isinstance(atom, Equal) and atom.left != atom.right and not negative:
            self.makes = 2 * SUMMARY
        self.reads = {2 * abstract.number(name) + reading for name, reading in found.reads}
        outer = absence.opened(constraint.body, atom)[0] if loose else ()
        if len(outer or free_variables(constraint.head)) >= (2 if loose else 1):
            self.reads.add(2 * ACTIVE + 1)  # what follows of nodes, or of pairs, depends on which are there
        self.reads_inequality = found.reads_inequality


def split(head: Formula) -> tuple[Formula, bool]:
    """A literal: its atom, and whether it is negative."""
    return (head.operand, True) if isinstance(head, Not) else (head, False)


class NumberedConstraint:
    """A constraint with numbers for its predicates, ready to be written."""

    __slots__ = ("abstract", "atom", "body", "inner", "loose", "negative", "outer")

    def __init__(self, abstract: Abstract, constraint: Constraint, *, loose: bool = False) -> None:
        atom, self.negative = split(constraint.head)
        self.loose = loose
        self.abstract = abstract
        self.body = abstract.formula(constraint.body)
        self.atom = abstract.formula(atom)
        self.outer, self.inner = absence.opened(self.body, self.atom) if loose else ((), self.body)

    def piece(self, writer: Writer) -> Piece:
        if self.loose:
            axes, last = absence.conclusion(writer, self.atom, self.negative, self.outer)
        else:
            axes, last = conclusion(writer, self.atom, self.negative)
            last = [*active_only(axes), *last]
        text = answer(writer, Request(self.inner, axes, MUST), {})
        needed = dict.fromkeys(f"must[{writer.slot(name)}]" for name in needed_predicates(self.body))
        numbers = tuple([self.abstract.number(name) for name in writer.slots])
        return Piece(tuple(needed), tuple(inlined([*writer.lines[0], f"b = {text}"])), tuple(last), numbers)


def needed_predicates(body: Formula) -> list[str]:
    """Predicates that must hold somewhere for the body to hold anywhere: a cheap test."""
    match body:
        case Atom(name, arguments) if arguments:
            return [name]
        case And(operands):
            return [name for operand in operands for name in needed_predicates(operand)]
        case Exists(_, inner):
            return needed_predicates(inner)
        case _:
            return []


def conclusion(writer: Writer, atom: Formula, negative: bool) -> tuple[tuple[str, ...], list[str]]:
    """The axes of a constraint's body, and the code for the set b of assignments for which it must hold."""
    match atom:
        case Atom(name, arguments):
            axes = tuple(dict.fromkeys(arguments))
            p = writer.slot(name)
            lines = ["b = b * column & diagonal"] if len(arguments) == 2 and len(axes) == 1 else []
            if negative:
                lines += [f"if b & must[{p}]:", "    return -1", f"if b & may[{p}]:", f"    may[{p}] &= ~b"]
            else:
                lines += [f"if b & ~may[{p}]:", "    return -1", f"if b & ~must[{p}]:", f"    must[{p}] |= b"]
            return axes, [*lines, "    return 1"]
        case Equal(left, right) if left != right:
            if negative:
                return (left, right), ["if b & diagonal:", "    return -1"]
            lines = ["if b & ~diagonal:", "    return -1", f"b = on_diagonal[b] & may[{SUMMARY}]", "if b:"]
            return (left, right), [*lines, f"    may[{SUMMARY}] &= ~b", "    return 1"]
        case Equal() if not negative:
            return (), []
        case _:
            return (), ["return -1"]


def active_only(axes: Sequence[str]) -> list[str]:
    """A constraint binds only active nodes (`ac` = 1)."""
    lines = [f"if must[{ACTIVE}] != full:"] if axes else []
    for axis in range(len(axes)):
        if len(axes) == 1:
            lines.append(f"    b &= must[{ACTIVE}]")
        elif axis == 0:
            lines.append(f"    b &= spread[must[{ACTIVE}]] * full")
        else:
            lines.append(f"    b &= must[{ACTIVE}] * column")
    return lines


class Coercer:
    """The constraints of a vocabulary, compiled. `loose`: maybe-active nodes are removed where they violate one
    (see `maybe_active_nodes`); `adaptive`: so are those of drafts that have some, by the coercer that `of` gives."""

    def __init__(
        self,
        compiler: Compiler,
        constraints: Sequence[Constraint],
        layouts: Layouts,
        *,
        loose: bool = False,
        adaptive: bool = False,
        deadline: Deadline = NO_LIMIT,
    ) -> None:
        signature = self.signature = compiler.signature
        self._compiler = compiler
        self._given = constraints
        self.adaptive = adaptive
        self._loose: Coercer | None = None
        self.layouts = layouts
        self.deadline = deadline
        written = [CompiledConstraint(compiler, c, loose=loose) for c in constraints]
        ordered = in_order(written)
        self.constraints = [constraints[i] for i in ordered]
        compiled = [written[i] for i in ordered]
        self.functions: list[Evaluate] = [c.function for c in compiled]
        self.identity: object = (loose, *[c.identity for c in compiled])  # equal for the same constraints
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
        self.loose = loose
        self.suspects: list[int] = []  # constraints that were violated last
        self.runs = 0
        self.fused: Fused | None = None

    def of(self, draft: Draft) -> Coercer:
        """The coercer of a draft."""
        if not self.adaptive or draft.must[ACTIVE] == (1 << draft.n) - 1:
            return self
        if self._loose is None:
            self._loose = Coercer(self._compiler, self._given, self.layouts, loose=True, deadline=self.deadline)
        return self._loose

    def fuse(self) -> None:
        """From now on run all constraints in one function."""
        pieces = [
            NumberedConstraint(Abstract(self.signature), constraint).piece(Writer()) for constraint in self.constraints
        ]
        self.fused = fused(pieces, self.following)

    def coerce_all(self, draft: Draft) -> bool:
        return self.run(draft, self.everything) < 0

    def coerce(self, draft: Draft) -> bool:
        """After focus: the structure satisfied all constraints before the changes in `touched`. False for a violation.
        Mostly the same few constraints are violated again and again: those are tried first."""
        pending = self.disturbed(draft)
        if not self.loose:
            layout = self.layouts.of(draft.n)
            for i in self.suspects:
                if pending >> i & 1:
                    pending ^= 1 << i
                    outcome = self.functions[i](draft.may, draft.must, layout)
                    if outcome:
                        if outcome < 0:
                            return False
                        pending |= self.following[i]
        breached = self.run(draft, pending)
        if breached < 0:
            return True
        self.suspects = [breached, *(i for i in self.suspects if i != breached)][:SUSPECTS]
        return False

    def disturbed(self, draft: Draft) -> int:
        """The constraints that read a value in `touched`."""
        touched = draft.touched
        if touched < 0:
            return self.everything
        pending = self.inequality if draft.split else 0
        while touched:
            change = touched.bit_length() - 1
            touched ^= 1 << change
            pending |= self.readers[change]
        return pending

    def affected(
        self, before_may: Sequence[int], before_must: Sequence[int], draft: Draft, changed: Sequence[int]
    ) -> int:
        """The constraints that an update of some predicates may violate."""
        pending = 0
        for p in changed:
            old, new = before_may[p], draft.may[p]
            if old != new:
                if old & ~new:
                    pending |= self.readers[2 * p]
                if new & ~old:
                    pending |= self.heads[2 * p]
            old, new = before_must[p], draft.must[p]
            if old != new:
                if old & ~new:
                    pending |= self.heads[2 * p + 1]
                if new & ~old:
                    pending |= self.readers[2 * p + 1]
        return pending

    def run(self, draft: Draft, pending: int, leaves: Callable[[int], bool] | None = None) -> int:
        """Run constraints until nothing changes. Returns the number of a violated constraint, or -1. `leaves` is called
        before nodes are removed; if it returns False, that is a violation."""
        self.deadline.check()
        layout = self.layouts.of(draft.n)
        may, must = draft.may, draft.must
        if self.fused is not None:
            breached = self.fused(may, must, layout, pending)
            if breached < 0:
                draft.touched = 0
                draft.split = False
            return breached
        self.runs += 1
        if self.runs == FUSE_AFTER and not self.loose:
            self.fuse()
        functions, following = self.functions, self.following
        while pending:
            low = pending & -pending
            pending ^= low
            i = low.bit_length() - 1
            outcome = functions[i](may, must, layout)
            if outcome:
                if outcome < 0:
                    gone = ~outcome
                    if not gone or (leaves is not None and not leaves(gone)):
                        return i
                    draft.remove(gone, self.signature)
                    layout = self.layouts.of(draft.n)
                    pending = self.everything
                    continue
                pending |= following[i]
        draft.touched = 0
        draft.split = False
        return -1


def in_order(compiled: Sequence[CompiledConstraint]) -> list[int]:
    """Constraints in the order of their dependencies (heads before bodies that read them), by strongly connected
    components."""
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
    stacked: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(successors)):
        if root in index:
            continue
        work = [(root, 0)]
        while work:
            node, edge = work.pop()
            if edge == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
                stacked.add(node)
            if edge < len(successors[node]):
                work.append((node, edge + 1))
                following = successors[node][edge]
                if following not in index:
                    work.append((following, 0))
                elif following in stacked:
                    low[node] = min(low[node], index[following])
                continue
            for following in successors[node]:
                if following in stacked:
                    low[node] = min(low[node], low[following])
            if low[node] == index[node]:
                cut = stack.index(node)
                found.append(stack[cut:])
                stacked.difference_update(stack[cut:])
                del stack[cut:]
    return found[::-1]
