"""`has[f]`: which fields have it, and that it is kept where nodes are merged."""

from __future__ import annotations

from pathlib import Path

from heapwright.analysis.pipeline import Input, build
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary

PROGRAM = """#include <stdlib.h>
struct payload { int weight; };
struct element { struct payload *what; struct element *next; };
int main(void)
{
    struct element *one = malloc(sizeof *one);
    one->next = NULL;
    one->what = malloc(sizeof *one->what);
    struct payload *what = one->what;
    USE
    free(what);
    free(one);
    return 0;
}
"""


def names(tmp_path: Path, use: str) -> list[str]:
    file = tmp_path / "program.c"
    file.write_text(PROGRAM.replace("USE", use))
    heap = HeapVocabulary.counting(build(Input((str(file),)), lambda phase: None))
    return [one.name for one in heap.vocabulary.predicates if one.name.startswith("has[")]


def test_a_field_that_is_used_without_a_test(tmp_path: Path) -> None:
    assert names(tmp_path, "what->weight = 1;") == ["has[element.what]"]


def test_none_where_the_program_asks(tmp_path: Path) -> None:
    assert names(tmp_path, "if (what != NULL) what->weight = 1;") == []


def test_none_for_links_of_one_kind(tmp_path: Path) -> None:
    assert names(tmp_path, "if (one->next) { struct element *n = one->next; n = n->next; n->next = NULL; }") == []
