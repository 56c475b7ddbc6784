"""Activation records: predicates for the variables of pending calls, in programs with recursion.

Records are a chain along `caller`; their other fields lead into the heap and nothing leads back. Reachability along
all of these fields would be imprecise: every node on the path down a tree is held by a record and by its parent. So
reachability in the heap and in the chain is tracked separately, and unary predicates connect them:

| predicate | meaning |
|---|---|
| `h[x]` | v is reached from what a record of the chain from x on holds |
| `call@n` | the record v belongs to the n-th of the calls for which records are made |
| `p[g,n]` | a record of the n-th call holds v in its field g |
| `is[g]` | two records hold v in their fields g |
| `n[g]` | the record v holds something in its field g |
| `of[x,g]` | the record of x holds v in its field g, for variables with which records are made |

    destroy(tree->left); destroy(tree->right); free(tree);

Nodes whose left subtree is being freed are held by records of the first call, those whose right one is by records of
the second; nodes that no record holds have not been visited yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from heapwright.engines.tvl.encoding import predicate_names as names
from heapwright.engines.tvl.encoding.predicates import field_reachability as reach
from heapwright.engines.tvl.encoding.predicates.family import Family
from heapwright.engines.tvl.encoding.predicates.heap_reachability import ALL, ReachAll
from heapwright.engines.tvl.encoding.predicates.offset_tags import any_of
from heapwright.engines.tvl.encoding.remembered_successors import is_remembered
from heapwright.logic.actions import Update
from heapwright.logic.formulas import FALSE, And, Equal, Exists, Formula, IfThenElse, Not, Or, atom
from heapwright.logic.vocabulary import Constraint, Predicate
from heapwright.program.commands import New
from heapwright.program.expressions import Pointer, Var

RECORD, HELD = "record", "held"  # bound variables that no other family uses
Relation = Callable[[str, str], Formula]
Property = Callable[[str], Formula]


@dataclass(frozen=True)
class Return:
    """A record that has this value was made by one of these calls, if it has a caller: where a function returns to is
    known from the record below, so that it need not be a name."""

    value: str  # a unary predicate
    calls: frozenset[int]  # edges that make records


@dataclass(frozen=True)
class Frames(Family):
    """`h[x]`, `call@n`, `p[g,n]`, `is[g]`, `n[g]`, `of[x,g]`"""

    chain: reach.Reach  # of the records, with the variables that point to them
    holders: tuple[str, ...]  # the fields of records that lead into the heap
    below: tuple[reach.Reach | ReachAll, ...]  # what is followed there
    calls: tuple[int, ...]  # the numbers of the edges that make records
    makers: tuple[str, ...] = ()  # the variables through which records are linked
    before: int = 0  # how many calls the other chains have before this one
    returns: tuple[Return, ...] = ()

    def predicates(self) -> Iterable[Predicate]:
        yield from (Predicate(names.call_name(call), 1) for call in self._calls)
        for variable in self.chain.variables:
            definition = self._reached(self.on_chain(variable))
            yield Predicate(names.held_name(variable), 1, definition, ("v",), abstraction=False)
        for holder in self.holders:
            yield Predicate(names.shared_name(holder), 1, reach.shared((holder,)), ("v",))
            something = Exists(("w",), atom(holder, "v", "w"))
            yield Predicate(names.full_name(holder), 1, something, ("v",), shown=frozenset())
            for maker in self.makers:
                content = self._content(maker, holder)
                yield Predicate(names.content_name(maker, holder), 1, content, ("v",), shown=frozenset())
            for call in self._calls:
                here = And((atom(holder, "u", "v"), atom(names.call_name(call), "u")))
                yield Predicate(names.holding_name(holder, call), 1, Exists(("u",), here), ("v",))

    @cached_property
    def keeping(self) -> tuple[str, ...]:
        """The holders that keep blocks from being lost; others remember what these lead to."""
        return tuple(holder for holder in self.holders if not is_remembered(holder))

    @property
    def _calls(self) -> range:
        """Calls by numbers of their own, from 1 on in the first chain."""
        return range(self.before + 1, self.before + len(self.calls) + 1)

    def constraints(self) -> Iterable[Constraint]:
        for call in self._calls:
            for other in self._calls:
                if call != other:
                    yield Constraint(atom(names.call_name(call), "v"), Not(atom(names.call_name(other), "v")))
        caller = atom(self.chain.field, "u", "v")
        for known in self.returns:
            for site, call in zip(self.calls, self._calls, strict=True):
                if site not in known.calls:
                    value, made = atom(known.value, "u"), atom(names.call_name(call), "v")
                    yield Constraint(And((value, made)), Not(caller))
                    yield Constraint(And((caller, made)), Not(value))
                    yield Constraint(And((caller, value)), Not(made))

    def origin(self, site: int) -> str | None:
        """The predicate of the records that an edge of the program makes."""
        return names.call_name(self.before + self.calls.index(site) + 1) if site in self.calls else None

    def made(self, site: int) -> Iterable[Update]:
        name = self.origin(site)
        if name is not None:
            yield Update(name, ("v",), Or((atom(name, "v"), atom(names.IS_NEW, "v"))))

    def _content(self, variable: str, holder: str) -> Formula:
        return Exists(("u",), And((atom(variable, "u"), atom(holder, "u", "v"))))

    def held_by(self, holder: str, node: str) -> list[Formula]:
        """The kinds of records that hold a node."""
        return [atom(names.holding_name(holder, call), node) for call in self._calls]

    # --- what is reached ----------------------------------------------------------------------------------------------

    def on_chain(self, variable: str) -> Property:
        return lambda node: atom(names.reach_name(variable, self.chain.field), node)

    def _holds(self, record: str, node: str) -> Formula:
        return any_of([atom(holder, record, node) for holder in self.keeping])

    def path(self, source: str, target: str) -> Formula:
        ways = [path_of(family, source, target) for family in self.below]
        return any_of(ways) if ways else Equal(source, target)

    def _reached(self, records: Property, holds: Relation | None = None, path: Relation | None = None) -> Formula:
        """v is reached from what some records hold."""
        found = (records(RECORD), (holds or self._holds)(RECORD, HELD), (path or self.path)(HELD, "v"))
        return Exists((RECORD, HELD), And(found))

    def _behind(self, pointer: str) -> Formula:
        """v is reached from what a variable points to."""
        ways = [reach.after(name_of(family), family.variables, pointer) for family in self.below]
        return any_of(ways) if ways else atom(pointer, "v")

    def _at(self, base: str, predicate: str) -> Formula:
        return Exists(("a",), And((atom(base, "a"), atom(predicate, "a"))))

    def _has(self, base: str, variable: str) -> Formula:
        """The record that a variable points to is on the chain from another."""
        return self._at(base, names.reach_name(variable, self.chain.field))

    # --- steps --------------------------------------------------------------------------------------------------------

    def assigned(self, target: str, value: Pointer) -> Iterable[Update]:
        if target in self.chain.variables:
            known = value.name if isinstance(value, Var) and value.name in self.chain.variables else None
            yield Update(names.held_name(target), ("v",), FALSE if known is None else atom(names.held_name(known), "v"))
            for holder in self.holders if target in self.makers else ():
                content = FALSE if known is None else self._content(known, holder)
                yield Update(names.content_name(target, holder), ("v",), content)

    def loaded(self, target: str, base: str, field: str) -> Iterable[Update]:
        if target not in self.chain.variables:
            return
        anew = self._reached(
            reach.after_updates(self.chain.loaded(target, base, field), names.reach_name(target, self.chain.field))
        )
        if field == self.chain.field and base in self.chain.variables:
            # Targets of the first record may be held by others as well; for the rest nothing changes.
            first = self._reached(lambda record: atom(base, record))
            affected = Or((self._at(base, names.cut_name(field)), first))
            anew = IfThenElse(affected, anew, atom(names.held_name(base), "v"))
        yield Update(names.held_name(target), ("v",), anew)
        for holder in self.holders if target in self.makers else ():
            way = And((atom(base, "a"), atom(field, "a", "u"), atom(holder, "u", "v")))
            yield Update(names.content_name(target, holder), ("v",), Exists(("a", "u"), way))

    def cut(self, base: str, field: str) -> Iterable[Update]:
        if field == self.chain.field:
            yield from self._chain_cut(base)
        elif field in self.holders:
            yield from self._holder_cut(base, field)
        for family in self.below:
            if field in fields_of(family):
                path = self.path_after(list(family.cut(base, field)))
                lost = self._lost(family, base, field)
                for variable in self.chain.variables:
                    name = names.held_name(variable)
                    anew = self._reached(self.on_chain(variable), path=path)
                    yield Update(name, ("v",), IfThenElse(lost(self._at(base, name)), anew, atom(name, "v")))

    def path_after(self, updates: Sequence[Update]) -> Relation:
        """Paths in the heap once updates have been made."""
        paths = [reach.after_updates(updates, names.closure_name(name_of(each))) for each in self.below]
        return lambda u, v: any_of([path(u, v) for path in paths])

    def _lost(self, family: reach.Reach | ReachAll, base: str, field: str) -> Callable[[Formula], Formula]:
        """The nodes to which paths may be lost or gained as base.field is removed, given whether base is reached."""
        if isinstance(family, ReachAll):
            ends = (atom(base, "a"), atom(field, "a", "b"), atom(names.closure_name(ALL), "b", "v"))
            return lambda reached: And((reached, Exists(("a", "b"), And(ends))))
        behind = And((reach.after(field, family.variables, base), Not(atom(base, "v"))))
        opened = self._at(base, names.cycle_name(field))
        return lambda reached: Or((opened, And((reached, behind))))

    def _chain_cut(self, base: str) -> Iterable[Update]:
        updates = list(self.chain.cut(base, self.chain.field))
        opened = self._at(base, names.cycle_name(self.chain.field))
        for variable in self.chain.variables:
            anew = self._reached(reach.after_updates(updates, names.reach_name(variable, self.chain.field)))
            affected = Or((opened, self._has(base, variable)))
            name = names.held_name(variable)
            yield Update(name, ("v",), IfThenElse(affected, anew, atom(name, "v")))

    def _holder_cut(self, base: str, field: str) -> Iterable[Update]:
        def holds(record: str, node: str) -> Formula:
            others = [atom(holder, record, node) for holder in self.keeping if holder != field]
            return any_of([*others, And((atom(field, record, node), Not(atom(base, record))))])

        hit = Exists(("u",), And((atom(base, "u"), atom(field, "u", "v"))))
        way = self._reached(lambda record: atom(base, record), lambda record, node: atom(field, record, node))
        for variable in self.chain.variables if field in self.keeping else ():
            name = names.held_name(variable)
            anew = self._reached(self.on_chain(variable), holds)
            lost = And((self._has(base, variable), way))
            yield Update(name, ("v",), IfThenElse(lost, anew, atom(name, "v")))
        for call in self._calls:
            name = names.holding_name(field, call)
            other = And((atom(field, "u", "v"), Not(atom(base, "u")), atom(names.call_name(call), "u")))
            still = And((atom(names.shared_name(field), "v"), Exists(("u",), other)))
            yield Update(name, ("v",), And((atom(name, "v"), Or((Not(hit), still)))))
        for maker in self.makers:
            name = names.content_name(maker, field)
            yield Update(name, ("v",), And((atom(name, "v"), Not(self._at(base, maker)))))
        yield reach.unshared(field, (field,), base, field)
        yield Update(names.full_name(field), ("v",), And((atom(names.full_name(field), "v"), Not(atom(base, "v")))))

    def connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        if not isinstance(value, Var):
            return
        if field == self.chain.field:
            yield from self._linked(base, value.name)
        elif field in self.holders:
            yield from self._filled(base, field, value)
        for family in self.below:
            if field in fields_of(family):
                behind = reach.after(name_of(family), family.variables, value.name)
                closed = FALSE if isinstance(family, ReachAll) else Exists(("v",), And((atom(base, "v"), behind)))
                for variable in self.chain.variables:
                    name = names.held_name(variable)
                    gained = And((Not(closed), self._at(base, name), behind))
                    yield Update(name, ("v",), Or((atom(name, "v"), gained)))

    def _linked(self, base: str, value: str) -> Iterable[Update]:
        if value in self.chain.variables:
            closed = Exists(("v",), And((atom(base, "v"), atom(names.reach_name(value, self.chain.field), "v"))))
            for variable in self.chain.variables:
                name = names.held_name(variable)
                gained = And((Not(closed), self._has(base, variable), atom(names.held_name(value), "v")))
                yield Update(name, ("v",), Or((atom(name, "v"), gained)))

    def _filled(self, base: str, field: str, value: Var) -> Iterable[Update]:
        for variable in self.chain.variables if field in self.keeping else ():
            name = names.held_name(variable)
            gained = And((self._has(base, variable), self._behind(value.name)))
            yield Update(name, ("v",), Or((atom(name, "v"), gained)))
        for call in self._calls:
            name, here = names.holding_name(field, call), self._at(base, names.call_name(call))
            yield Update(name, ("v",), Or((atom(name, "v"), And((atom(value.name, "v"), here)))))
        for maker in self.makers:
            name = names.content_name(maker, field)
            yield Update(name, ("v",), Or((atom(name, "v"), And((atom(value.name, "v"), self._at(base, maker))))))
        yield reach.met_again(field, (field,), base, value)
        something = And((atom(base, "v"), Exists(("a",), atom(value.name, "a"))))
        yield Update(names.full_name(field), ("v",), Or((atom(names.full_name(field), "v"), something)))

    def created(self, command: New) -> Iterable[Update]:
        if command.target in self.chain.variables:
            yield Update(names.held_name(command.target), ("v",), FALSE)
            if command.target in self.makers:
                yield from (
                    Update(names.content_name(command.target, holder), ("v",), FALSE) for holder in self.holders
                )

    def reached(self) -> Iterable[Formula]:
        """Some record holds v, and only records of the chain do; or v is behind something of that kind."""
        for variable in self.chain.variables:
            yield atom(names.held_name(variable), "v")
            for holder in self.keeping:
                stray = And((atom(holder, "u", "v"), Not(self.on_chain(variable)("u"))))
                yield And((any_of(self.held_by(holder, "v")), Not(Exists(("u",), stray))))


def name_of(family: reach.Reach | ReachAll) -> str:
    return ALL if isinstance(family, ReachAll) else family.field


def path_of(family: reach.Reach | ReachAll, source: str, target: str) -> Formula:
    return atom(names.closure_name(name_of(family)), source, target)


def fields_of(family: reach.Reach | ReachAll) -> tuple[str, ...]:
    return family.fields if isinstance(family, ReachAll) else (family.field,)
