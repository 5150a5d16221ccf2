"""Checks every relative link and anchor of the documents: the file is there, and so is the heading.

    check_links.py SOURCE_DIRECTORY [FILE...]    without FILE: all documents of the project"""

import pathlib
import sys
import urllib.parse

sys.dont_write_bytecode = True
root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "docs"))
import pages  # noqa: E402

EXTERNAL = ("http://", "https://", "mailto:")


def wrong_with(path, target):
    """What is wrong with a link of the file `path`, or None."""
    file, _, anchor = urllib.parse.unquote(target).partition("#")
    goal = (path.parent / file).resolve() if file else path
    if not goal.exists():
        return f"there is no {file}"
    if root not in [goal, *goal.parents]:
        return f"{file} is outside of the project"
    if goal.is_dir():
        goal = goal / "README.md"
        if not goal.exists():
            return f"{file} is a folder without README.md: name a file"
    if anchor and anchor not in pages.anchors(goal):
        return f"{goal.relative_to(root)} has no heading #{anchor}"
    return None


def main():
    files = [pathlib.Path(name).resolve() for name in sys.argv[2:]] or pages.documents(root)
    count, wrong = 0, []
    for path in files:
        for line, target in pages.links(path):
            if target.startswith(EXTERNAL):
                continue
            count += 1
            reason = wrong_with(path, target)
            if reason:
                wrong.append(f"{path}:{line}: link to {target}: {reason}")
    print(*wrong, f"{count} links in {len(files)} files, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or count == 0 else 0


try:
    sys.exit(main())
except pages.MarkdownError as error:
    sys.exit(f"{error}")
