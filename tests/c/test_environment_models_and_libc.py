"""Models whose results the environment decides beside the functions that they stand for: streams, files, time, formats.

Both are compiled by gcc with sanitizers. The real function runs first; what it did is fed to the model as its choices,
and the model must take them all, within their ranges, and do the same: results, memory, and the ends of objects.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from c.test_models_and_libc import MODELS, with_templates

FILES = (
    "format",
    "input_end",
    "stdio",
    "environment",
    "directories",
    "time",
    "variadic_format",
    "wide_streams",
    "numbers",
    "multibyte",
    "floats",
)
TEXTS = Path(__file__).parent / "beside_libc"


def as_one_file() -> str:
    parts = []
    names: set[str] = set()
    for name in FILES:
        text = (MODELS / f"{'wide' if name == 'wide_streams' else name}.c").read_text(encoding="utf-8")
        text = re.sub(r"^#define (CHARACTER|NAME).*\n", "", with_templates(text), flags=re.MULTILINE)
        text = re.sub(r"\bNAME\((\w+)\)", r"str\1", re.sub(r"\bCHARACTER\b", "char", text))
        text = re.sub(r"^#include.*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"^(size_t|int|void|FILE \*|double) ?\w+\([^;{]*\);\n", "", text, flags=re.MULTILINE)
        if name == "wide_streams":
            text = text[text.index("wint_t fgetwc(") : text.index("wint_t btowc(")] + text[text.index("int fwide(") :]
        for private in re.findall(r"^static [^;=()]*?\b(\w+)\(", text, re.MULTILINE):
            text = re.sub(rf"\b{private}\b", f"{name}_{private}", text)
        names.update(re.findall(r"^[A-Za-z][\w ]*?[ *](\w+)\([^;]*\)\n\{", text, re.MULTILINE))
        parts.append(text)
    own = tuple(f"{name}_" for name in FILES)
    body = re.sub(r"\bFILE\b", "struct heapwright_file", "\n".join(parts))
    body = re.sub(r"\bDIR\b", "struct heapwright_directory", re.sub(r"\bfpos_t\b", "long", body))
    body = re.sub(r"\bmbstate_t\b", "struct model_state", body)
    body = re.sub(r"\b(stdin|stdout|stderr)\b", r"model_\1", body)
    renamed = sorted(one for one in names if not one.startswith((*own, "hw_model_")))
    body = re.sub(rf"\b({'|'.join(renamed)})\(", r"model_\1(", body)
    start, end = ((TEXTS / name).read_text(encoding="utf-8") for name in ("twins.c", "environment.c"))
    return start + body + end


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_models_allow_what_the_library_does(tmp_path: Path) -> None:
    source, program = tmp_path / "models.c", tmp_path / "models"
    source.write_text(as_one_file(), encoding="utf-8")
    flags = ["-w", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-builtin"]
    made = subprocess.run(
        ["gcc", *flags, str(source), "-o", str(program), "-lm"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr[:4000]
    folder = tmp_path / "folder of files"
    folder.mkdir()
    answer = subprocess.run(
        [str(program), str(folder)], capture_output=True, text=True, check=False, env={"ASAN_OPTIONS": "detect_leaks=0"}
    )
    assert (answer.returncode, answer.stdout.splitlines()[-1:]) == (0, ["same"]), answer.stdout + answer.stderr[:2000]
