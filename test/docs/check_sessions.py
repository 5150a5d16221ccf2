"""Runs the sessions of a page and compares what carom prints with what the page shows.

    check_sessions.py SOURCE_DIRECTORY CAROM FILE [MODELS]     MODELS: another page, whose models are there as well

The ```console blocks run one after the other in one directory, where the models of the page stand under the names
that the comments above them give (<!-- model: NAME -->; <!-- fragment: needs NAME --> adds to that file). What
follows "$ " is a shell command, the lines below it are its output: numbers agree to three digits, since the last ones
depend on the machine; lines may be folded; "..." stands for anything up to the next word of the page; times of the
clock are left out. A block with <!-- not run: REASON --> above it is not run."""

import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
root, carom, page = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "docs"))
import pages  # noqa: E402

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
ROUNDING = 1e-7  # numbers below this are rounding, which differs from machine to machine


def without_seconds(text):
    """The text with the last column of its tables left out where that is headed "seconds"."""
    out, inside = [], False
    for line in text.split("\n"):
        inside = line.endswith(" seconds") or (inside and line.strip() != "")
        out.append(re.sub(r"\s+(?:seconds|[\d.e+-]+)$", "", line) if inside and "fitted" not in line else line)
    return "\n".join(out)


def words(text):
    """The words and numbers of an output, without times of the clock."""
    text = without_seconds(text)
    text = re.sub(r" in [\d.e+-]+ s(?: with \d+ threads)?$", "", text, flags=re.M)
    text = re.sub(r"\bcomputed in [\d.e+-]+ s", "computed", text)
    text = re.sub(r"\s?\"wall_s\": ?[\d.e+-]+,?", " ", text)
    text = text.replace("...", " \0 ")
    found, place = [], 0
    for match in NUMBER.finditer(text):
        found += re.findall(r"\0|\w+|[^\w\s\0]", text[place:match.start()])
        found.append(match.group())
        place = match.end()
    return found + re.findall(r"\0|\w+|[^\w\s\0]", text[place:])


def same(shown, got):
    if shown == got:
        return True
    if not (NUMBER.fullmatch(shown) and NUMBER.fullmatch(got)):
        return False
    a, b = float(shown), float(got)
    return abs(a - b) <= 1e-3 * max(abs(a), abs(b)) + ROUNDING


def difference(shown, got):
    """Where two outputs differ, or None. A gap (...) of the page goes on to the next three words that agree."""
    i = j = 0
    while i < len(shown):
        if shown[i] == "\0":
            i += 1
            next_words = shown[i:i + 3]
            if not next_words:
                return None
            while j < len(got) and not all(same(a, b) for a, b in zip(next_words, got[j:j + len(next_words)])):
                j += 1
            continue
        if j == len(got) or not same(shown[i], got[j]):
            return f"{' '.join(shown[max(0, i - 8):i])} [{shown[i]}] instead of [{got[j] if j < len(got) else 'the end'}]"
        i, j = i + 1, j + 1
    return None if j == len(got) else f"carom goes on with {' '.join(got[j:j + 8])}"


def commands_of(block):
    """(offset, command, output) of a session."""
    found = []
    for offset, line in enumerate(block.text.rstrip("\n").split("\n")):
        if line.startswith("$ "):
            found.append([offset, line[2:], ""])
        elif found and found[-1][1].endswith("\\"):
            found[-1][1] = found[-1][1][:-1] + line
        elif found:
            found[-1][2] += line + "\n"
    return found


def lay_out(block):
    """Writes the model of a block to its file, if it has one."""
    named = re.fullmatch(r"(model|fragment|refused): (?:needs )?([\w-]+)", block.note)
    if named:
        with open(f"{named.group(2)}.lua", "a" if named.group(1) == "fragment" else "w", encoding="utf-8") as file:
            file.write(block.text)


def main():
    environment = dict(os.environ, PATH=f"{carom.parent}:{os.environ['PATH']}")
    count = failed = 0
    for other in sys.argv[4:]:
        for block in pages.blocks(root / other):
            if not block.note.startswith("fragment"):
                lay_out(block)
    for block in pages.blocks(root / page):
        if block.language == "lua":
            lay_out(block)
        if block.language != "console" or block.note.startswith("not run: "):
            continue
        for offset, command, shown in commands_of(block):
            count += 1
            result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, env=environment)
            # Most of a session shows standard output; what fails shows its message.
            places = [result.stdout, result.stderr, result.stderr + result.stdout]
            wrong = [difference(words(shown), words(re.sub(r"\S*/experiments/", "PREFIX/share/carom/experiments/", got)))
                     for got in places]
            if None not in wrong:
                failed += 1
                print(f"{page}:{block.line + offset}: {command}: {wrong[0]}")
    print(f"{count} commands, {failed} with another output")
    return 1 if failed or count == 0 else 0


sys.exit(main())
