"""Commands as actions.

A command becomes one action or a chain of them, with extra locations in between. What may go wrong is a message whose
text is the identity of the check; a run goes on only where the check holds. Variables that nobody reads any more are
null, temporaries at once, named ones when their scope ends (until then they keep blocks from leaking).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from heapwright.engines.tvl.programs.family import Data, Family
from heapwright.engines.tvl.programs.literals import meaning
from heapwright.engines.tvl.programs.names import (
    ENDED,
    FREED,
    HEAP,
    IS_NEW,
    atom,
    is_junk,
    is_type,
    junk,
    not_null,
    points_to,
)
from heapwright.engines.tvl.programs.vocabulary import HeapVocabulary
from heapwright.logic.actions import Action, Message, NewNodes, Update
from heapwright.logic.formulas import FALSE, TRUE, And, Exists, Formula, Not, Or
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.commands import (
    Assert,
    Assign,
    Assume,
    Command,
    Compute,
    Free,
    Havoc,
    Leave,
    Load,
    LoadData,
    New,
    Skip,
    Store,
    StoreData,
)
from heapwright.program.expressions import (
    JUNK,
    NULL,
    Literal,
    Pointer,
    PointerCompare,
    Var,
)
from heapwright.program.graph import Edge
from heapwright.program.liveness import Liveness, defined, used
from heapwright.program.printer import format_command
from heapwright.program.types import Region

CONFUSED = "an object is accessed as one of another type"
SUPPORTED = (Assign, Load, Store, New, Free, Leave, Compute, LoadData, StoreData, Havoc, Assume, Assert, Skip)


def unsupported(heap: HeapVocabulary) -> str:
    """Why a program cannot be analysed, "" if it can."""
    for edge in heap.program.graph.edges:
        command = edge.command
        if not isinstance(command, SUPPORTED):
            return f"{edge.span}: the engine does not follow '{format_command(command)}'"
        if isinstance(command, New) and (command.count or command.size or not command.type):
            return f"{edge.span}: the engine does not follow arrays and blocks of unknown type"
        if isinstance(command, Load | Store | LoadData | StoreData):
            type_ = heap.program.types.get(heap.program.variables[command.base].target)
            if type_ is None or type_.field(command.field) is None:
                return f"{edge.span}: the engine does not know the type of '{command.base}'"
    return ""


class Compiler:
    """Compiles the edges of one program."""

    def __init__(self, heap: HeapVocabulary, goal: Goal) -> None:
        self.heap = heap
        self.goal = goal
        self.liveness = Liveness(heap.program)
        self.temporaries = [name for name in heap.variables if heap.program.variables[name].temporary]

    def actions(self, edge: Edge[Command]) -> list[list[Action]]:
        """Alternative chains of actions; each leads from the source of the edge to its target."""
        chains = self.chains(edge)
        return [[*self._with_deaths(chain, edge), *self._leak_check(edge)] for chain in chains]

    def chains(self, edge: Edge[Command]) -> list[list[Action]]:
        command = edge.command
        title = format_command(command)
        match command:
            case Assign(target, value):
                return [[self._assign(title, target, self._final(edge, value))]]
            case Load():
                return [[self._load(title, command, edge)]]
            case Store(base, name, value):
                return [self._store(title, base, self.heap.field(base, name), value, edge)]
            case New():
                chains = [[self._new(title, command)]]
                if command.may_fail:
                    chains.append([self._assign(f"{title} fails", command.target, NULL)])
                return chains
            case Free(base):
                return self._end(title, base, FREED, edge)
            case Leave(base):
                return self._end(title, base, ENDED, edge)
            case Assume(literal):
                return [[self._assume(title, literal)]]
            case Assert(literal, check):
                claim = Message(Not(meaning(self.heap, literal)), check.id)
                return [[replace(self._assume(title, literal), messages=(claim,))]]
            case LoadData() | StoreData() | Compute() | Havoc():
                return [[self._data(title, command, edge)]]
        messages = tuple(self._cleanup(check) for check in edge.checks if check.cleanup and self.goal.selects(check))
        return [[Action(title, messages=messages)]]

    def _cleanup(self, check: Check) -> Message:
        return Message(Exists(("v",), And((atom(HEAP, "v"), Not(atom(FREED, "v"))))), check.id)

    # --- variables ------------------------------------------------------------------------------------------------

    def _final(self, edge: Edge[Command], value: Pointer) -> Pointer:
        """A variable that becomes junk and is not read again may as well become null."""
        target = defined(edge.command)
        assert target is not None
        dead = not self.liveness.at(edge.target) & self.liveness.bit(target)
        return NULL if value == JUNK and dead else value

    def _assign(self, title: str, target: str, value: Pointer) -> Action:
        return Action(title, updates=tuple(self._set_variable(target, value)))

    def _set_variable(self, target: str, value: Pointer) -> Iterable[Update]:
        yield Update(target, ("v",), points_to(value, "v"))
        yield Update(junk(target), (), is_junk(value))
        yield from self._by_families(lambda family: family.assigned(target, value))

    def _by_families(self, updates: Callable[[Family], Iterable[Update]]) -> Iterable[Update]:
        return (update for family in self.heap.families for update in updates(family))

    def _with_deaths(self, chain: list[Action], edge: Edge[Command]) -> list[Action]:
        """Temporaries that nobody reads any more become null: they are no roots of the heap then."""
        before, after = self.liveness.at(edge.source), self.liveness.at(edge.target)
        read, written = used(edge.command), defined(edge.command)
        dying = [
            name
            for name in self.temporaries
            if not after & self.liveness.bit(name)
            and (before & self.liveness.bit(name) or name in read or name == written)
        ]
        kills = [update for name in dying if name != written for update in self._set_variable(name, NULL)]
        *first, last = chain
        result = [*first, replace(last, updates=tuple(_merged(last.updates, kills)))]
        if written in dying:
            result.append(self._assign(f"{written} is gone", written, NULL))
        return result

    # --- accesses -------------------------------------------------------------------------------------------------

    def _checked(self, edge: Edge[Command], base: str) -> tuple[tuple[Message, ...], Formula]:
        """The messages of a dereference, and when the run goes on."""
        here = atom(base, "v")
        faults: dict[CheckKind, Formula] = {
            CheckKind.NULL_DEREF: And((Not(not_null(Var(base))), Not(atom(junk(base))))),
            CheckKind.INVALID_DEREF: Or((atom(junk(base)), Exists(("v",), And((here, atom(ENDED, "v")))))),
            CheckKind.USE_AFTER_FREE: Exists(("v",), And((here, atom(FREED, "v")))),
        }
        messages = [Message(faults[check.kind], check.id) for check in edge.checks if check.kind in faults]
        valid = Exists(("v",), And((here, Not(atom(FREED, "v")), Not(atom(ENDED, "v")))))
        if self.heap.several_types:
            target = self.heap.program.variables[base].target
            right = atom(is_type(target), "v")
            if target in self.heap.types:
                wrong = Exists(("v",), And((here, Not(right))))
                messages.append(Message(wrong, CONFUSED))
            else:
                messages.append(Message(not_null(Var(base)), CONFUSED))
        return tuple(messages), valid

    def _load(self, title: str, command: Load, edge: Edge[Command]) -> Action:
        target, base = command.target, command.base
        field = self.heap.field(base, command.field)
        messages, valid = self._checked(edge, base)
        found = Exists(("u",), And((atom(base, "u"), atom(field, "u", "v"))))
        updates = [
            Update(target, ("v",), found),
            Update(junk(target), (), Exists(("u",), And((atom(base, "u"), atom(junk(field), "u"))))),
        ]
        updates += self._by_families(lambda family: family.loaded(target, base, field))
        focus = (atom(base, "v"), found, *self._asked(lambda family: family.focus_loaded(target, base, field)))
        return Action(title, focus, valid, messages, updates=tuple(updates))

    def _asked(self, formulas: Callable[[Family], Iterable[Formula]]) -> Iterable[Formula]:
        return (formula for family in self.heap.families for formula in formulas(family))

    def _store(self, title: str, base: str, field: str, value: Pointer, edge: Edge[Command]) -> list[Action]:
        messages, valid = self._checked(edge, base)
        first = self._cutting(f"{title}: cut", base, field, messages, valid)
        focus = [atom(base, "v"), *((atom(value.name, "v"),) if isinstance(value, Var) else ())]
        focus += self._asked(lambda family: family.focus_connected(base, field, value))
        return [first, Action(title, tuple(focus), updates=tuple(self._connected(base, field, value)))]

    def _cutting(
        self, title: str, base: str, field: str, messages: tuple[Message, ...] = (), valid: Formula | None = None
    ) -> Action:
        old = Exists(("u",), And((atom(base, "u"), atom(field, "u", "v"))))
        updates = [
            Update(field, ("u", "v"), And((atom(field, "u", "v"), Not(atom(base, "u"))))),
            Update(junk(field), ("u",), And((atom(junk(field), "u"), Not(atom(base, "u"))))),
            *self._by_families(lambda family: family.cut(base, field)),
        ]
        focus = (atom(base, "v"), old, *self._asked(lambda family: family.focus_cut(base, field)))
        return Action(title, focus, valid, messages, updates=tuple(updates))

    def _connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        here = atom(base, "u")
        yield Update(field, ("u", "v"), Or((atom(field, "u", "v"), And((here, points_to(value, "v"))))))
        yield Update(junk(field), ("u",), Or((atom(junk(field), "u"), And((here, is_junk(value))))))
        yield from self._by_families(lambda family: family.connected(base, field, value))

    # --- blocks ---------------------------------------------------------------------------------------------------

    def _new(self, title: str, command: New) -> Action:
        target, fresh = command.target, atom(IS_NEW, "v")
        updates = [Update(target, ("v",), fresh), Update(junk(target), (), FALSE)]
        if command.region is Region.HEAP:
            updates.append(Update(HEAP, ("v",), Or((atom(HEAP, "v"), fresh))))
        if self.heap.several_types:
            name = is_type(command.type)
            updates.append(Update(name, ("v",), Or((atom(name, "v"), fresh))))
        if not command.zeroed:
            for field in self.heap.fields_of(command.type):
                updates.append(Update(junk(field), ("v",), Or((atom(junk(field), "v"), fresh))))
        updates += self._by_families(lambda family: family.created(command))
        return Action(title, new=NewNodes(), updates=tuple(updates))

    def _end(self, title: str, base: str, status: str, edge: Edge[Command]) -> list[list[Action]]:
        """A block is freed or left: its arrows go, then it is marked."""
        here, focus = atom(base, "v"), (atom(base, "v"),)
        nothing = And((Not(not_null(Var(base))), Not(atom(junk(base)))))
        live = Exists(("v",), And((here, Not(atom(FREED, "v")), Not(atom(ENDED, "v")))))
        if status == FREED:
            faults: dict[CheckKind, Formula] = {
                CheckKind.DOUBLE_FREE: Exists(("v",), And((here, atom(FREED, "v")))),
                CheckKind.INVALID_FREE: Or(
                    (atom(junk(base)), Exists(("v",), And((here, Or((Not(atom(HEAP, "v")), atom(ENDED, "v")))))))
                ),
            }
            messages = tuple(Message(faults[c.kind], c.id) for c in edge.checks if c.kind in faults)
            skipped: Formula = nothing
        else:
            messages, skipped = (), Not(live)
        chains = [[Action(f"{title} (nothing to do)", focus, skipped)]]
        first = Action(title, focus, live, messages)
        cuts = [self._cutting(f"{title}: {field}", base, field) for field in self.heap.fields]
        mark = Action(
            f"{title}: mark", focus, updates=(Update(status, ("v",), Or((atom(status, "v"), atom(base, "v")))),)
        )
        chains.append([first, *cuts, mark])
        return chains

    # --- leaks ----------------------------------------------------------------------------------------------------

    def _leak_check(self, edge: Edge[Command]) -> list[Action]:
        """Garbage is reported and the run ends; freed objects that nothing refers to are forgotten."""
        found = [check for check in edge.checks if check.kind is CheckKind.LEAK and not check.cleanup]
        if not found:
            return []
        reached = [formula for family in self.heap.families for formula in family.reached()]
        pointed: list[Formula] = [atom(variable, "v") for variable in self.heap.variables]
        garbage = Exists(
            ("v",),
            And((atom(HEAP, "v"), Not(atom(FREED, "v")), Not(Or((*reached, *pointed))))),
        )
        referred = Or((*pointed, Exists(("u",), self.heap.any_field("u", "v"))))
        kept = Or((Not(Or((atom(FREED, "v"), atom(ENDED, "v")))), referred))
        selected = [check for check in found if self.goal.selects(check)]
        messages = tuple(Message(garbage, check.id) for check in selected)
        goes_on = Not(garbage) if selected else TRUE
        return [Action("no garbage", (), goes_on, messages, retain=("v", kept))]

    # --- conditions and data --------------------------------------------------------------------------------------

    def _assume(self, title: str, literal: Literal) -> Action:
        focus = [formula for family in self.heap.families for formula in family.focus(literal)]
        if isinstance(literal, PointerCompare):
            focus += [atom(p.name, "v") for p in (literal.left, literal.right) if isinstance(p, Var)]
        updates = tuple(self._by_families(lambda family: family.learned(literal)))
        return Action(title, tuple(focus), meaning(self.heap, literal), updates=updates)

    def _data(self, title: str, command: Data, edge: Edge[Command]) -> Action:
        updates = tuple(self._by_families(lambda family: family.computed(command)))
        if isinstance(command, LoadData | StoreData):
            messages, valid = self._checked(edge, command.base)
            return Action(title, (atom(command.base, "v"),), valid, messages, updates=updates)
        return Action(title, updates=updates)


def _merged(updates: tuple[Update, ...], kills: list[Update]) -> list[Update]:
    """The updates of an action, where those of dying variables win."""
    killed = {update.predicate for update in kills}
    return [*(update for update in updates if update.predicate not in killed), *kills]
