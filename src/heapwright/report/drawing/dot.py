r"""A heap picture for Graphviz, drawn as `svg` draws it.

>>> from heapwright.program.heap_picture import HeapArrow, HeapNode
>>> print(heap_dot(HeapPicture((HeapNode(1, summary=True),), (HeapArrow("x", "", 1), HeapArrow(1, "n", 1, False)))))
digraph heap {
  rankdir=LR;
  node [shape=ellipse, fontname="monospace"];
  edge [fontname="monospace", fontsize=10];
  "1" [label="#1", peripheries=2];
  "x -> 1" [shape=plaintext, label="x"];
  "x -> 1" -> "1";
  "1" -> "1" [label="n", style=dotted];
}
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.program.heap_picture import HeapNode, HeapPicture, presented
from heapwright.report.drawing.glyphs import inside
from heapwright.report.drawing.scene import empty_fields, grows_down, notes_of, variables_of


def heap_dot(picture: HeapPicture, name: str = "heap") -> str:
    """The picture as one digraph: summary nodes have a double outline; objects whose lifetime has ended are dashed;
    optional nodes and indefinite edges are dotted."""
    picture = presented(picture)
    down = "TB" if grows_down(picture) else "LR"
    lines = [f"digraph {name} {{", f"  rankdir={down};", '  node [shape=ellipse, fontname="monospace"];']
    lines.append('  edge [fontname="monospace", fontsize=10];')
    notes = notes_of(picture)
    if notes:
        text = "".join(f"{_escaped(note)}\\l" for note in notes)
        lines.append(f'  labelloc=t; labeljust=l; label="{text}"; fontname="monospace";')
    for node in picture.nodes:
        lines.append(_node(picture, node))
        lines += _variables(picture, node.id)
    drawn = {node.id for node in picture.nodes}
    for arrow in picture.arrows:
        if arrow.source in drawn and arrow.target in drawn:
            dotted = "" if arrow.certain else ", style=dotted"
            label = _quote(arrow.label)
            lines.append(f"  {_quote(str(arrow.source))} -> {_quote(str(arrow.target))} [label={label}{dotted}];")
    return "\n".join([*lines, "}"])


def _node(picture: HeapPicture, node: HeapNode) -> str:
    text = [*inside(node, empty_fields(picture, node.id)), *(str(fact) for fact in node.facts)]
    look = ", peripheries=2" if node.summary else ""
    look += ", style=dotted" if node.optional else "" if node.state == "live" else ", style=dashed"
    label = "\\n".join(map(_escaped, text))
    return f'  "{node.id}" [label="{label}"{look}];'


def _variables(picture: HeapPicture, node: int) -> Iterator[str]:
    for names, certain in variables_of(picture, node):
        key = _quote(f"{names} -> {node}" if certain else f"{names} .> {node}")
        yield f"  {key} [shape=plaintext, label={_quote(names)}];"
        yield f'  {key} -> "{node}"' + ("" if certain else " [style=dotted]") + ";"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _quote(text: str) -> str:
    return f'"{_escaped(text)}"'
