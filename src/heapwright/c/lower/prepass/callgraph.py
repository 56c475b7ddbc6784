"""Call graph: inlined and shared functions.

A function on a cycle of the call graph is shared: it has one body, and its callers keep live variables in activation
records. So is one whose copies would exceed the budget of locations. Everything else is inlined at each call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.lower.prepass.environment import Environment, function_type, is_external
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.tree_queries import called_name, walk
from heapwright.c.types import FunctionType

BUDGET = 20_000  # nodes of the syntax tree, copies included; about as many locations


@dataclass(frozen=True)
class CallGraph:
    """`group` numbers the cycles: two functions are mutually recursive if they have the same group."""

    shared: frozenset[int]  # id() of functions
    group: dict[int, int]
    addressed: tuple[FunctionDecl, ...]  # functions whose address is taken, possible targets of indirect calls
    assigned: frozenset[int]  # id() of variables that are assigned somewhere, or whose address is taken
    callable: tuple[FunctionDecl, ...]  # functions with a body whose addresses others may have

    def of_type(self, type: FunctionType | None) -> list[FunctionDecl]:
        """The functions of the program that the environment may call by a pointer of a type."""
        return [one for one in self.callable if one.type == type]

    def recursive(self, caller: FunctionDecl, callee: FunctionDecl) -> bool:
        return id(caller) in self.group and self.group[id(caller)] == self.group.get(id(callee))


@dataclass(frozen=True)
class Uses:
    """Calls by caller and callee (by id()), and sizes of functions."""

    calls: dict[int, Counter[int]]
    sizes: dict[int, int]
    addressed: tuple[FunctionDecl, ...]
    assigned: frozenset[int]


def build(
    linked: LinkedProgram,
    entry: FunctionDecl,
    can_share: Callable[[FunctionDecl], bool],
    environment: Environment,
) -> CallGraph:
    """`can_share`: whether a function that is not recursive may have one body for all calls. The environment may call
    functions that it was handed whenever it is called, and its pointers may be any function of the program."""
    found = uses(linked)
    addressed = {id(one) for one in found.addressed}
    callable = tuple(
        one
        for one in linked.all_functions
        if one.body is not None and not linked.is_model(one) and (not one.file_static or id(one) in addressed)
    )
    _call_back(linked, found, environment, callable)
    group = cycles(found.calls)
    shared = set(group)
    candidates = {id(one) for one in linked.all_functions if id(one) in found.calls and can_share(one)}
    _share_large(found.calls, found.sizes, shared, id(entry), candidates)
    return CallGraph(frozenset(shared), group, found.addressed, found.assigned, callable)


def _call_back(
    linked: LinkedProgram, found: Uses, environment: Environment, callable: tuple[FunctionDecl, ...]
) -> None:
    """Adds the calls that functions make by way of the environment."""
    for caller in linked.all_functions:
        if caller.body is None or linked.is_model(caller):
            continue
        for node in walk(caller.body):
            if not isinstance(node, ast.Call):
                continue
            if _calls_environment(linked, caller, node):
                found.calls[id(caller)].update(id(one) for one in (*environment.callbacks, *environment.stored))
            if environment.calls_back and not called_name(node) and linked.called(node, caller) is None:
                type = function_type(node)
                found.calls[id(caller)].update(id(one) for one in callable if one.type == type)


def _calls_environment(linked: LinkedProgram, caller: FunctionDecl, call: ast.Call) -> bool:
    return not called_name(call) or is_external(called_name(call), linked.find(called_name(call), caller))


def uses(linked: LinkedProgram) -> Uses:
    """A call through a pointer may be of any function whose address is taken and that takes so many arguments."""
    defined = [function for function in linked.all_functions if function.body is not None]
    calls: dict[int, Counter[int]] = {}
    indirect: dict[int, list[int]] = {}
    sizes: dict[int, int] = {}
    addressed: dict[int, FunctionDecl] = {}
    assigned: set[int] = set()
    for function in defined:
        assert function.body is not None
        calls[id(function)] = Counter()
        callees: set[int] = set()
        size = 0
        for node in walk(function.body):
            size += 1
            if isinstance(node, ast.Call):
                target = linked.called(node, function)
                if target is not None and target.body is not None:
                    calls[id(function)][id(target)] += 1
                if called_name(node):
                    callees |= {id(below) for below in walk(node.callee)}
                elif target is None:
                    indirect.setdefault(id(function), []).append(len(node.arguments))
            elif isinstance(node, ast.FunctionRef) and id(node) not in callees:
                _address(node, function, linked, addressed)
            elif isinstance(node, ast.Assign | ast.IncDec | ast.AddressOf):
                lvalue = node.left if isinstance(node, ast.Assign) else node.operand
                if isinstance(lvalue, ast.VarRef):
                    assigned.add(id(lvalue.decl))
        sizes[id(function)] = size
    for variable in linked.variables:
        for node in walk(variable):
            if isinstance(node, ast.FunctionRef):
                _address(node, variable, linked, addressed)
    for caller, counts in indirect.items():
        for target in addressed.values():
            if target.body is not None and any(takes(target, count) for count in counts):
                calls[caller][id(target)] += 1
    return Uses(calls, sizes, tuple(addressed.values()), frozenset(assigned))


def takes(function: FunctionDecl, arguments: int) -> bool:
    """Whether a function can be called with so many arguments."""
    count = len(function.parameters)
    return count <= arguments if function.type.variadic else count == arguments


def _address(
    node: ast.FunctionRef, where: FunctionDecl | VarDecl, linked: LinkedProgram, addressed: dict[int, FunctionDecl]
) -> None:
    target = linked.find(node.name, where)
    if target is not None:
        addressed.setdefault(id(target), target)


def cycles(calls: dict[int, Counter[int]]) -> dict[int, int]:
    """Tarjan's algorithm without recursion; only components with a cycle are kept, numbered."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    group: dict[int, int] = {}
    for root in calls:
        if root in order:
            continue
        work = [(root, iter(calls[root]))]
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in order:
                    order[target] = low[target] = len(order)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(calls[target])))
                    break
                if target in on_stack:
                    low[node] = min(low[node], order[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    component: list[int] = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    if len(component) > 1 or node in calls[node]:
                        for member in component:
                            group[member] = order[node]
    return group


def _share_large(
    calls: dict[int, Counter[int]], sizes: dict[int, int], shared: set[int], entry: int, candidates: set[int]
) -> None:
    """Share functions, the one with the most copied text first, until the expansion fits the budget."""
    while True:
        copies: Counter[int] = Counter({entry: 1})
        for node in _topological(calls, shared):
            times = 1 if node in shared else copies[node]
            for target, count in calls[node].items():
                if target not in shared:
                    copies[target] += times * count
        total = sum(sizes[node] * (1 if node in shared else copies[node]) for node in sizes)
        repeated = [node for node in sizes if copies[node] > 1 and node in candidates - shared]
        if total <= BUDGET or not repeated:
            return
        shared.add(max(repeated, key=lambda node: sizes[node] * copies[node]))


def _topological(calls: dict[int, Counter[int]], shared: set[int]) -> list[int]:
    """Callers before the functions that are inlined into them."""
    order: list[int] = []
    done: set[int] = set()
    for root in calls:
        work = [(root, False)]
        while work:
            node, finished = work.pop()
            if finished:
                order.append(node)
            elif node not in done:
                done.add(node)
                work.append((node, True))
                work.extend((target, False) for target in calls[node] if target not in shared)
    return order[::-1]
