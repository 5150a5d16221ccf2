"""Writes docs/python-reference.md from the docstrings of the package: PYTHONPATH=build/python python_reference.py OUTPUT"""

import inspect
import re
import sys
import textwrap

import carom

SECTIONS = [
    ("Models and motions", ["Model", "run", "experiment", "experiments", "load", "Motion", "Sensitivity", "Event", "Parameter"]),
    ("Studies", ["Sweep", "Diagram", "Basin", "Fit", "Estimate", "Convergence", "Orbit", "Branch", "Locus", "Modes"]),
    ("Step by step", ["Stepper", "Contact", "State"]),
    ("Contact problems and impacts", ["solve", "solvers", "ContactProblem", "ContactResult", "read_fclib", "write_fclib", "lcp", "LcpResult",
                                      "qp", "QpResult", "impact", "impact_laws", "ImpactResult", "ImpactLaw"]),
    ("Expressions", ["Symbol", "select"]),
    ("Errors", ["CaromError", "ModelError", "StepError", "SolverError", "FileError", "Interrupted", "SymbolError"]),
]
HEAD = """# Reference of the Python package

All public names of `carom`, from their docstrings (`help(carom.run)` shows the same); `scripts/docs/python_reference.py` writes this page. The [model language](model-language.md) lists the
words that a model built in Python has as methods.
"""


def shown_doc(text):
    """A docstring as Markdown: sections of numpy's form become lists, examples become code."""
    lines, out, code = inspect.cleandoc(text or "").split("\n"), [], False
    for i, line in enumerate(lines):
        if set(line) == {"-"} and len(line) > 3:
            continue
        underlined = i + 1 < len(lines) and set(lines[i + 1]) == {"-"} and len(lines[i + 1]) > 3
        starts = line.startswith(">>> ") and not code
        if starts:
            out.append("```pycon")
            code = True
        elif code and not line.strip():
            out.append("```")
            code = False
        if underlined:
            out.append(f"**{line}**\n")
        elif not code and re.match(r"^[\w*, ]+ : ", line):
            name, _, meaning = line.partition(" : ")
            out.append(f"- `{name}`: {meaning}")
        else:
            out.append(line)
    if code:
        out.append("```")
    return "\n".join(out)


def signature(thing):
    """Names and defaults; types stand in the source."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(...)"
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in found.parameters.values() if p.name != "self"]
    return str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def own_members(kind):
    """Public methods, also in C, and properties with a docstring that the class or a base in carom (but not the language) has."""
    for name, member in inspect.getmembers(kind):
        owner = next((c for c in kind.__mro__ if name in c.__dict__), None)
        if name.startswith("_") or owner is None or not owner.__module__.startswith("carom") or ".language" in owner.__module__:
            continue
        if inspect.isroutine(member) or isinstance(owner.__dict__[name], property):
            if member.__doc__:
                yield name, member, isinstance(owner.__dict__[name], property)


def entry(name):
    thing = getattr(carom, name)
    is_error = inspect.isclass(thing) and issubclass(thing, BaseException)
    heading = f"### {name}\n"
    text = "" if is_error else f"`carom.{name}{signature(thing)}`\n\n"
    text += shown_doc(thing.__doc__)
    if inspect.isclass(thing) and not is_error and name != "Symbol":
        for member_name, member, is_property in own_members(thing):
            head = member_name if is_property else member_name + signature(member)
            text += f"\n\n#### {name}.{member_name}\n\n`{head}`\n\n" + shown_doc(member.__doc__)
    return heading + "\n" + text


def page():
    known = [name for _, names in SECTIONS for name in names]
    functions = set(carom._functions.__all__)
    missing = sorted(set(carom.__all__) - set(known) - functions)
    if missing:
        raise SystemExit(f"python_reference.py: no section has {', '.join(missing)}")
    parts = [HEAD]
    for title, names in SECTIONS:
        parts.append(f"## {title}\n")
        parts += [entry(name) for name in names if hasattr(carom, name)]
    parts.append("## Functions of symbols and numbers\n\n" + textwrap.fill(
        "`carom." + "`, `carom.".join(sorted(functions)) + "`: as in the [model language](model-language.md#functions); "
        "numpy's functions of the same meaning do as well.", 160))
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(page())
