"""The page: one document that holds all it needs, and requests nothing.

The style sheet and the script are inside of it, and a content security policy allows these two, by their hashes, and
nothing else: no request, no other script, no style in an attribute. Data is in script elements of a type that browsers
do not run; the script writes it to the page as text, never as markup. Films are compressed.

page_text(page_object(report, {}))
page_text(page, films, coloured_tokens)   # with coloured source text
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

ASSETS = Path(__file__).parent / "assets"
LEVEL = 9  # of compression
SHARED = ("page.css", "page.js")
OF_C = (".c", ".h", ".i")  # endings of files that are coloured

Tokens = Callable[[str], list[int]]  # of a source text: line, column, length and kind of each token that has a colour


def page_text(page: Mapping[str, Any], films: Sequence[Mapping[str, Any]] = (), tokens: Tokens | None = None) -> str:
    """The document. `films` are those that the checks of the page refer to."""
    elements = (
        f'<script type="application/x-film" id="film-{number}">{packed(film)}</script>'
        for number, film in enumerate(films)
    )
    return _document(_with_tokens(page, tokens), "\n".join(elements), "")


def folder_files(
    page: Mapping[str, Any], films: Sequence[Mapping[str, Any]] = (), tokens: Tokens | None = None
) -> Iterator[tuple[str, str]]:
    """Names and contents of a page in a directory: films are scripts beside the document, which are loaded when they
    are watched. A script has one call with a number and letters of base 64."""
    for number, film in enumerate(films):
        yield f"film-{number}.js", f'heapwrightFilm({number},"{packed(film)}");\n'
    yield "index.html", _document(_with_tokens(page, tokens), "", " 'self'" if films else "")


def linked_page(page: Mapping[str, Any], films: Sequence[str] = (), tokens: Tokens | None = None) -> str:
    """A document that shares script and style, `SHARED`, with others in its directory. Films are compressed already."""
    elements = (
        f'<script type="application/x-film" id="film-{number}">{film}</script>' for number, film in enumerate(films)
    )
    return _document(_with_tokens(page, tokens), "\n".join(elements), shared=True)


def shared_files() -> Iterator[tuple[str, str]]:
    """Names and contents of the files that linked pages share."""
    for name in SHARED:
        yield name, _asset(name)


def _with_tokens(page: Mapping[str, Any], tokens: Tokens | None) -> Mapping[str, Any]:
    if tokens is None:
        return page
    return {
        **page,
        "files": [
            {**file, "tokens": tokens(file["text"])} if file["name"].endswith(OF_C) else file for file in page["files"]
        ],
    }


def _document(page: Mapping[str, Any], films: str, beside: str = "", *, shared: bool = False) -> str:
    """`beside`: further sources of scripts. `shared`: script and style are files beside the document."""
    style, script = _asset("page.css"), _asset("page.js")
    scripts, styles = ("'self'", "'self'") if shared else (f"'{_hash(script)}'{beside}", f"'{_hash(style)}'")
    policy = f"default-src 'none'; script-src {scripts}; style-src {styles}; base-uri 'none'; form-action 'none'"
    style_element = '<link rel="stylesheet" href="page.css">' if shared else f"<style>{style}</style>"
    script_element = '<script src="page.js"></script>' if shared else f"<script>{script}</script>"
    page, drawings = _without_drawings(page)
    title = escape(f"{page['title']}: {page['verdict']}" if page.get("verdict") else str(page["title"]))
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="{escape(str(page["generator"]))}">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
{style_element}
</head>
<body>
<noscript>
<h1>{title}</h1>
<p>{escape(str(page.get("summary", "")))}</p>
<p>This page needs a browser with scripts for films and filters. Nothing is loaded from elsewhere.</p>
{_plain_findings(page)}
</noscript>
<script type="application/json" id="page-data">{_inert(page)}</script>
{drawings}{films}
{script_element}
</body>
</html>
"""


def _without_drawings(page: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """The page with numbers in place of its drawings, and the element that has these, each once."""
    numbers: dict[str, int] = {}

    def numbered(value: Any) -> Any:
        if isinstance(value, list):
            return [numbered(one) for one in value]
        if not isinstance(value, dict):
            return value
        return {
            name: numbers.setdefault(one, len(numbers)) if name == "svg" else numbered(one)
            for name, one in value.items()
        }

    drawn = {name: numbered(page[name]) for name in ("views", "topics") if name in page}
    if not numbers:
        return page, ""
    return {**page, **drawn}, f'<script type="application/x-drawings" id="drawings">{packed(list(numbers))}</script>\n'


def packed(value: Any) -> str:
    """JSON, compressed (the `deflate` of browsers), in base 64."""
    return base64.b64encode(zlib.compress(_json(value).encode("ascii"), LEVEL)).decode("ascii")


def _plain_findings(page: Mapping[str, Any]) -> str:
    open_ = [check for check in page.get("checks", ()) if check["verdict"] != "proved"]
    rows = "\n".join(f"<li>{escape(check['id'])}: {escape(check['message'])}</li>" for check in open_)
    return f"<ul>\n{rows}\n</ul>" if rows else ""


def _inert(value: Mapping[str, Any]) -> str:
    """JSON that cannot end a script element."""
    return _json(value).replace("<", "\\u003c")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


@cache
def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
