"""Runs the ```python blocks of docs/python*.md, those of a page in order, in one namespace and an empty directory.

A ```text block right behind one is what it prints; "..." in it stands for anything, and ends of lines do not matter. An HTML
comment right above a block says more:

    <!-- raises: NAME -->      the block raises this exception; the ```text block is "NAME: its text"
    <!-- needs: MODULE -->     the block is passed over where this module is not installed, and so is what follows it
    <!-- model: NAME -->       above a ```lua block: NAME.lua for the blocks behind it"""

import contextlib
import doctest
import importlib.util
import io
import pathlib
import sys

import pytest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "docs"))
import pages  # noqa: E402

PAGES = sorted((ROOT / "docs").glob("python*.md"))


def same(shown, printed):
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(shown.strip() + "\n", printed.strip() + "\n", flags)


def execute(block, name, namespace):
    """What the block prints, or the exception that its comment announces."""
    wanted = block.note.removeprefix("raises:").strip() if block.note.startswith("raises:") else None
    # Lines of messages are those of the page.
    code = compile("\n" * (block.line - 1) + block.text, name, "exec")
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)
    except Exception as problem:
        if type(problem).__name__ != wanted:
            raise
        return f"{wanted}: {problem}"
    assert wanted is None, f"{name}:{block.line}: nothing was raised; the page says {wanted}"
    return printed.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    blocks, namespace, count = pages.blocks(page), {"__name__": "__main__"}, 0
    for number, block in enumerate(blocks):
        if block.language == "lua" and block.note.startswith("model:"):
            pathlib.Path(block.note.removeprefix("model:").strip() + ".lua").write_text(block.text)
        if block.language != "python":
            continue
        if block.note.startswith("needs:") and not importlib.util.find_spec(block.note.removeprefix("needs:").strip()):
            pytest.skip(f"{page.name}:{block.line}: {block.note}, which is not installed")
        count += 1
        printed = execute(block, page.name, namespace)
        following = blocks[number + 1] if number + 1 < len(blocks) else None
        if following and following.language == "text":
            assert same(following.text, printed), f"{page.name}:{block.line} prints\n{printed}"
    assert count > 0, f"{page.name} has no ```python block"


def test_there_are_pages():
    assert PAGES
