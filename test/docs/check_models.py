"""Runs every model of the documents: each ```lua block is checked (`carom check`) and run for a short time.

    check_models.py SOURCE_DIRECTORY CAROM FILE...

A block is a complete model, unless an HTML comment on the line above it says otherwise:

    <!-- model: NAME -->                          complete, and others on this page may need it
    <!-- fragment: needs NAME -->                 stands after the model NAME of this page, or after
                                                  test/docs/preambles/NAME.lua
    <!-- fragment: needs NAME without A, B -->    likewise, without the statements A and B of that model
    <!-- refused: NAME -->                        carom refuses it, with the message in the block that follows

Nothing is passed over: a fragment without such a comment fails. Of ```python blocks only the syntax is checked, since
they need packages that carom does not."""

import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
root, carom = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "docs"))
import pages  # noqa: E402

SHORT = "0.05"  # end time of the runs


class Wrong(Exception):
    """What is wrong with a block."""


def run(*arguments):
    return subprocess.run([carom, *arguments], capture_output=True, text=True, check=False)


def without(text, statements):
    """The model without these statements, which stand at the beginning of a line."""
    for name in statements:
        text, count = re.subn(rf"^{name}\b[^\n]*\n(?:[ \t}}][^\n]*\n)*", "", text, flags=re.M)
        if count == 0:
            raise Wrong(f"the model it needs has no statement '{name}' to leave out")
    return text


def complete(note, text, models):
    """The text of the block as a complete model."""
    match = re.fullmatch(r"fragment: needs ([\w-]+)(?: without ([\w, ]+))?", note)
    if not match:
        raise Wrong(f"the comment '{note}' is none of 'model: NAME', 'fragment: needs NAME [without A, B]', 'refused: NAME'")
    name, left_out = match.group(1), re.findall(r"\w+", match.group(2) or "")
    file = pathlib.Path(__file__).parent / "preambles" / f"{name}.lua"
    if name in models:
        around = models[name]
    elif file.exists():
        around = file.read_text()
    else:
        raise Wrong(f"it needs '{name}', which is no model above it and no file {file}")
    before, here, after = without(around, left_out).partition("-- the fragment stands here\n")
    return before + text + after if here else before + text


def expect_success(file, text):
    """Checks the model and runs it; a study has no end time."""
    pathlib.Path(file).write_text(text)
    time = ["--until", SHORT] if re.search(r"\bintegrate\b", text) else []
    for command in (["check", file], ["run", file, "--quiet", "--no-family", *time]):
        result = run(*command)
        if result.returncode != 0:
            raise Wrong(f"carom {' '.join(command)}: exit status {result.returncode}\n{result.stdout}{result.stderr}"
                        f"(a fragment says so in a comment above it, see test/docs/check_models.py)")


def expect_refusal(file, text, following):
    """Runs the model, which carom refuses, and compares the message with the one that the page shows."""
    pathlib.Path(file).write_text(text)
    result = run("run", file)
    said = " ".join(result.stderr.replace(file, "FILE").split())
    shown = " ".join(re.sub(r"carom: [\w-]+\.lua", "carom: FILE", following).split())
    if result.returncode != 2:
        raise Wrong(f"exit status {result.returncode}, not 2\n{result.stderr}")
    if not said or said not in shown:
        raise Wrong(f"the page shows another message than carom's:\n{result.stderr}")


def check(path, number, block, following, models):
    """One block of a page; complete models with a name are added to `models`."""
    file = f"block-{number}.lua"
    if block.note.startswith("refused:"):
        expect_refusal(file, block.text, following)
    elif block.note.startswith("model:"):
        models[block.note.removeprefix("model:").strip()] = block.text
        expect_success(file, block.text)
    elif block.note:
        expect_success(file, complete(block.note, block.text, models))
    else:
        expect_success(file, block.text)


def main():
    count = failed = 0
    for name in sys.argv[3:]:
        path, models = root / name, {}
        blocks = pages.blocks(path)
        for number, block in enumerate(blocks):
            if block.language == "python":
                compile(block.text, f"{name}:{block.line}", "exec")
            if block.language != "lua":
                continue
            count += 1
            following = blocks[number + 1].text if number + 1 < len(blocks) else ""
            try:
                check(path, number, block, following, models)
            except Wrong as wrong:
                failed += 1
                print(f"{name}:{block.line}: {wrong}")
    print(f"{count} models, {failed} wrong")
    return 1 if failed or count == 0 else 0


sys.exit(main())
