"""Makes the pages of the C library from its public headers: one Markdown page per header, and an index.

The headers are written for reading, and the pages keep their order: sections (/* ---- title ---- */), a comment
with the declarations that follow it, up to the next empty line. Indented lines of a comment are formulas and
drawings and stay as they are."""

import dataclasses
import re

NAME = re.compile(r"\b(carom_\w+|CAROM_\w+)\b")
SECTION = re.compile(r"^-{3,}\s*(.*?)\s*-{3,} *\n?")


@dataclasses.dataclass
class Entry:
    """A comment and its declarations; a section has a title and no declarations."""
    title: str
    comment: str
    code: str


def comment_text(lines):
    """The text of a comment without its marks, as lines."""
    text = "\n".join(lines).strip().removeprefix("/*").removesuffix("*/").rstrip()
    return "\n".join(re.sub(r"^\s*\* ?|^ ", "", line).rstrip() for line in text.split("\n")).strip("\n")


def end_of_comment(lines, start):
    end = start
    while "*/" not in lines[end]:
        end += 1
    return end + 1


def end_of_declaration(lines, start):
    """The line after a declaration: where its brackets are closed and a ; or a function's } ends it."""
    depth, end, comment = 0, start, False
    while end < len(lines):
        code = re.sub(r"/\*.*?\*/", "", lines[end])
        if comment:
            comment = "*/" not in code
            code = code.partition("*/")[2]
        if "/*" in code:
            code, comment = code.partition("/*")[0], True
        depth += len(re.findall(r"[{(\[]", code)) - len(re.findall(r"[})\]]", code))
        end += 1
        code = code.rstrip()
        if not comment and depth == 0 and (code.endswith(";") or (code == "}" and "(" in "".join(lines[start:end]))):
            break
    return end


def shown(declaration):
    """A declaration as a reader needs it: of an inline function and a macro with arguments only its head."""
    text = "\n".join(declaration)
    if text.startswith("#define"):
        return re.sub(r"(#define \w+\([^)]*\)).*", r"\1", text, flags=re.S)
    if text.startswith("static inline"):
        text = re.sub(r"\s*\n\{.*", ";", text, flags=re.S)
    return re.sub(r"\s*CAROM_PRINTF\(\d+, \d+\)", "", text)


def is_left_out(line):
    """Lines that are no part of the interface: guards, includes, macros for the compiler."""
    return re.match(r"#(?!define CAROM_\w+[ (])|#define CAROM_PRINTF|extern \"C\"|^}$", line)


def end_of_directive(lines, start):
    end = start + 1
    while lines[end - 1].endswith("\\"):
        end += 1
    return end


def read(text):
    """The comment of the header itself and its entries."""
    lines = text.split("\n")
    entries, pending, number, head = [], None, 0, None
    while number < len(lines):
        line = lines[number]
        if line.startswith("/*"):
            end = end_of_comment(lines, number)
            body = comment_text(lines[number:end])
            section = SECTION.match(body)
            if pending is not None:
                entries.append(Entry("", pending, ""))
            pending = None
            if head is None:
                head = body
            elif section:
                entries.append(Entry(section.group(1), body[section.end():].strip("\n"), ""))
            else:
                pending = body
            number = end
            fresh = True
            continue
        if not line.strip() or is_left_out(line):
            if not line.strip():
                fresh = True
            number = end_of_directive(lines, number)
            continue
        end = end_of_directive(lines, number) if line.startswith("#") else end_of_declaration(lines, number)
        code = shown(lines[number:end])
        if fresh or pending is not None or not entries or entries[-1].title:
            entries.append(Entry("", pending or "", code))
        else:
            entries[-1].code += "\n" + code
        pending, fresh, number = None, False, end
    if pending is not None:
        entries.append(Entry("", pending, ""))
    return head or "", entries


