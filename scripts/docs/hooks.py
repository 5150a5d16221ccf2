"""What mkdocs asks on its way: the navigation, anchors as GitHub makes them, names that lead to the C library."""

import json
import pathlib
import posixpath
import re
import sys

sys.dont_write_bytecode = True
here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))
import pages as documents  # noqa: E402

root = here.parents[1]
reference = json.loads((root / "build" / "docs.json").read_text())


def title(path):
    """The first heading of a page."""
    return documents.plain(re.search(r"^# (.*)$", path.read_text(), flags=re.M).group(1))


def linked_pages(page, pattern):
    """The pages that a page links to, in its order."""
    found = []
    for _, target in documents.links(root / page):
        goal = posixpath.normpath(posixpath.join(posixpath.dirname(page), target.partition("#")[0]))
        if re.fullmatch(pattern, goal) and goal not in found:
            found.append(goal)
    return found


def experiments():
    """The pages of the experiments by their source, in the order of their table; those it forgets come last."""
    folder = "docs/experiments"
    pages = linked_pages(f"{folder}/README.md", rf"{folder}/[\w-]+/[\w-]+\.md")
    pages += sorted({str(file.relative_to(root)) for file in (root / folder).glob("*/*.md")} - set(pages))
    groups = {}
    for page in pages:
        groups.setdefault(page.split("/")[2], []).append({title(root / page): page})
    return [f"{folder}/README.md"] + [{name: pages} for name, pages in groups.items()]


def on_config(config):
    config.mdx_configs["toc"]["slugify"] = lambda text, separator: documents.slug(text, {})
    config.nav = [
        {"Start": "README.md"},
        {"Use": [
            {"Tour": "docs/tour.md"},
            {"How do I ...?": "docs/how-do-i.md"},
            {"Model language": "docs/model-language.md"},
            {"Studies": "docs/studies.md"},
            {"Command line": "docs/command-line.md"},
            {"Contact solvers": "docs/solvers.md"},
            {"Contact solvers by name": "docs/solvers-by-name.md"},
            {"Examples in C": "docs/examples.md"},
            {"What is new": "CHANGELOG.md"}]},
        {"Experiments": experiments()},
        {"C library": ["api/README.md"] + [{header.removesuffix(".h"): page} for header, page in reference["pages"]]},
        {"Rooms of the code": [{"Overview": "docs/README.md"}] + [{title(root / page): page}
                                                                  for page in linked_pages("docs/README.md", r"docs/rooms/\w+\.md")]},
        {"Work on carom": [
            {"Contributing": "CONTRIBUTING.md"},
            {"Security": "SECURITY.md"},
            {"Dependencies": "docs/dependencies.md"},
            {"Benchmarks": "bench/README.md"}]},
    ]
    return config


def on_page_content(html, page, config, files):
    """Names of the library become links: in code of the reference's pages, and `names` in sentences anywhere."""
    def link(name, text):
        place = reference["places"].get(name)
        if not place:
            return None
        goal = files.get_file_from_path(place.partition("#")[0]).url
        url = posixpath.relpath(goal, posixpath.dirname(page.url) or ".")
        return f'<a class="api" href="{url}#{name}">{text}</a>'

    def in_sentence(match):
        return link(match.group(1), match.group()) or match.group()

    def in_code(match):
        linked = link(match.group(2), match.group(2))
        return f"{match.group(1)}{linked}</span>" if linked else match.group()

    outside = re.split(r"(<a .*?</a>)", html, flags=re.S)
    outside[::2] = [re.sub(r"<code>(carom_\w+|CAROM_\w+)</code>", in_sentence, part) for part in outside[::2]]
    html = "".join(outside)
    return re.sub(r'(<span class="n[a-z]?">)(carom_\w+|CAROM_\w+)</span>', in_code, html)


def on_post_build(config):
    """The index of the search for pages that are opened as files."""
    folder = pathlib.Path(config.site_dir) / "search"
    script = (here / "search-from-file.js").read_text()
    (folder / "from-file.js").write_text(script.replace("INDEX", (folder / "search_index.json").read_text()))
