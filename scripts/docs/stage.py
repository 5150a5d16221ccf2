"""Lays out the pages of the site in build/docs: the documents at the places that they have in the project, so that
their links hold, the pages of the C library from its headers, and the programs of examples/ in their page."""

import json
import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
import api  # noqa: E402
import pages  # noqa: E402

SOURCES = re.compile(r"^<!-- sources: (\S+) -->$", re.M)


def program(root, file):
    """One program as a part of a page: its name, the comment that it begins with, its text."""
    text = file.read_text()
    head = re.match(r"/\*.*?\*/\n", text, flags=re.S)
    words = api.prose(api.comment_text(head.group().rstrip("\n").split("\n"))) if head else ""
    return f"## {file.name}\n\n{words}\n\n```c\n{text[head.end() if head else 0:].strip()}\n```\n"


def with_sources(root, text):
    """A page with the programs that it asks for in place."""
    def fill(match):
        return "\n".join(program(root, file) for file in sorted(root.glob(match.group(1))))
    return SOURCES.sub(fill, text)


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    stage = root / "build" / "docs"
    shutil.rmtree(stage, ignore_errors=True)
    for file in pages.documents(root):
        goal = stage / file.relative_to(root)
        goal.parent.mkdir(parents=True, exist_ok=True)
        goal.write_text(with_sources(root, file.read_text()))
    shutil.copytree(root / "docs" / "pictures", stage / "docs" / "pictures")
    # What pages link to beside other pages: the licence, model files, programs.
    for file in pages.documents(root):
        for _, target in pages.links(file):
            goal = (file.parent / target.partition("#")[0]).resolve()
            if goal.is_file() and not (stage / goal.relative_to(root)).exists():
                (stage / goal.relative_to(root)).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(goal, stage / goal.relative_to(root))
    shutil.copy(pathlib.Path(__file__).parent / "site.css", stage / "site.css")
    headers, places = api.write(root, stage)
    (stage.parent / "docs.json").write_text(json.dumps({"pages": headers, "places": places}))


main()
