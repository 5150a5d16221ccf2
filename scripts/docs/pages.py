"""Reads the Markdown of the documents: code blocks, headings with their anchors, links.

Only the forms that the documents use: fenced and indented code, ATX headings, inline links and pictures."""

import dataclasses
import pathlib
import re

FENCE = re.compile(r"^ {0,3}(```+|~~~+)\s*([\w+-]*)\s*$")
COMMENT = re.compile(r"^<!--\s*(.*?)\s*-->$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
# ![alt](target) and [text](target "title"); a target has no spaces and no unmatched parentheses.
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)>?(?:\s+\"[^\"]*\")?\s*\)")


class MarkdownError(Exception):
    """A text that cannot be read: names file and line."""


@dataclasses.dataclass
class Block:
    """A code block; `line` is that of its first line of code, `note` the HTML comment right above it."""
    language: str
    line: int
    text: str
    note: str


def documents(root):
    """The Markdown files of the project."""
    root = pathlib.Path(root)
    found = [root / "README.md", root / "CONTRIBUTING.md", root / "SECURITY.md", root / "CHANGELOG.md", root / "bench" / "README.md"]
    found += sorted((root / "docs").rglob("*.md"))
    return [path for path in found if path.exists()]


def scan(path, text):
    """Yields (line number, kind, value): "text" lines, and each Block once as "block"."""
    lines = text.split("\n")
    number, note = 0, ""
    while number < len(lines):
        line = lines[number]
        fence = FENCE.match(line)
        if fence:
            end = number + 1
            while end < len(lines) and lines[end].strip() != fence.group(1):
                if FENCE.match(lines[end]) and FENCE.match(lines[end]).group(2):
                    raise MarkdownError(f"{path}:{number + 1}: this code block is not closed "
                                        f"before line {end + 1} opens another")
                end += 1
            if end == len(lines):
                raise MarkdownError(f"{path}:{number + 1}: this code block is not closed")
            yield number + 1, "block", Block(fence.group(2), number + 2, "\n".join(lines[number + 1:end]) + "\n", note)
            number, note = end + 1, ""
            continue
        if line.startswith("    ") and (number == 0 or not lines[number - 1].strip()):
            end = number
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            code = "\n".join(one[4:] for one in lines[number:end]).rstrip("\n")
            yield number + 1, "block", Block("", number + 1, code + "\n", note)
            number, note = end, ""
            continue
        comment = COMMENT.match(line.strip())
        if comment:
            note = comment.group(1)
        elif line.strip():
            note = ""
        yield number + 1, "text", line
        number += 1


def blocks(path):
    """The code blocks of a file, in their order."""
    return [value for _, kind, value in scan(path, pathlib.Path(path).read_text()) if kind == "block"]


def plain(heading):
    """The text of a heading without its marks: `code`, *stress*, [links](...)."""
    heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[`*]", "", heading)


def slug(heading, taken):
    """The anchor that GitHub and the site give a heading; a repeated one gets -1, -2, ..."""
    name = re.sub(r"[^\w\- ]", "", plain(heading).lower()).strip().replace(" ", "-")
    count = taken.get(name, -1) + 1
    taken[name] = count
    return name if count == 0 else f"{name}-{count}"


def anchors(path):
    """All anchors of a file."""
    taken, found = {}, set()
    for _, kind, line in scan(path, pathlib.Path(path).read_text()):
        if kind != "text":
            continue
        heading = HEADING.match(line)
        if heading:
            found.add(slug(heading.group(2), taken))
        found.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
    return found


def links(path):
    """(line, target) of every link and picture outside of code, links across line ends included."""
    text = list(scan(path, pathlib.Path(path).read_text()))
    whole, starts = "", []
    for number, kind, line in text:
        starts.append((len(whole), number))
        whole += (re.sub(r"`[^`]*`", lambda code: "`" * len(code.group()), line) if kind == "text" else "") + "\n"
    for match in LINK.finditer(whole):
        line = max(number for start, number in starts if start <= match.start())
        yield line, match.group(1)

