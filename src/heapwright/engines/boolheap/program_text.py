"""Boolean heap programs as text, which can be run without the C source and without a prover.

    boolean heap program
    predicate null = v
    location 3: 0 1 2
    start 101*
    edge 3 -> 4: x = y.next
      check list.c:9:5:null-deref: y != null
      do suppose alive(y); x := y.next
    rules y.next
      x.next = v supposing alive(y)
        true if reach(y, v, next) & y != v
        false if y = v

A check is evaluated before the commands, or after them with the word `after`. A rule has implicants of the weakest
precondition of a predicate (its *goal*) and of its negation: the updates of Figure 2, as far as the analysis queried
them. If no rule applies, a predicate is unknown. The word after `rules` is the object that a step loads or allocates,
`-` if there is none. A rule for the goal `false` has inconsistent cubes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heapwright.base.errors import InputError, UsageError
from heapwright.base.source import NOWHERE
from heapwright.engines.boolheap.abstraction.cartesian_post import Deductions
from heapwright.engines.boolheap.abstraction.obligations import Obligation
from heapwright.engines.boolheap.concrete.formula_samples import Samples
from heapwright.engines.boolheap.concrete.small_heaps import Heap
from heapwright.engines.boolheap.domain.predicate_columns import AtomTable
from heapwright.engines.boolheap.domain.vectors import Vector, pruned
from heapwright.engines.boolheap.heap_program import HeapProgram, HeapStep
from heapwright.engines.boolheap.logic import heap_commands as h
from heapwright.engines.boolheap.logic.formulas import Field, Formula, Name, Numeric, Term, V, eq, negation, term_text
from heapwright.engines.boolheap.logic.parser import parse, parse_number, parse_term
from heapwright.engines.boolheap.logic.printing import number_text, text
from heapwright.engines.boolheap.prover.implicants import Cube, Deduction, Query, Search
from heapwright.logic.connectives import TRUE, Not
from heapwright.program.graph import Edge, Graph, Location

HEADING = "boolean heap program"
WITH = " with "  # before a temporary predicate
CARTESIAN = "post cartesian"  # without context (Definition 5)

# --- writing ---------------------------------------------------------------------------------------------------------


def serialize(program: HeapProgram, deductions: Deductions) -> str:
    return "\n".join(_lines(program, deductions)) + "\n"


def _lines(program: HeapProgram, deductions: Deductions) -> Iterator[str]:
    yield HEADING
    if not program.context:
        yield CARTESIAN
    yield from (f"predicate {text(one)}" for one in program.predicates)
    width = len(program.predicates)
    for location, active in enumerate(program.active):
        used = " ".join(str(index) for index in range(width) if active >> index & 1)
        yield f"location {location}: {used}".rstrip()
    yield f"entry {program.graph.entry}"
    yield from (f"start {_vector_text(one, width)}" for one in sorted(program.initial))
    for edge in program.graph.edges:
        yield f"edge {edge.source} -> {edge.target}: {edge.command.text}"
        for obligation in edge.command.obligations:
            everywhere = "" if obligation.everywhere == TRUE else f" everywhere {text(obligation.everywhere)}"
            word = "after" if obligation.after else "check"
            yield f"  {word} {obligation.check}: {text(obligation.closed)}{everywhere}"
        for commands in edge.command.alternatives:
            yield f"  do {'; '.join(map(_command_text, commands))}".rstrip()
        yield from (f"  split {text(one)}" for one in edge.command.splits)
    for columns, deduction in deductions.all():
        more = (one for one in columns.predicates[width:] if columns.found is None or one != eq(columns.found, V))
        temporary = "".join(f"{WITH}{text(one)}" for one in more)
        yield f"rules {'-' if columns.found is None else term_text(columns.found)}{temporary}"
        for query in deduction.queries:
            yield from _rule(deduction, query)


def _rule(deduction: Deduction, query: Query) -> Iterator[str]:
    if query.proving.found or query.refuting.found:
        yield f"  {text(query.goal)} supposing {text(query.supposed)}"
        for word, implicants in (("true", query.proving), ("false", query.refuting)):
            for cube in implicants.found:
                yield f"    {word} if {_cube_text(deduction, cube)}"


def _cube_text(deduction: Deduction, cube: Cube) -> str:
    literals = []
    for index, atom in enumerate(deduction.atoms):
        for sign, mask in (("", cube.ones), ("!", cube.zeros)):
            if mask >> index & 1:
                literals.append(f"{sign}({text(atom)})")
    return " & ".join(literals) or "true"


def _vector_text(vector: Vector, width: int) -> str:
    return "".join(
        "1" if vector.ones >> index & 1 else "0" if vector.zeros >> index & 1 else "*" for index in range(width)
    )


def _command_text(command: h.HeapCommand) -> str:
    match command:
        case h.Suppose(formula):
            return f"suppose {text(formula)}"
        case h.Point(variable, value):
            return f"point {term_text(Name(variable))} := {term_text(value)}"
        case h.Create(variable):
            return f"create {term_text(Name(variable))}"
        case h.End(object):
            return f"end {term_text(object)}"
        case h.Link(base, field, value):
            return f"link {term_text(Field(field, base))} := {term_text(value)}"
        case h.Count(variable, number):
            return f"count {variable} := {_any_number(number)}"
        case h.Write(base, field, number):
            return f"write {term_text(Field(field, base))} := {_any_number(number)}"
        case h.Mark(mark, formula):
            return f"mark {mark} := {text(formula)}"


def _any_number(number: Numeric | None) -> str:
    return "anything" if number is None else number_text(number)


# --- reading ---------------------------------------------------------------------------------------------------------


class NoProver:
    """A prover that proves nothing."""

    interrupted = False

    def entails(self, assumptions: Sequence[Formula], goal: Formula) -> tuple[int, ...] | None:
        return None

    def counterexample(self, assumptions: Sequence[Formula], goal: Formula, search: Search) -> Heap | None:
        return None


class _Reader:
    def __init__(self, given: str) -> None:
        self.predicates: list[Formula] = []
        self.active: list[int] = []
        self.entry = 0
        self.context = True
        self.start: list[Vector] = []
        self.edges: list[Edge[HeapStep]] = []
        self.deduction: Deduction | None = None
        self.query: Query | None = None
        self.deductions = Deductions(Samples(()), NoProver(), uses_prover=False)
        lines = given.splitlines()
        if not lines or lines[0].strip() != HEADING:
            raise InputError(f"not a Boolean heap program: it does not begin with '{HEADING}'")
        for number, line in enumerate(lines[1:], 2):
            try:
                if line.strip():
                    self._line(line)
            except (UsageError, ValueError, IndexError, KeyError, AssertionError) as error:
                raise InputError(f"line {number} of the Boolean heap program cannot be read: {error}") from None

    def _line(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        if self.deduction is not None and word != "rules":
            self._rule(line, word, rest)
        elif line.strip() == CARTESIAN:
            self.context = False
        elif word == "predicate":
            self.predicates.append(parse(rest))
        elif word == "location":
            self.active.append(sum(1 << int(one) for one in rest.partition(":")[2].split()))
        elif word == "entry":
            self.entry = int(rest)
        elif word == "start":
            self.start.append(_vector(rest))
        elif word == "edge":
            ends, _, statement = rest.partition(": ")
            source, target = (int(one) for one in ends.split(" -> "))
            self.edges.append(Edge(source, HeapStep((), (), statement), target))
        elif word in ("check", "after"):
            name, _, claim = rest.rpartition(": ")
            closed, _, everywhere = claim.partition(" everywhere ")
            always = parse(everywhere) if everywhere else TRUE
            self._extend((), (Obligation(name, parse(closed), always, word == "after"),))
        elif word == "do":
            self._extend((tuple(_command(one) for one in rest.split("; ") if one),), ())
        elif word == "split":
            self._extend((), (), (parse(rest),))
        elif word == "rules":
            self._rules(*rest.strip().split(WITH))
        else:
            raise ValueError(f"unknown declaration '{word}'")

    def _extend(
        self,
        alternatives: tuple[tuple[h.HeapCommand, ...], ...],
        obligations: tuple[Obligation, ...],
        splits: tuple[Formula, ...] = (),
    ) -> None:
        edge = self.edges[-1]
        old = edge.command
        step = HeapStep(
            (*old.alternatives, *alternatives), (*old.obligations, *obligations), old.text, (*old.splits, *splits)
        )
        self.edges[-1] = Edge(edge.source, step, edge.target)

    def _rules(self, found: str, *temporary: str) -> None:
        columns = AtomTable(tuple(self.predicates), context=self.context)
        if found != "-":
            term = parse_term(found)
            columns = columns.extended(term, eq(term, V))
        columns = columns.with_temporaries(tuple(map(parse, temporary)))
        self.deduction = self.deductions.of(columns)

    def _rule(self, line: str, word: str, rest: str) -> None:
        assert self.deduction is not None
        if not line.startswith("    "):
            goal, _, supposed = line.strip().rpartition(" supposing ")
            self.query = self.deduction.query(parse(supposed), parse(goal))
            return
        assert self.query is not None
        implicants = {"true": self.query.proving, "false": self.query.refuting}[word]
        implicants.found.append(_cube(self.deduction, rest.removeprefix("if ")))

    def program(self) -> HeapProgram:
        locations = tuple(Location(index, NOWHERE, "") for index in range(len(self.active)))
        ends = [self.entry, *(end for edge in self.edges for end in (edge.source, edge.target))]
        if not locations or not all(0 <= end < len(locations) for end in ends):
            raise InputError("the Boolean heap program has an edge to a location that does not exist")
        graph = Graph(locations, tuple(self.edges), self.entry)
        return HeapProgram(graph, tuple(self.predicates), tuple(self.active), pruned(self.start), self.context)


def deserialize(given: str) -> tuple[HeapProgram, Deductions]:
    """The program of a text, and its rules, which are trusted: a changed rule may make the result unsound."""
    reader = _Reader(given)
    return reader.program(), reader.deductions


def _vector(given: str) -> Vector:
    vector = Vector(0, 0)
    for index, one in enumerate(given.strip()):
        if one in "01":
            vector = vector.having(1 << index, one == "1")
        elif one != "*":
            raise ValueError(f"a vector has 0, 1 and *, not {one!r}")
    return vector


def _cube(deduction: Deduction, given: str) -> Cube:
    """Literals are parsed one by one, since the negation of a predicate may be a conjunction."""
    indices = {atom: index for index, atom in reversed(tuple(enumerate(deduction.atoms)))}
    ones = zeros = 0
    for one in () if given == "true" else _conjuncts(given):
        negated, literal = one.startswith("!"), parse(one.removeprefix("!"))
        assert not negated or parse(one) == negation(literal), f"'{one}' is not a literal"
        if literal not in indices and isinstance(literal, Not):
            negated, literal = not negated, literal.operand
        assert literal in indices, f"'{text(literal)}' is not a predicate of the program"
        if negated:
            zeros |= 1 << indices[literal]
        else:
            ones |= 1 << indices[literal]
    return Cube(ones, zeros)


def _conjuncts(given: str) -> Iterator[str]:
    """The parts between the signs & that are in no brackets."""
    depth, begin = 0, 0
    for index, sign in enumerate(given):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "&" and not depth:
            yield given[begin:index].strip()
            begin = index + 1
    yield given[begin:].strip()


def _command(given: str) -> h.HeapCommand:
    word, _, rest = given.strip().partition(" ")
    left, _, right = rest.partition(" := ")
    match word:
        case "suppose":
            return h.Suppose(parse(rest))
        case "point":
            return h.Point(_variable(left), parse_term(right))
        case "create":
            return h.Create(_variable(rest))
        case "end":
            return h.End(parse_term(rest))
        case "link":
            cell = _cell(left)
            return h.Link(cell.base, cell.field, parse_term(right))
        case "count":
            return h.Count(left, None if right == "anything" else parse_number(right))
        case "write":
            cell = _cell(left)
            return h.Write(cell.base, cell.field, None if right == "anything" else parse_number(right))
        case "mark":
            return h.Mark(left, parse(right))
    raise ValueError(f"unknown command '{word}'")


def _variable(given: str) -> str:
    term: Term = parse_term(given)
    assert isinstance(term, Name), f"'{given}' is not a variable"
    return term.id


def _cell(given: str) -> Field:
    term = parse_term(given)
    assert isinstance(term, Field), f"'{given}' is not a field"
    return term
