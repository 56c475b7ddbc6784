"""`--predicate-file` adds predicates to an analysis and refuses bad ones; `--show-predicates` prints the vocabulary."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.hand_made import Heapwright

LIST = """\
#include <stdlib.h>
struct node { struct node *next; };
extern int more(void);
int main(void) {
    struct node *list = NULL;
    while (more()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = list;
        list = fresh;
    }
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
"""


@pytest.fixture
def program(heapwright: Heapwright) -> None:
    Path("list.c").write_text(LIST, encoding="utf-8")


@pytest.mark.usefixtures("program")
@pytest.mark.parametrize("options", [(), ("--focus", "meet"), ("--embedding", "loose")])
def test_a_program_is_proved_with_more_predicates(heapwright: Heapwright, options: tuple[str, ...]) -> None:
    Path("more.tvp").write_text("%i last(v) = heap(v) & !(E(w) node.next(v, w))\n", encoding="utf-8")
    assert heapwright("check", "list.c", "--engine", "tvl", "--predicate-file", "more.tvp", *options).code == 0


@pytest.mark.usefixtures("program")
@pytest.mark.parametrize("engine", ["tvl", "auto"])
def test_bad_predicates_are_refused_whatever_the_engine(heapwright: Heapwright, engine: str) -> None:
    Path("more.tvp").write_text("%i last(v) =\n    heap(v) & nothing(v)\n", encoding="utf-8")
    answer = heapwright("check", "list.c", "--engine", engine, "--predicate-file", "more.tvp")
    assert answer.code == 2
    assert "more.tvp:2:15: error: predicate nothing is not declared" in answer.err


@pytest.mark.usefixtures("program")
def test_those_there_are_can_be_shown(heapwright: Heapwright) -> None:
    answer = heapwright("check", "list.c", "--show-predicates")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert any(line.split(None, 1) == ["list(v)", "variable list points to v"] for line in lines)
    assert any(line.startswith('"junk list"()') for line in lines)
    reached = next(place for place, line in enumerate(lines) if line.startswith("r[list,node.next](v)"))
    assert lines[reached + 1].strip() == "= E(u) (list(u) & t[node.next](u,v))"


@pytest.mark.usefixtures("program")
def test_what_is_shown_can_be_used(heapwright: Heapwright) -> None:
    """Every predicate that is shown, as it is written, in the definition of another."""
    heads = [
        line.partition(")")[0] + ")"
        for line in heapwright("check", "list.c", "--show-predicates").out.splitlines()
        if not line.startswith(" ")
    ]
    assert len(heads) > 10
    quantified = ["E(u, v) " if head.endswith("(u, v)") else "E(v) " if head.endswith("(v)") else "" for head in heads]
    made = [f"%i p{i}() = {q}{head}" for i, (q, head) in enumerate(zip(quantified, heads, strict=True))]
    Path("more.tvp").write_text("\n".join(made), encoding="utf-8")
    # 20 more predicates are a lot; that the file is read is what counts
    assert heapwright("check", "list.c", "--engine", "tvl", "--predicate-file", "more.tvp", "--timeout", "2").code != 2


@pytest.mark.usefixtures("program")
def test_a_configuration_file_may_name_them(heapwright: Heapwright) -> None:
    Path("more.tvp").write_text("%i last(v) = nothing(v)\n", encoding="utf-8")
    Path("heapwright.toml").write_text('predicates = "more.tvp"\n', encoding="utf-8")
    assert heapwright("check", "list.c").code == 2
