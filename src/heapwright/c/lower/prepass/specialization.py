"""Functions that are handed functions: one copy for each that they get, where calls would seem recursive otherwise.

    void repeat(void (*insert)(struct list **), struct list **list) { insert(list); insert(list); }

If `repeat(insert_outer, ..)` calls insert_outer, which calls `repeat(insert_inner, ..)`, then `repeat` looks recursive:
its one call through a pointer may be of either. A copy for each function that is handed over calls just that one, so
that all can be inlined. Only a function on a cycle of calls is copied, whose address nobody takes and all of whose
calls name the functions that they hand over.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.lower.prepass import callgraph
from heapwright.c.lower.prepass.linking import Linked
from heapwright.c.lower.prepass.tree_queries import called_name, called_variable, walk

Passed = tuple[FunctionDecl, ...]  # to the parameters that are called


@dataclass(frozen=True)
class _Copied:
    """A function that gets copies, with the positions of the parameters that it calls."""

    function: FunctionDecl
    positions: tuple[int, ...]


def specialised(linked: Linked) -> Linked:
    """The program with such copies, and the calls that mean them."""
    calls = callgraph.uses(linked)
    found = {id(one.function): one for one in _candidates(linked, calls)}
    if not found:
        return linked
    copies: dict[tuple[int, tuple[int, ...]], FunctionDecl] = {}
    handed: dict[int, FunctionDecl] = {}
    unit_of = dict(linked.unit_of)
    for _, target, passed in list(_calls(linked, linked.all_functions, found)):
        assert passed is not None
        key = (id(target), tuple(map(id, passed)))
        if key not in copies:
            copy = copies[key] = _copy(target)
            unit_of[id(copy)] = unit_of[id(target)]
            parameters = (copy.parameters[index] for index in found[id(target)].positions)
            handed |= {id(parameter): one for parameter, one in zip(parameters, passed, strict=True)}
    extended = replace(linked, copies=tuple(copies.values()), unit_of=unit_of, handed=handed)
    instances = {
        id(call): copies[id(target), tuple(map(id, passed))]
        for call, target, passed in _calls(extended, extended.all_functions, found)
        if passed is not None
    }
    return replace(extended, instances=instances)


def _candidates(linked: Linked, uses: callgraph.Uses) -> Iterator[_Copied]:
    addressed = {id(function) for function in uses.addressed}
    cycles = callgraph.cycles(uses.calls)
    for function in linked.all_functions:
        if id(function) not in cycles or id(function) in addressed or id(function) in linked.models:
            continue
        positions = tuple(_called_parameters(function, uses.assigned))
        if not positions or any(isinstance(one, VarDecl) and one.storage == "static" for one in _nodes(function)):
            continue
        candidate = _Copied(function, positions)
        calls = _calls(linked, linked.all_functions, {id(function): candidate})
        if all(passed is not None for _, _, passed in calls):
            yield candidate


def _nodes(function: FunctionDecl) -> Iterator[object]:
    if function.body is not None:
        yield from walk(function.body)


def _called_parameters(function: FunctionDecl, assigned: frozenset[int]) -> Iterator[int]:
    """The positions of parameters that are called and never change; none if something else is called, too."""
    called = [called_variable(node) for node in _nodes(function) if isinstance(node, ast.Call)]
    pointers = {id(decl) for decl in called if decl is not None}
    for index, parameter in enumerate(function.parameters):
        if id(parameter) in pointers and id(parameter) not in assigned:
            yield index


def _calls(
    linked: Linked, functions: list[FunctionDecl], wanted: dict[int, _Copied]
) -> Iterator[tuple[ast.Call, FunctionDecl, Passed | None]]:
    """The calls of some functions, with the functions that they hand over; None if that is not plain."""
    for caller in functions:
        for node in _nodes(caller):
            if isinstance(node, ast.Call):
                target = linked.find(called_name(node), caller)
                if target is not None and id(target) in wanted:
                    yield node, target, _passed(linked, caller, node, wanted[id(target)].positions)


def _passed(linked: Linked, caller: FunctionDecl, call: ast.Call, positions: tuple[int, ...]) -> Passed | None:
    found: list[FunctionDecl] = []
    for index in positions:
        value = call.arguments[index] if index < len(call.arguments) else None
        while isinstance(value, ast.Cast | ast.AddressOf | ast.Deref):
            value = value.operand
        target = linked.find(value.name, caller) if isinstance(value, ast.FunctionRef) else None
        if target is None or target.body is None:
            return None
        found.append(target)
    return tuple(found)


def _copy(function: FunctionDecl) -> FunctionDecl:
    """Another function with variables of its own; what is declared outside stays what it is."""
    shared: dict[int, object] = {}
    for node in _nodes(function):
        if isinstance(node, ast.VarRef) and node.decl.storage not in ("local", "parameter"):
            shared[id(node.decl)] = node.decl
    return deepcopy(function, shared)
