"""Checks what pages about the code say of its files: those they name exist, and every folder of a room is on its page.

    check_names.py SOURCE_DIRECTORY

A file is named in `code`, by its path or the end of it; names with capitals, * or <> stand for others. Of all documents:
what stands behind `ctest -R` finds tests, each alternative of it."""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "docs"))
import pages  # noqa: E402

NAME = re.compile(r"(?<![\w*<>/.-])((?:[a-z0-9_-]+/)*[a-z0-9_-]+\.(?:c|h|lua|sh|py|txt|cmake|md|json|yml))(?![\w*<>])")


def code_of(path):
    """(line, text) of every `code` in the sentences and tables of a page."""
    for number, kind, line in pages.scan(path, path.read_text()):
        if kind == "text":
            yield from ((number, code) for code in re.findall(r"`([^`]+)`", line))


def tests():
    """The tests by their names, as test/CMakeLists.txt makes them."""
    for file in (root / "test").rglob("test_*"):
        if file.suffix in (".c", ".sh"):
            yield str(file.relative_to(root / "test").with_suffix("")).replace("/test_", "/")


def patterns_of(path):
    """(line, pattern) of every ctest -R of a page."""
    for number, kind, value in pages.scan(path, path.read_text()):
        text = value if kind == "text" else value.text
        for quoted, plain in re.findall(r"ctest [^`\n]*?-R +(?:[\"']([^\"'`]+)[\"']|([^\s`\"']+))", text):
            yield number, quoted or plain


def main():
    names = list(tests())
    wrong, count = [], 0
    for page in pages.documents(root):
        for line, pattern in patterns_of(page):
            for part in pattern.split("|"):
                count += 1
                if not any(re.search(part, name) for name in names):
                    wrong.append(f"{page}:{line}: ctest -R {pattern}: there is no test {part}")
    files = {"/" + str(file.relative_to(root)) for folder in ("src", "include", "test", "scripts", "docs", "cmake", "examples", "bench", "python", "mpi")
             for file in (root / folder).rglob("*") if file.is_file()} | {"/" + file.name for file in root.iterdir()}
    room_pages = sorted((root / "docs" / "rooms").glob("*.md"))
    for page in [*room_pages, root / "docs" / "README.md", root / "CONTRIBUTING.md"]:
        for line, code in code_of(page):
            for name in NAME.findall(code):
                count += 1
                if not any(file.endswith("/" + name) for file in files):
                    wrong.append(f"{page}:{line}: there is no file {name}")
    rooms = {room.name for room in (root / "src").iterdir() if room.is_dir()}
    for room in sorted(rooms - {page.stem for page in room_pages}):
        wrong.append(f"src/{room}: has no page docs/rooms/{room}.md")
    for page in room_pages:
        apart = {"web": root / "web" / "src", "python": root / "python", "mpi": root / "mpi"}  # sources that do not stand in src/
        home = apart.get(page.stem, root / "src" / page.stem)
        if not home.is_dir():
            wrong.append(f"{page}: there is no room {home.relative_to(root)}")
        text = page.read_text()
        for folder in sorted(folder for folder in home.rglob("*") if folder.is_dir() and folder.name != "__pycache__"):
            count += 1
            if f"{folder.name}/" not in text:
                wrong.append(f"{page}: does not name the folder {folder.relative_to(root)}/")
    print(*wrong, f"{count} names, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or count == 0 else 0


sys.exit(main())