def names_of(code):
    """What a piece of code declares: functions, types, constants; the first ones give the heading."""
    found = []
    bare = re.sub(r"/\*.*?\*/", "", code, flags=re.S)
    bare = re.sub(r"\s*__attribute__\(\((?:[^()]|\([^()]*\))*\)\)", "", bare)
    outside = re.sub(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", "{}", bare)
    for declaration in re.split(r";|\n(?=#)", outside):
        macro = re.match(r"\s*#define (\w+)", declaration)
        function = re.search(r"\b(carom_\w+)\s*\(", declaration)
        pointer = re.search(r"\(\*(carom_\w+)\)", declaration)
        tag = re.search(r"(?:struct|enum|union) (carom_\w+)", declaration)
        value = re.search(r"\b(carom_\w+)(?:\[[^\]]*\])*\s*$", declaration)
        if declaration.lstrip().startswith("extern"):  # perhaps several variables of one type
            found += re.findall(r"\b(carom_\w+)(?:\[[^\]]*\])*\s*(?:,|$)", declaration)
            continue
        match = macro or pointer or function or tag or value
        if match and match.group(1) not in found:
            found.append(match.group(1))
    for body in re.findall(r"enum(?: \w+)? \{(.*?)\}", bare, flags=re.S):
        found += [name for name in re.findall(r"\b(CAROM_\w+)\s*(?:=|,|$|\n)", body) if name not in found]
    return found


def prose(text):
    """The text of a comment as Markdown: paragraphs, with indented lines kept as they stand."""
    out = []
    for paragraph in re.split(r"\n\s*\n", text):
        run, kept = [], []
        for line in paragraph.split("\n"):
            if line.startswith("  ") or re.match(r"\s*\|.*\|", line):
                if run:
                    out.append(escape(" ".join(run)))
                    run = []
                kept.append(line)
            else:
                if kept:
                    out.append("```text\n" + "\n".join(kept) + "\n```")
                    kept = []
                run.append(line.strip())
        if run:
            out.append(escape(" ".join(run)))
        if kept:
            out.append("```text\n" + "\n".join(kept) + "\n```")
    return "\n\n".join(out)


def escape(text):
    """Plain words as Markdown; names of the library and what stands in backticks become code."""
    parts = re.split(r"(`[^`]*`)", text)
    for index in range(0, len(parts), 2):
        plain = re.sub(r"([\\*_\[\]#|])", r"\\\1", parts[index]).replace("<", "&lt;")
        parts[index] = re.sub(r"carom\\_[\w\\]+|CAROM\\_[\w\\]+", lambda name: "`" + name.group().replace("\\", "") + "`",
                              plain)
    return "".join(parts)


def heading(names):
    """One line for a group of declarations: its first names."""
    main = [name for name in names if name.startswith("carom_")] or names
    return ", ".join(main[:2]) + (", ..." if len(main) > 2 else "")


def capital(text):
    return text[:1].upper() + text[1:]


def page(header, text):
    """The Markdown page of a header, and the names that it declares."""
    head, entries = read(text)
    out = [f"# carom/{header}", prose(capital(re.sub(r"^[\w/.]+: ", "", head))), f"```c\n#include <carom/{header}>\n```"]
    declared = []
    for entry in entries:
        if entry.title:
            out += [f"## {capital(entry.title)}", prose(entry.comment)]
            continue
        names = names_of(entry.code)
        declared += names
        if names:
            # Search finds a page by its headings: one per group of declarations.
            out.append("".join(f'<a id="{name}"></a>' for name in names))
            out.append(f"### {heading(names)}")
        out.append(prose(entry.comment))
        if entry.code:
            out.append(f"```c\n{entry.code}\n```")
    return "\n\n".join(part for part in out if part) + "\n", head, declared


def write(root, stage):
    """Writes the pages to stage/api; returns [(header, page)] and where each name stands."""
    places, pages, rows = {}, [], []
    (stage / "api").mkdir(parents=True, exist_ok=True)
    for file in headers(root):
        header = str(file.relative_to(root / "include" / "carom"))
        name = header.removesuffix(".h").replace("/", "-") + ".md"
        text, head, declared = page(header, file.read_text())
        (stage / "api" / name).write_text(text)
        pages.append((header, f"api/{name}"))
        places |= {one: f"api/{name}#{one}" for one in declared}
        first = re.split(r"(?<=\.)\s|\n\n", capital(re.sub(r"^[\w/.]+: ", "", head)))[0].replace("\n", " ")
        rows.append(f"| [carom/{header}]({name}) | {escape(first)} |")
    functions = sorted(name for name in places if name.startswith("carom_"))
    index = ", ".join(f"[`{name}`]({places[name].removeprefix('api/')})" for name in functions)
    (stage / "api" / "README.md").write_text(
        "# The C library\n\nFrom the public headers, `include/carom/`; `carom/carom.h` includes those of the engine. "
        "[From C](../docs/tour.md#15-from-c) is a first program, [the examples](../docs/examples.md) are more.\n\n"
        "| header | |\n| --- | --- |\n" + "\n".join(rows) + f"\n\n## All names\n\n{index}\n")
    return pages, places


def headers(root):
    """The public headers: those of the engine first, then those in folders."""
    folder = root / "include" / "carom"
    order = (root / "test" / "rooms" / "rooms.txt").read_text().split("\n")
    rooms = ["carom"] + [line.split()[0] for line in order if line and not line.startswith("#")]

    def place(file):
        parts = file.relative_to(folder).with_suffix("").parts
        return (rooms.index(parts[0]) if parts[0] in rooms else len(rooms), len(parts), parts)
    return sorted(folder.rglob("*.h"), key=place)
