"""Pictures of heaps as SVG, without any other program: glyphs, a layered layout, and the text that draws them.

    from heapwright.report.drawing.svg import svg
    svg(picture)

`glyphs` says how large things are, `layers` which node comes before which, `positions` where everything stands, `scene`
puts these together, and `svg` writes it down.

May import: report.terminal.heap_text.
"""
