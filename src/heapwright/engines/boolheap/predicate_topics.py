"""Predicates and Boolean heaps for people: what each predicate says of an object, and the Boolean heaps of each line.

>>> from heapwright.engines.boolheap.logic.parser import parse
>>> in_words(parse("reach(x, v, next)"))
'v is reached from x along next'
>>> in_words(parse("v = x"))
'v is the object that x points to'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from heapwright.engines.boolheap.domain.vectors import BooleanHeap, Vector
from heapwright.engines.boolheap.fixpoint import Analysis
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.printing import text
from heapwright.engines.boolheap.logic.substitution import substituted
from heapwright.program.commands import Command, Skip
from heapwright.program.graph import Edge, Program
from heapwright.result.explanation import Topic

MOST_ROWS = 120  # vectors of a line
MOST_HEAPS = 20  # formulas of a line


def predicate_topics(analysis: Analysis, program: Program) -> tuple[Topic, ...]:
    predicates = analysis.program.predicates
    used = [sum(active >> index & 1 for active in analysis.active) for index in range(len(predicates))]
    table = tuple((text(one), in_words(one), str(used[index])) for index, one in enumerate(predicates))
    said = (
        "A Boolean heap is a set of vectors. It stands for the heaps in which every object, null among them, has the "
    )
    first = Topic("Predicates", (said + "values of one of its vectors.",), ("predicate", "says", "locations"), table)
    return (first, *_lines(analysis, program))


def _lines(analysis: Analysis, program: Program) -> Iterator[Topic]:
    """The Boolean heaps where control arrives at a line of the user's, each line once."""
    names = [text(one) for one in analysis.program.predicates]
    seen: set[tuple[str, int]] = set()
    edges = sorted(program.graph.edges, key=lambda edge: (edge.span, edge.source))
    for edge in edges:
        place = edge.span.file, edge.span.line
        shown = edge.span.line and edge.span.file in program.files and _enters(program, edge)
        if place in seen or not shown or (isinstance(edge.command, Skip) and edge.command.note.endswith(" returns")):
            continue
        seen.add(place)
        heaps = list(analysis.at.get(edge.source, {}).values())
        rows = [
            (str(number), *_literals(vector, names)) for number, heap in enumerate(heaps, 1) for vector in sorted(heap)
        ]
        lines = program.sources.get(edge.span.file, "").splitlines()
        code = lines[edge.span.line - 1].strip() if edge.span.line <= len(lines) else ""
        cut = (f"The first {MOST_ROWS} of {len(rows)} vectors are shown.",) if len(rows) > MOST_ROWS else ()
        active = analysis.active[edge.source]
        formulas = tuple(formula_of(heap, analysis.program.predicates, active, program) for heap in heaps)
        yield Topic(
            f"Line {edge.span.line}: {code}",
            (*formulas[:MOST_HEAPS], *cut) if rows else ("No run arrives here.",),
            ("Boolean heap", "holds of the object", "does not hold"),
            tuple(rows[:MOST_ROWS]),
            span=edge.span,
        )


def formula_of(heap: BooleanHeap, predicates: Sequence[f.Formula], active: int, program: Program) -> str:
    """A Boolean heap as a formula in the user's names: for every object one of its vectors. What is said of temporaries
    is left out."""
    hidden = {one.name for one in program.variables.values() if one.temporary}
    used = [one for index, one in enumerate(predicates) if active >> index & 1 and not f.names_of(one) & hidden]
    there = sorted(frozenset[str]().union(*map(f.names_of, used)) & program.variables.keys())
    own = Counter(program.variables[name].source_name for name in there)
    names = {name: program.variables[name].source_name for name in there}
    names = {name: source for name, source in names.items() if own[source] == 1}  # those of two variables stay apart
    terms = {f.Name(name): f.Name(source) for name, source in names.items()}
    numbers: dict[str, f.Numeric] = {name: f.Number(source) for name, source in names.items()}
    places = {one: index for index, one in enumerate(predicates)}
    told = [(places[one], substituted(one, terms, numbers)) for one in used]
    vectors = []
    for vector in sorted(heap, reverse=True):
        positive = [text(one) for index, one in told if vector.ones >> index & 1]
        negative = [text(f.negation(one)) for index, one in told if vector.zeros >> index & 1]
        vectors.append(" & ".join(_in_brackets(one) for one in (*positive, *negative)) or "true")
    return "for all v: " + "\n    or ".join(dict.fromkeys(vectors))


def _in_brackets(formula: str) -> str:
    return f"({formula})" if " | " in formula or " & " in formula else formula


def _enters(program: Program, edge: Edge[Command]) -> bool:
    before = program.graph.predecessors[edge.source]
    return not before or any((one.span.file, one.span.line) != (edge.span.file, edge.span.line) for one in before)


def _literals(vector: Vector, names: list[str]) -> tuple[str, str]:
    ones = ", ".join(name for index, name in enumerate(names) if vector.ones >> index & 1)
    zeros = ", ".join(name for index, name in enumerate(names) if vector.zeros >> index & 1)
    return ones or "-", zeros or "-"


def in_words(formula: f.Formula) -> str:
    """The predicate as a sentence, or as its formula where there is no shorter one."""
    match formula:
        case f.Equal(left, right) if f.V in (left, right):
            other = right if left == f.V else left
            if other == f.JUNK:
                return "v stands for pointers that point nowhere"
            return "v is null" if other == f.NULL else f"v is the object that {f.term_text(other)} points to"
        case f.Equal(left, right):
            if f.NULL in (left, right):
                return f"{f.term_text(right if left == f.NULL else left)} is null"
            return f"{f.term_text(left)} and {f.term_text(right)} point to the same object"
        case f.Alive(object):
            return f"{f.term_text(object)} is allocated and not freed"
        case f.Between(name, start, middle, end) if middle == end:
            return f"{f.term_text(end)} is reached from {f.term_text(start)} along {name}"
        case f.Between(name, start, middle, end):
            return f"{f.term_text(middle)} is between {f.term_text(start)} and {f.term_text(end)} along {name}"
    return text(formula)
