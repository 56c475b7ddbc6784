"""Pictures of abstract inputs: the structures at the entry, as figure 3 of the paper draws them.

A node of several objects is a summary; what may hold or not is dotted. Beside the field `n`, which reachability
determines where it can, an arrow `n*` says that every object of its target is reached from each of its source.

    structure_picture(task, structure).arrows
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.engines.infer.heaps.program_translation import Task
from heapwright.engines.infer.heaps.prover.terms import shown, split
from heapwright.engines.infer.heaps.structure import HALF, NO, YES, Structure, Table
from heapwright.program.heap_picture import Fact, HeapArrow, HeapNode, HeapPicture


def structure_picture(task: Task, structure: Structure) -> HeapPicture:
    """Nodes are numbered from 1; variables that are no inputs hold anything, and are left out."""
    kept = {k: _name(task, name) for k, name in enumerate(task.vocabulary.variables) if split(name)[0] in task.inputs}
    nodes = tuple(
        HeapNode(
            i + 1, _type(task, structure, i), summary=not node.single, facts=tuple(_facts(task, structure, i, kept))
        )
        for i, node in enumerate(structure.nodes)
    )
    arrows = [arrow for k, name in kept.items() for arrow in _variable(structure, k, name)]
    for field, table in zip(task.fields, structure.paths, strict=True):
        if field and not structure.cyclic:
            arrows += successors(structure, table, field)
    for field, table in zip(task.fields, structure.paths, strict=True):
        if field:
            certain = {(arrow.source, arrow.target) for arrow in arrows if arrow.label == field and arrow.certain}
            arrows += [arrow for arrow in _paths(table, field) if (arrow.source, arrow.target) not in certain]
    number = {name: k for k, name in enumerate(task.vocabulary.variables)}
    trees = tuple(
        Fact(f"{_name(task, tree.term)} is {'a' if structure.null[number[tree.name]] == YES else 'no'} tree")
        for tree in task.vocabulary.trees
        if structure.null[number[tree.name]] != HALF
    )
    return HeapPicture(nodes, tuple(arrows), facts=trees)


def _type(task: Task, structure: Structure, node: int) -> str:
    """The type of the objects of a node; none where it is not known which."""
    if not task.layout.several:
        return task.layout.types[0]
    here = [k for k in range(len(structure.null)) if structure.nodes[node].values[structure.at(k)] == YES]
    return task.layout.types[task.vocabulary.kinds[here[0]]] if here else ""


def _name(task: Task, name: str) -> str:
    variable, _ = split(name)
    shown_as = task.program.variables[variable].source_name or variable
    return shown(name, task.fields).replace(variable, shown_as, 1)


def _facts(task: Task, structure: Structure, node: int, kept: dict[int, str]) -> Iterator[Fact]:
    """What is reached from where, and whether it is allocated."""
    values, several = structure.nodes[node].values, len(task.fields) > 1
    for k, name in kept.items():
        for number, field in enumerate(task.fields):
            value = values[structure.reach(k, number)]
            if value != NO and field:
                yield Fact(f"r[{field},{name}]" if several else f"r[{name}]", value == YES)
    if task.vocabulary.allocation and values[task.vocabulary.alloc] != NO:
        yield Fact("allocated", values[task.vocabulary.alloc] == YES)
    if structure.cyclic and values[task.vocabulary.ends] != NO:
        yield Fact(f"{task.fields[0]} is null", values[task.vocabulary.ends] == YES)


def _variable(structure: Structure, k: int, name: str) -> Iterator[HeapArrow]:
    if structure.null[k] != NO:
        yield HeapArrow(name, "", "null", structure.null[k] == YES)
    for i, node in enumerate(structure.nodes):
        value = node.values[structure.at(k)]
        if value != NO:
            yield HeapArrow(name, "", i + 1, value == YES)


def successors(structure: Structure, table: Table, field: str) -> Iterator[HeapArrow]:
    """Arrows of an acyclic field, as far as reachability along it tells: a successor is reached, and all else that is
    reached lies beyond it."""
    nodes = range(len(structure.nodes))
    for i in nodes:
        others = [j for j in nodes if j != i]
        certain = [j for j in others if _follows(structure, table, i, j)]
        if certain:
            yield HeapArrow(i + 1, field, certain[0] + 1)
            continue
        if all(table[i][j] == NO for j in others) and structure.nodes[i].single:
            yield HeapArrow(i + 1, field, "null")
            continue
        if not any(table[i][j] == YES for j in others):
            yield HeapArrow(i + 1, field, "null", False)
        for j in nodes if not structure.nodes[i].single else others:
            between = any(table[i][k] == YES and table[k][j] == YES for k in nodes if k not in (i, j))
            if table[i][j] != NO and not between:
                yield HeapArrow(i + 1, field, j + 1, False)


def _follows(structure: Structure, table: Table, i: int, j: int) -> bool:
    """Whether the field of the object of one node is certain to lead to that of another."""
    if not (structure.nodes[i].single and structure.nodes[j].single and table[i][j] == YES):
        return False
    return all(table[i][k] == NO or table[j][k] == YES for k in range(len(structure.nodes)) if k not in (i, j))


def _paths(table: Table, field: str) -> Iterator[HeapArrow]:
    """Certain paths between nodes that do not follow from two others."""
    nodes = range(len(table))
    for i in nodes:
        for j in nodes:
            through = any(table[i][k] == YES and table[k][j] == YES for k in nodes if k not in (i, j))
            if i != j and table[i][j] == YES and not through:
                yield HeapArrow(i + 1, f"{field}*", j + 1)
