"""Focus: split a structure into several in which a formula has a definite value for every assignment.

The formula goes into disjunctive normal form, its quantifiers are dropped, and the literals of each conjunction are
focused one after another: nullary ones first, then unary ones (those of `unique` predicates first: one node at most
bears them), then binary ones, as soon as one of their variables is bound by an earlier literal. Where a literal is 1/2
the structure splits: false, true, and, on a summary node, split in two of which one has it true. Definite assignments
of a literal are passed on to the next one.

The split of a pair of two summary nodes would not terminate: it is left at 1/2.
"""

from __future__ import annotations

from collections.abc import Iterable

from heapwright.base.errors import InputError
from heapwright.engines.kit.deadline import NO_LIMIT, Deadline
from heapwright.engines.tvl.formulas.rewriting import all_variables, fresh_variable, prenex_dnf, renamed
from heapwright.engines.tvl.structures.bit_sets import bits
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature
from heapwright.logic.formulas import HALF, Atom, Equal, Formula, Not, TransitiveClosure, Truth, free_variables, text

Assignment = dict[str, int]
State = tuple[Draft, list[Assignment]]


class Step:
    """One literal. `new` are the variables that it binds, `old` those that were bound before, `later` those that
    later steps use."""

    __slots__ = ("arguments", "later", "negative", "new", "now", "old", "passes_on", "predicate")

    def __init__(self, predicate: int, arguments: tuple[str, ...], negative: bool) -> None:
        self.predicate = predicate
        self.arguments = arguments
        self.negative = negative
        self.new: tuple[str, ...] = ()
        self.old: tuple[str, ...] = ()
        self.later: frozenset[str] = frozenset()
        self.now: frozenset[str] = frozenset()  # this step's variables and those of later ones
        self.passes_on = False  # later steps use variables that this one binds


