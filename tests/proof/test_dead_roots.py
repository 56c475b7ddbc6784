"""Dead variables that keep blocks: few heaps are enumerated, and none is missed that a step loses a block of."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.paths import ROOT
from support.tampering import certified, checked, program_of

from heapwright.program.checks import CheckKind

LOSING = [
    "struct node *a = make(), *b = a; a = 0; b = 0;",
    "struct node *a = make(), *b = a, *c = a; a = 0; c = 0; b = 0;",
    "struct node *a = make(), *b = make(); struct node *c = b; b = a; c = 0; b = 0; a = 0;",
    "struct node *a = make(); a->next = make(); struct node *b = a->next; free(a); a = 0; b = 0;",
    "struct node *a = make(); a->next = make(); struct node *b = a->next, *c = b; free(a); c = 0; a = c; b = a;",
]
TEXT = """
#include <stdlib.h>
struct node { struct node *next; };
struct node *make(void) { struct node *new = malloc(sizeof *new); new->next = 0; return new; }
int main(void) { BODY return 0; }
"""


@pytest.mark.parametrize("engine", ["fesa", "tvl"])
@pytest.mark.parametrize("body", LOSING)
def test_claims_about_blocks_that_dead_variables_hold_are_refuted(engine: str, body: str, tmp_path: Path) -> None:
    """The claim that nothing is lost is added to a certificate, alone."""
    path = tmp_path / "losing.c"
    path.write_text(TEXT.replace("BODY", body), encoding="utf-8")
    document = certified(path, engine)
    leaks = sorted({one.id for one in program_of(document).checks if one.kind is CheckKind.LEAK and not one.cleanup})
    (section,) = document["sections"]
    assert set(leaks) - set(section["claims"])
    for claims in ([*section["claims"], *leaks], leaks):
        (one,) = checked({**document, "sections": [{**section, "claims": sorted({*claims})}]}, 3)
        assert one.refutation is not None


def test_variables_that_can_be_exchanged_are_not_told_apart() -> None:
    """Its functions have seven pointers, most of them dead at any one place."""
    (one,) = checked(certified(ROOT / "examples" / "list_reverse.c", "fesa"), 2)
    assert one.whole(2)
    assert one.heaps < 1000
