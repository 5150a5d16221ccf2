"""Checks that the documents know all that the program has: commands and their options, schemes and theirs, solvers, laws.

    check_complete.py SOURCE_DIRECTORY CAROM"""

import json
import pathlib
import re
import subprocess
import sys

root, carom = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]


def said(*arguments):
    return subprocess.run([carom, *arguments], capture_output=True, text=True, check=True).stdout


def page(name):
    return (root / "docs" / name).read_text()


def has(text, name):
    """Is the name in the text, as a word of its own, whatever its capitals?"""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, flags=re.I) is not None


def missing():
    listed = json.loads(said("list", "--json"))
    language, line, solvers = page("model-language.md"), page("command-line.md"), page("solvers.md") + page("rooms/contact.md")
    # Options that several schemes have are told in sentences below the table of schemes.
    integrate = re.search(r"^### integrate$.*?^## ", language, flags=re.M | re.S).group()
    shared = "\n".join(text for text in integrate.split("\n") if not text.startswith("|"))
    for command in re.findall(r"^  carom (\w+) ", said("--help"), flags=re.M):
        if not has(line, f"carom {command}"):
            yield f"command-line.md: command {command}"
        for option in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", said("help", command)))):
            if not has(line, option):
                yield f"command-line.md: option {option} of carom {command}"
    for scheme in listed["schemes"]:
        rows = [row for row in language.split("\n") if row.startswith("| `") and has(row.split("|")[1], scheme["name"])]
        if not rows:
            yield f"model-language.md: scheme {scheme['name']}"
        for option in scheme.get("options", []):
            if rows and not any(has(text, option["name"]) for text in [*rows, shared]):
                yield f"model-language.md: option {option['name']} of scheme {scheme['name']}"
    for solver in listed["solvers"]:
        if not has(solvers, solver["name"]):
            yield f"solvers.md or rooms/contact.md: solver {solver['name']}"
    for law in listed["laws"]:
        if not has(language + line + page("rooms/law.md"), law["name"]):
            yield f"model-language.md, command-line.md or rooms/law.md: law {law['name']}"


found = list(missing())
print(*[f"docs/{one} is not there" for one in found], f"{len(found)} missing", sep="\n")
sys.exit(1 if found else 0)
