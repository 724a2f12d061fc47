"""Programs of several modules as one text: it runs, it is read back, and it is shown module by module."""

from __future__ import annotations

from harness.bundle import packed, shown, unpacked

MAIN = "from __future__ import annotations\nimport re\nfrom text_tools import clean\n\ndef f(a: Unknown):\n    return clean(a)\n"
TOOLS = "import re\n\ndef clean(text):\n    return re.sub(\"'\", '\\n', text)\n"


def test_a_bundle_runs_and_is_read_back() -> None:
    text = packed(MAIN, {"text_tools": TOOLS})
    namespace: dict[str, object] = {}
    exec(compile(text, "bundle", "exec"), namespace)
    assert namespace["f"]("it's") == "it\ns"  # type: ignore[operator]
    assert unpacked(text) == (MAIN, {"text_tools": TOOLS})


def test_it_is_shown_under_headings_the_main_module_last() -> None:
    text = shown(packed(MAIN, {"text_tools": TOOLS}))
    assert text.startswith("# text_tools.py\nimport re\n") and f"# main.py\n{MAIN}" in text
    assert "_load_module" not in text


def test_one_module_is_itself() -> None:
    assert packed(MAIN, {}) == MAIN and unpacked(MAIN) == (MAIN, {}) and shown(MAIN) == MAIN
