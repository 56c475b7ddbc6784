"""Pictures of heaps as SVG and DOT: glyphs, a layered layout, and the text of the drawing.

    from heapwright.report.drawing.svg import svg
    svg(picture)

`glyphs` computes the sizes of nodes, `layers` assigns layers and the order inside them, `positions` coordinates;
`scene` combines these, and `svg` writes the document.

May import: report.terminal.heap_text.
"""
