"""Checks the built site: every link and anchor leads somewhere, and no page loads anything from elsewhere.

    check_site.py SITE_DIRECTORY"""

import html.parser
import pathlib
import re
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The anchors, links and loads (scripts, styles, pictures, frames) of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads = {"", "__skip"}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = {name: value or "" for name, value in attrs}
        self.anchors.update(attributes[name] for name in ("id", "name") if name in attributes)
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        elif tag == "link" and "href" in attributes and attributes.get("rel") != "canonical":
            self.loads.append(attributes["href"])
        elif "src" in attributes:
            self.loads.append(attributes["src"])


def is_elsewhere(target):
    return re.match(r"[a-z]+:|//", target) and not target.startswith("data:")


def faults(site):
    site = site.resolve()
    pages = {file: Page(file.read_text()) for file in sorted(site.rglob("*.html"))}
    for file, page in pages.items():
        if file.name == "404.html":  # its addresses are those of a server's root
            continue
        for target in page.loads:
            if is_elsewhere(target):
                yield file, target, "is loaded from elsewhere"
        for target in page.links + page.loads:
            if is_elsewhere(target) or target.startswith("data:"):
                continue
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            goal = (file.parent / path.partition("?")[0]).resolve() if path else file
            if goal.is_dir():
                goal = goal / "index.html"
            if not goal.exists():
                yield file, target, "is not there"
            elif goal in pages and anchor not in pages[goal].anchors:
                yield file, target, "has no such heading"
    for style in site.rglob("*.css"):
        for target in re.findall(r"@import\s+[\"']?([^\"';]+)|url\([\"']?([^\"')]+)", style.read_text()):
            if is_elsewhere("".join(target)):
                yield style, "".join(target), "is loaded from elsewhere"


def main():
    site = pathlib.Path(sys.argv[1])
    found = [f"{file}: {target} {what}" for file, target, what in faults(site)]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


sys.exit(main())
