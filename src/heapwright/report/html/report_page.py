"""The page of a report: its findings, with the film of each run.

report_page(report, program)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from heapwright.program.graph import Program
from heapwright.program.runs.recording import record
from heapwright.report.html.film import film_object
from heapwright.report.html.findings import page_object
from heapwright.report.html.page import Tokens, page_text
from heapwright.report.model import Report

MOST_FILMS = 300

Json = dict[str, Any]


def report_page(report: Report, program: Program | None, tokens: Tokens | None = None) -> str:
    """The document; without the program there are no films."""
    return page_text(*page_and_films(report, program), tokens)


def page_and_films(report: Report, program: Program | None) -> tuple[Json, list[Json]]:
    """The data of the page, and the films that its checks refer to."""
    films: list[Json] = []
    numbers: dict[str, int] = {}
    goal = replace(report.goal, only=None)
    for outcome in (*report.outcomes, *(entry.outcome for entry in report.suppressed)):
        if program is not None and outcome.run is not None and len(films) < MOST_FILMS:
            check = outcome.check.id
            numbers[check] = len(films)
            films.append(film_object(record(program, goal, outcome.run.choices, check=check)))
    return page_object(report, numbers), films
