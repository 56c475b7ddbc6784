"""Values of counters: what loops and conditions leave of them, and when there are too many."""

from __future__ import annotations

from pathlib import Path

from heapwright.analysis.pipeline import Input, build
from heapwright.program.commands import LoadCell, New, StoreCell
from heapwright.program.dataflow.value_sets import ValueSets
from heapwright.program.expressions import Const, variables_of
from heapwright.program.graph import Program

HEAD = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n"


def built(tmp_path: Path, body: str) -> Program:
    file = tmp_path / "program.c"
    file.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n")
    return build(Input((str(file),)), lambda phase: None)


def at_stores(program: Program) -> list[list[int]]:
    """The values of the index of each store to an array of pointers."""
    sets, found = ValueSets(program), []
    for edge in program.graph.edges:
        if isinstance(edge.command, StoreCell):
            (name,) = variables_of(edge.command.index)
            found.append(sorted((sets.at(edge.source) or {}).get(name, ())))
    return found


FILL = "int n = 4; int **a = calloc(n, sizeof *a); for (int i = 0; i < n; i++) a[i] = NULL; free(a);"


def test_a_loop_bounds_its_counter(tmp_path: Path) -> None:
    program = built(tmp_path, FILL)
    assert at_stores(program) == [[0, 1, 2, 3]]
    (values,) = ValueSets(program).counters.values()
    assert values == (0, 1, 2, 3, 4)


def test_a_variable_with_one_value_becomes_a_constant(tmp_path: Path) -> None:
    program = ValueSets(built(tmp_path, FILL)).folded()
    counts = [edge.command.count for edge in program.graph.edges if isinstance(edge.command, New)]
    assert [count.value for count in counts if isinstance(count, Const)] == [4]


def test_one_counter_gives_its_values_to_another(tmp_path: Path) -> None:
    up = "int i = 0; while (i < 3 && __VERIFIER_nondet_int()) i++;"
    down = "for (int j = i - 1; j >= 0; j--) a[j] = NULL;"
    program = built(tmp_path, f"int **a = calloc(3, sizeof *a); {up} {down} free(a);")
    assert at_stores(program) == [[0, 1, 2]]


def test_many_values_are_any_value(tmp_path: Path) -> None:
    program = built(tmp_path, FILL.replace("n = 4", "n = 40"))
    assert at_stores(program) == [[]]
    assert ValueSets(program).counters == {}


def test_an_input_has_any_value(tmp_path: Path) -> None:
    program = built(tmp_path, FILL.replace("n = 4", "n = __VERIFIER_nondet_int()"))
    assert ValueSets(program).counters == {}
    assert ValueSets(program).folded() is program


def test_programs_without_indices_are_left_alone(tmp_path: Path) -> None:
    program = built(tmp_path, "int i = 0; while (i < 3) i++;")
    assert not any(isinstance(edge.command, LoadCell | StoreCell) for edge in program.graph.edges)
    assert ValueSets(program).folded() is program
    assert ValueSets(program).counters == {}
