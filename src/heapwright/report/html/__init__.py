"""Reports as one page for a browser: findings, source text, and the film of each violation.

    from heapwright.report.html.report_page import report_page
    report_page(report, program)

`film` writes a recorded run as data (`schemas/film.json`), `staging` places its objects, once for many steps;
`findings` writes a report as data (`schemas/page.json`), and `page` the document; `proofs`
is for the pages of `heapwright show`. What the browser runs is in
`assets/`: one style sheet and one classic script, which `make bundle` makes of the modules in `script/`. The bundle is
committed, so that neither building nor installing needs anything else.

May import: report.drawing, report.model and what is below; program.runs for recordings.
"""