class Focus:
    """A focus formula, prepared for a signature. `decides`: all maybe-active nodes that the value of the formula
    depends on become active or are removed. Otherwise (under loose embedding) that is done where they would make a
    quantified formula true; a literal that is 1/2 on such a node becomes true on an active copy of it, and the rest
    stays maybe-active."""

    def __init__(
        self, signature: Signature, formula: Formula, *, decides: bool = True, deadline: Deadline = NO_LIMIT
    ) -> None:
        self.signature = signature
        self.deadline = deadline
        self.decides = decides
        self.free = free_variables(formula)
        _, terms = prenex_dnf(formula)
        self.conjunctions = [self._steps(term, formula) for term in terms]

    def apply(self, structures: list[Draft]) -> list[Draft]:
        for steps in self.conjunctions:
            states: list[State] = [(draft, [{}]) for draft in structures]
            for step in steps:
                if not self.decides:
                    states = [decided for state in states for decided in self._decided(step, state)]
                states = [after for state in states for after in self._step(step, state)]
            structures = [draft for draft, _ in states]
        return structures

    # --- preparation ---

    def _steps(self, term: tuple[Formula, ...], formula: Formula) -> list[Step]:
        groups: list[list[Step]] = [[], [], []]  # nullary, unary of unique predicates, other unary
        unbound: list[Step] = []
        bound: set[str] = set()
        for literal in term:
            negative = isinstance(literal, Not)
            atom = literal.operand if isinstance(literal, Not) else literal
            if isinstance(atom, TransitiveClosure):
                used = all_variables(formula) | all_variables(atom)
                source = fresh_variable(used)
                target = fresh_variable(used, {source})
                atom, negative = renamed(atom.body, {atom.source: source, atom.target: target}), False
            if (isinstance(atom, Equal) and atom.left == atom.right) or (isinstance(atom, Truth) and atom != HALF):
                continue
            if not isinstance(atom, Atom):
                raise InputError(
                    f"cannot focus on {text(atom)}, in {text(formula)}: it may take infinitely many structures"
                )
            step = Step(self.signature.number[atom.predicate], atom.arguments, negative)
            predicate = self.signature.predicates[step.predicate]
            if predicate.arity == 2:
                unbound.append(step)
            else:
                groups[0 if predicate.arity == 0 else 1 if predicate.unique else 2].append(step)
                if predicate.unique and not negative:
                    bound.add(atom.arguments[0])
        steps = [*groups[0], *groups[1], *groups[2], *self._binary(unbound, bound)]
        self._scopes(steps)
        return steps

    def _binary(self, unbound: list[Step], bound: set[str]) -> list[Step]:
        """Binary literals, those first of which a variable is bound."""
        ordered: list[Step] = []
        found = True
        while found:
            found = False
            for step in list(unbound):
                predicate = self.signature.predicates[step.predicate]
                left, right = step.arguments
                if left in bound or right in bound:
                    ordered.append(step)
                    unbound.remove(step)
                    found = True
                    if left in bound and predicate.function and not step.negative:
                        bound.add(right)
                    elif left not in bound and predicate.invfunction and not step.negative:
                        bound.add(left)

        def functional(step: Step) -> bool:
            predicate = self.signature.predicates[step.predicate]
            return (predicate.function or predicate.invfunction) and not step.negative

        return [*ordered, *filter(functional, unbound), *(step for step in unbound if not functional(step))]

    @staticmethod
    def _scopes(steps: list[Step]) -> None:
        seen: set[str] = set()
        for step in steps:
            step.new = tuple(v for v in dict.fromkeys(step.arguments) if v not in seen)
            step.old = tuple(v for v in dict.fromkeys(step.arguments) if v in seen)
            seen.update(step.arguments)
        later: frozenset[str] = frozenset()
        for step in reversed(steps):
            step.later = later
            step.passes_on = any(v in later for v in step.new)
            step.now = later = later | frozenset(step.arguments)

    # --- one literal ---

    def _step(self, step: Step, state: State) -> list[State]:
        self.deadline.check()
        draft, assignments = state
        if assignments != [{}]:
            assignments = distinct({v: u for v, u in a.items() if v in step.now} for a in assignments)
        if not assignments:
            return [(draft, [])]
        certain = not self.decides or draft.must[ACTIVE] == (1 << draft.n) - 1
        if certain and draft.may[step.predicate] == draft.must[step.predicate]:
            return [(draft, self._all_extended(draft, step, assignments))]
        groups: dict[tuple[int, ...], list[Assignment]] = {}
        for assignment in assignments:
            groups.setdefault(tuple(assignment[v] for v in step.old), []).append(assignment)
        result: list[State] = []
        for nodes, full in groups.items():
            relevant = dict(zip(step.old, nodes, strict=True))
            highest = max((u for a in assignments for u in a.values()), default=-1)
            structures = [
                after
                for present in self._present(draft, step, relevant, highest)
                for after in self._literal(present, step, relevant)
            ]
            result.extend((after, self._extended(after, step, relevant, full)) for after in structures)
        return result

    def _all_extended(self, draft: Draft, step: Step, assignments: list[Assignment]) -> list[Assignment]:
        """The assignments after a literal that is definite everywhere."""
        found: list[Assignment] = []
        for assignment in assignments:
            relevant = {v: assignment[v] for v in step.old}
            found.extend(self._extended(draft, step, relevant, [assignment]))
        return found

    def _extended(self, draft: Draft, step: Step, relevant: Assignment, full: list[Assignment]) -> list[Assignment]:
        """The assignments with which later literals go on: those that make this one true."""
        if not step.later:
            return []
        holding = self._assignments(draft, step, relevant, 0 if step.negative else 2)
        if not step.passes_on:
            if not holding:
                return []
            return distinct({v: u for v, u in a.items() if v in step.later} for a in full)
        return [{**found, **assignment} for found in holding for assignment in full]

    def _assignments(self, draft: Draft, step: Step, relevant: Assignment, value: int) -> list[Assignment]:
        """The assignments of the literal's variables that extend one and give its atom a value (0, 1 for 1/2, 2)."""
        may, must = draft.may[step.predicate], draft.must[step.predicate]
        if not step.arguments:
            return [{}] if (may & 1) + (must & 1) == value else []
        n = draft.n
        cells = ~may if value == 0 else must if value == 2 else may & ~must
        if len(step.arguments) == 1:
            (variable,) = step.arguments
            fixed = relevant.get(variable)
            members = bits(cells & (1 << n) - 1) if fixed is None else (fixed,) if cells >> fixed & 1 else ()
            return [{variable: u} for u in members]
        left, right = step.arguments
        rows = range(n) if left not in relevant else (relevant[left],)
        found: list[Assignment] = []
        for i in rows:
            row = cells >> i * n & (1 << n) - 1
            if left == right:
                row &= 1 << i
            elif right in relevant:
                row &= 1 << relevant[right]
            found.extend({left: i, right: j} for j in bits(row))
        return found

    def _decided(self, step: Step, state: State) -> list[State]:
        """Decide whether nodes that make the literal true for a quantified variable are active."""
        draft, assignments = state
        quantified = [v for v in step.new if v not in self.free]
        if not quantified or draft.must[ACTIVE] == (1 << draft.n) - 1:
            return [state]
        holding = 0
        for relevant in distinct({v: a[v] for v in step.old} for a in assignments):
            for found in self._assignments(draft, step, relevant, 0 if step.negative else 2):
                for variable in quantified:
                    holding |= 1 << found[variable]
        states = [state]
        for node in sorted(bits(holding & ~draft.must[ACTIVE]), reverse=True):
            states = [case for each in states for case in self._with_and_without(each, node)]
        return states

    def _with_and_without(self, state: State, node: int) -> list[State]:
        draft, assignments = state
        there, gone = draft.copy(), draft.copy()
        there.present(node)
        gone.remove(1 << node, self.signature)
        others = [a for a in assignments if node not in a.values()]
        return [(there, assignments), (gone, [{v: u - (u > node) for v, u in a.items()} for a in others])]

    def _present(self, draft: Draft, step: Step, relevant: Assignment, highest: int) -> list[Draft]:
        """Decide whether nodes that the literal may newly bind are active. Nodes that an assignment names, and
        those below them, keep their numbers and are left undecided."""
        maybe = draft.may[ACTIVE] & ~draft.must[ACTIVE]
        if not maybe or not self.decides:
            return [draft]
        candidates = 0
        for value in (0, 1) if step.negative else (1, 2):
            for found in self._assignments(draft, step, relevant, value):
                for variable in step.new:
                    candidates |= 1 << found[variable]
        results = [draft]
        for node in sorted(bits(candidates & maybe & -1 << highest + 1), reverse=True):
            decided: list[Draft] = []
            for each in results:
                there, gone = each.copy(), each.copy()
                there.present(node)
                gone.remove(1 << node, self.signature)
                decided += [there, gone]
            results = decided
        return results

    def _literal(self, draft: Draft, step: Step, relevant: Assignment) -> list[Draft]:
        predicate = self.signature.predicates[step.predicate]
        if not self._assignments(draft, step, relevant, 1):
            return [draft]
        if predicate.arity == 0:
            true, false = draft.copy(), draft.copy()
            true.set_true(step.predicate, 0)
            false.set_false(step.predicate, 1)
            return [true, false]
        if predicate.arity == 1:
            if predicate.unique:
                return self._unique(draft, step, relevant)
            return self._unary(draft, step, relevant)
        left, right = step.arguments
        if not relevant:
            return self._unbound(draft, step)
        if predicate.function and left in relevant:
            return self._function(draft, step, relevant)
        if predicate.invfunction and right in relevant:
            return self._inverse(draft, step, relevant)
        return self._relation(draft, step, relevant)

    # --- unary predicates ---

    def _unique(self, draft: Draft, step: Step, relevant: Assignment) -> list[Draft]:
        p, (variable,) = step.predicate, step.arguments
        unknown = [found[variable] for found in self._assignments(draft, step, relevant, 1)]
        without = draft.copy()
        without.set_false(p, draft.may[p] & ~draft.must[p])
        if variable not in relevant and draft.must[p] & draft.must[ACTIVE]:
            return [without]
        result = [without]
        if variable in relevant:  # it may still hold of other nodes
            result = [draft.copy()]
            result[0].set_false(p, 1 << unknown[0])
        for node in unknown:
            many = without.may[SUMMARY] >> node & 1
            if not many or without.must[ACTIVE] >> node & 1:
                there = without.copy()
                there.set_true(p, node)
                there.single(node)
                there.present(node)
                result.append(there)
            if many:
                parted, copy = self._split(without, p, node)
                parted.single(copy)
                parted.present(copy)
                result.append(parted)
        return result

    def _split(self, draft: Draft, predicate: int, node: int) -> tuple[Draft, int]:
        """The node in two: on the copy the unary predicate is true, on the rest false."""
        parted = draft.copy()
        copy = parted.split_node(node, self.signature.binary, self.signature.unary)
        parted.set_true(predicate, copy)
        parted.set_false(predicate, 1 << node)
        return parted, copy

    def _unary(self, draft: Draft, step: Step, relevant: Assignment) -> list[Draft]:
        p, (variable,) = step.predicate, step.arguments
        work, result = [draft], []
        while work:
            current = work.pop(0)
            unknown = self._assignments(current, step, relevant, 1)
            if not unknown:
                result.append(current)
                continue
            node = unknown[0][variable]
            many, certain = current.may[SUMMARY] >> node & 1, current.must[ACTIVE] >> node & 1
            false, true = current.copy(), current.copy()
            false.set_false(p, 1 << node)
            true.set_true(p, node)
            holds, fails = (false, true) if step.negative else (true, false)
            if not certain:
                holds.present(node)  # if it is inactive, the other structure covers that case
            work += [fails] if many and not certain else [false, true]
            if many:
                parted, copy = self._split(current, p, node)
                if not certain:
                    parted.present(node if step.negative else copy)
                work.append(parted)
        return result

    # --- binary predicates ---

    def _edge(self, draft: Draft, p: int, left: int, right: int) -> list[Draft] | None:
        """The pair made true, on the nodes themselves and on one split off. None if both are summaries. Then both
        are active; the rest of a maybe-active summary stays maybe-active."""
        summary = draft.may[SUMMARY]
        left_many, right_many = summary >> left & 1, summary >> right & 1
        if left_many and right_many:
            return None
        predicate = self.signature.predicates[p]
        n = draft.n
        result = []
        if draft.must[ACTIVE] >> (left if left_many else right) & 1 or not (left_many or right_many):
            true = draft.copy()
            true.set_true(p, left * n + right)
            if predicate.function and right_many:
                true.single(right)
            if predicate.invfunction and left_many:
                true.single(left)
            true.present(left)
            true.present(right)
            result.append(true)
        if right_many:
            parted = draft.copy()
            copy = parted.split_node(right, self.signature.binary, self.signature.unary)
            parted.set_true(p, left * (n + 1) + copy)
            parted.set_false(p, 1 << left * (n + 1) + right)
            if predicate.function:
                parted.single(copy)
            parted.present(left)
            parted.present(copy)
            result.append(parted)
        if left_many:
            parted = draft.copy()
            copy = parted.split_node(left, self.signature.binary, self.signature.unary)
            parted.set_true(p, copy * (n + 1) + right)
            parted.set_false(p, 1 << left * (n + 1) + right)
            if predicate.invfunction:
                parted.single(copy)
            parted.present(right)
            parted.present(copy)
            result.append(parted)
        return result

    def _function(self, draft: Draft, step: Step, relevant: Assignment) -> list[Draft]:
        p, n = step.predicate, draft.n
        left = relevant[step.arguments[0]]
        row = ((1 << n) - 1) << left * n
        if draft.may[SUMMARY] >> left & 1:
            return self._relation(draft, step, relevant)
        unknown = (draft.may[p] & ~draft.must[p] & row) >> left * n
        if step.arguments[1] in relevant:
            target = relevant[step.arguments[1]]
            without = draft.copy()
            without.set_false(p, 1 << left * n + target)
            other = draft.copy()
            other.set_false(p, unknown << left * n)
            return [without, *(self._edge(other, p, left, target) or [])]
        without = draft.copy()
        without.set_false(p, unknown << left * n)
        result = [without]
        if not draft.must[p] >> left * n & draft.must[ACTIVE]:
            for target in bits(unknown):
                result.extend(self._edge(without, p, left, target) or [])
        return result

    def _inverse(self, draft: Draft, step: Step, relevant: Assignment) -> list[Draft]:
        p, n = step.predicate, draft.n
        right = relevant[step.arguments[1]]
        if draft.may[SUMMARY] >> right & 1:
            return self._relation(draft, step, relevant)
        column = sum(1 << i * n for i in range(n)) << right
        unknown = draft.may[p] & ~draft.must[p] & column
        without = draft.copy()
        without.set_false(p, unknown)
        result = [without]
        if not any(draft.must[ACTIVE] >> bit // n & 1 for bit in bits(draft.must[p] & column)):
            for bit in bits(unknown):
                result.extend(self._edge(without, p, bit // n, right) or [])
        return result

    def _relation(self, draft: Draft, step: Step, relevant: Assignment) -> list[Draft]:
        p = step.predicate
        left, right = step.arguments
        reflexive = self.signature.predicates[p].reflexive
        work: list[tuple[Draft, frozenset[tuple[int, int]]]] = [(draft, frozenset())]
        result = []
        while work:
            current, left_alone = work.pop(0)
            unknown = [(f[left], f[right]) for f in self._assignments(current, step, relevant, 1)]
            unknown = [pair for pair in unknown if pair not in left_alone]
            if not unknown:
                result.append(current)
                continue
            i, j = unknown[0]
            if reflexive and i == j and not current.may[SUMMARY] >> i & 1:
                holds = current.copy()
                holds.set_true(p, i * current.n + i)
                work.append((holds, left_alone))
                continue
            true = self._edge(current, p, i, j)
            if true is None:
                work.append((current, left_alone | {(i, j)}))
                continue
            false = current.copy()
            false.set_false(p, 1 << i * current.n + j)
            work.append((false, left_alone))
            work.extend((after, left_alone) for after in true)
        return result

    def _unbound(self, draft: Draft, step: Step) -> list[Draft]:
        """No variable is bound: one pair after another, each alone."""
        predicate = self.signature.predicates[step.predicate]
        result: list[Draft] = []
        for found in self._assignments(draft, step, {}, 1):
            if predicate.function:
                result.extend(self._function(draft, step, found))
            elif predicate.invfunction:
                result.extend(self._inverse(draft, step, found))
            else:
                result.extend(self._relation(draft, step, found))
        return result


def distinct(assignments: Iterable[Assignment]) -> list[Assignment]:
    """Each assignment once, in order."""
    found: dict[tuple[tuple[str, int], ...], Assignment] = {}
    for assignment in assignments:
        found.setdefault(tuple(sorted(assignment.items())), assignment)
    return list(found.values())
