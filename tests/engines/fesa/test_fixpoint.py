"""How heaps grow with the variables that point into a list: by a summary and a plain node for each, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import NUMERIC
from heapwright.engines.fesa.fixpoint import Analysis
from heapwright.engines.fesa.graph.abstract_heap import Instrumentation
from heapwright.program.checks import CheckKind


def pointers_into_a_list(number: int) -> str:
    """Each at or behind the one before, and then each followed."""
    names = [f"v{place}" for place in range(number)]
    walks = "".join(
        f"struct node *{name} = {before}; while ({name} && __VERIFIER_nondet_int()) {name} = {name}->next;\n"
        for before, name in zip(["list", *names], names, strict=False)
    )
    uses = "".join(f"if ({name}) {name}->next = {name}->next;\n" for name in names)
    return (
        "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nstruct node { struct node *next; };\n"
        "int main(void) {\nstruct node *list = NULL;\n"
        "while (__VERIFIER_nondet_int()) { struct node *n = malloc(sizeof *n); n->next = list; list = n; }\n"
        f"{walks}{uses}return 0; }}\n"
    )


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_summary_and_a_plain_node_for_each_variable(number: int, tmp_path: Path) -> None:
    """An object has one name, whatever summary it was taken out of: else each variable would double the cases."""
    path = tmp_path / "program.c"
    path.write_text(pointers_into_a_list(number), encoding="utf-8")
    program = build(Input((str(path),)), lambda phase: None)
    analysis = Analysis(program, NUMERIC["bdd"](), Instrumentation(), Limits(), NullProgress())
    analysis.run()
    assert analysis.complete
    kinds = {check.kind for check in program.checks if check.id in analysis.alarms()}
    assert kinds <= {CheckKind.LEAK}
    assert max(len(heap.nodes) for heap in analysis.heaps.values()) == 2 * number + 1
