"""Specialisation of higher-order functions: one clone per function argument, so that calls that only look recursive can
be inlined.

    void repeat(void (*insert)(struct list **), struct list **list) { insert(list); insert(list); }

If `repeat(insert_outer, ..)` calls insert_outer, which calls `repeat(insert_inner, ..)`, then `repeat` looks recursive:
its one call through a pointer may be of either. A clone for each function argument calls just that one, so that all
can be inlined. Only a function on a cycle of calls is cloned, whose address is not taken and all of whose calls name
their function arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.lower.prepass import callgraph
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.tree_queries import called_name, called_variable, walk

Passed = tuple[FunctionDecl, ...]  # to the parameters that are called


@dataclass(frozen=True)
class _Candidate:
    """A function to clone, with the positions of the parameters that it calls."""

    function: FunctionDecl
    positions: tuple[int, ...]


def specialize(linked: LinkedProgram) -> LinkedProgram:
    """The program with clones, and the calls that refer to them."""
    calls = callgraph.uses(linked)
    found = {id(one.function): one for one in _candidates(linked, calls)}
    if not found:
        return linked
    clones: dict[tuple[int, tuple[int, ...]], FunctionDecl] = {}
    bound: dict[int, FunctionDecl] = {}
    unit_of = dict(linked.unit_of)
    for _, target, passed in list(_calls(linked, linked.all_functions, found)):
        assert passed is not None
        key = (id(target), tuple(map(id, passed)))
        if key not in clones:
            clone = clones[key] = _clone(target)
            unit_of[id(clone)] = unit_of[id(target)]
            parameters = (clone.parameters[index] for index in found[id(target)].positions)
            bound |= {id(parameter): one for parameter, one in zip(parameters, passed, strict=True)}
    extended = replace(linked, clones=tuple(clones.values()), unit_of=unit_of, bound=bound)
    instances = {
        id(call): clones[id(target), tuple(map(id, passed))]
        for call, target, passed in _calls(extended, extended.all_functions, found)
        if passed is not None
    }
    return replace(extended, instances=instances)


def _candidates(linked: LinkedProgram, uses: callgraph.Uses) -> Iterator[_Candidate]:
    addressed = {id(function) for function in uses.addressed}
    cycles = callgraph.cycles(uses.calls)
    for function in linked.all_functions:
        if id(function) not in cycles or id(function) in addressed or id(function) in linked.models:
            continue
        positions = tuple(_called_parameters(function, uses.assigned))
        if not positions or any(isinstance(one, VarDecl) and one.storage == "static" for one in _nodes(function)):
            continue
        candidate = _Candidate(function, positions)
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
    linked: LinkedProgram, functions: list[FunctionDecl], wanted: dict[int, _Candidate]
) -> Iterator[tuple[ast.Call, FunctionDecl, Passed | None]]:
    """The calls of some functions, with their function arguments; None if these are not function names."""
    for caller in functions:
        for node in _nodes(caller):
            if isinstance(node, ast.Call):
                target = linked.find(called_name(node), caller)
                if target is not None and id(target) in wanted:
                    yield node, target, _passed(linked, caller, node, wanted[id(target)].positions)


def _passed(linked: LinkedProgram, caller: FunctionDecl, call: ast.Call, positions: tuple[int, ...]) -> Passed | None:
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


def _clone(function: FunctionDecl) -> FunctionDecl:
    """A copy with local variables of its own; declarations outside of the function stay shared."""
    shared: dict[int, object] = {}
    for node in _nodes(function):
        if isinstance(node, ast.VarRef) and node.decl.storage not in ("local", "parameter"):
            shared[id(node.decl)] = node.decl
    return deepcopy(function, shared)
