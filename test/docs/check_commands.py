"""Checks every command line of the documents: its command, options, experiments, schemes, solvers and laws exist.

    check_commands.py SOURCE_DIRECTORY CAROM FILE...

A command line is a line of a code block, or a `code` text within a sentence, that begins with carom or
build/carom, perhaps after "$ " and settings of the environment. Words in capitals stand for something. Blocks with
<!-- refused --> above them show what goes wrong and are not looked at."""

import json
import pathlib
import re
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
root, carom = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "docs"))
import pages  # noqa: E402

COMMAND_LINE = re.compile(r"^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:build/)?carom +([a-z-].*)$")
CODE = re.compile(r"`((?:build/)?carom [^`]*)`")
STANDS_FOR_SOMETHING = re.compile(r"[A-Z]{2,}|^[A-Z]\b|\.\.\.|^-?$")


def said(*arguments):
    result = subprocess.run([carom, *arguments], capture_output=True, text=True, check=True)
    return result.stdout


class Known:
    """What the program has, asked once."""

    def __init__(self):
        listed = json.loads(said("list", "--json"))
        self.names = {kind: {entry["name"].lower() for entry in listed[kind]} for kind in listed}
        self.commands = set(re.findall(r"^  carom (\w+) ", said("--help"), flags=re.M))
        self.scheme_options = {option["name"] for scheme in listed["schemes"] for option in scheme.get("options", [])}
        self.solver_options = {option["name"] for solver in listed["solvers"] for option in solver.get("options", [])}
        self.helps = {}

    def options(self, command):
        """The options that `carom help COMMAND` names."""
        if command not in self.helps:
            self.helps[command] = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", said("help", command)))
        return self.helps[command] | {"--help"}


def words_of(line):
    """The words of the first command of a shell line; brackets and bars of a synopsis are no words."""
    line = re.split(r"\s(?:\||>|2>|&&|;)|;", line)[0]
    line = re.sub(r"\[|\]|\s#\s.*", " ", line)
    return shlex.split(line, comments=True)


def wrong_value(option, value, known, command):
    """What is wrong with the value of an option, or None."""
    if STANDS_FOR_SOMETHING.search(value):
        return None
    kinds = {"--scheme": "schemes", "--schemes": "schemes", "--reference-scheme": "schemes",
             "--solver": "solvers", "--solvers": "solvers", "--law": "laws"}
    if option == "--option":
        name = value.split("=")[0]
        table = known.solver_options if command in ("solve", "bench") else known.scheme_options | known.solver_options
        return None if name in table else f"no scheme or solver has an option '{name}'"
    if option in kinds:
        for name in value.split(","):
            name = name.split(":")[0].lower()
            if name not in known.names[kinds[option]] and not (option == "--law" and name in ("all", "none")):
                return f"there is no {kinds[option][:-1]} '{name}'"
    return None


def faults(line, known):
    """What is wrong with one command line."""
    words = words_of(line)
    if not words:
        return
    command, rest = words[0], words[1:]
    if command in ("--version", "--help") or STANDS_FOR_SOMETHING.search(command):
        return
    if command not in known.commands:
        yield f"there is no command '{command}'"
        return
    for number, word in enumerate(rest):
        option, _, value = word.partition("=")
        if re.match(r"--?[a-z]", option):
            if option not in known.options(command):
                yield f"carom {command} has no option '{option}'"
                continue
            reason = wrong_value(option, value or (rest[number + 1] if number + 1 < len(rest) else ""), known, command)
            if reason:
                yield reason
        elif re.fullmatch(r"[a-z]+(?:-[a-z0-9]+)*/[a-z0-9-]+", word) and not rest[number - 1].startswith("-"):
            if word not in known.names["experiments"]:
                yield f"there is no experiment '{word}'"


def lines_of(path):
    """(line number, arguments) of every command line of a page."""
    for number, kind, value in pages.scan(path, path.read_text()):
        if kind == "text":
            for code in CODE.findall(value):
                match = COMMAND_LINE.match(code)
                if match:
                    yield number, match.group(1)
            continue
        if value.note == "refused" or value.language in ("lua", "c"):
            continue
        lines = value.text.split("\n")
        for offset, line in enumerate(lines):
            for more in lines[offset + 1:]:
                if not line.endswith("\\"):
                    break
                line = line[:-1] + more
            match = COMMAND_LINE.match(line)
            # In a session only what follows the prompt was typed; experiments of one's own are nobody else's.
            if match and (value.language != "console" or line.startswith("$ ")) and "CAROM_EXPERIMENTS=" not in line:
                yield value.line + offset, match.group(1)


def main():
    known = Known()
    count = failed = 0
    for name in sys.argv[3:]:
        for line, arguments in lines_of(root / name):
            count += 1
            for fault in faults(arguments, known):
                failed += 1
                print(f"{name}:{line}: carom {arguments}: {fault}")
    print(f"{count} command lines, {failed} faults")
    return 1 if failed or count == 0 else 0


sys.exit(main())
