"""The text of a model: the same operations, in the order in which Python made them.

The graph of expressions numbers what it is given, and the numbers decide in which order sums are taken. So that a run has the bits of
the same model written by hand, each operation must come when Python came to it. An operation stands inside the expression that uses it
only where the language computes it at that moment; otherwise it gets a name on a line of its own.

Lua computes an expression as a stack machine does. Operations that wait for their place form a stack: one is written into what uses it
when those that wait on top of the stack are exactly what it takes, in the order of its text. Whatever waits below a line that is
written now was made before it, and is written first.
"""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Optional, Tuple

from .layout import BREAK, CLOSE, LINE, MADE, OPEN, RAW, length, lines
from .naming import MOST_CAPTURED, MOST_LOCALS, Names
from .places import Place, Sources
from .trace import Function, Literal, Node, Scope, Table, functions_in, nodes_in

_LONGEST = 300  # characters of an expression that is not named
_DEEPEST = 30  # operations inside each other; Lua reads at most some 200

# Precedence: what binds stronger has the larger number.
_CHOICE, _ADD, _MULTIPLY, _UNARY, _POWER, _ATOM = 1, 10, 11, 12, 14, 20
_PRECEDENCE = {"+": _ADD, "-": _ADD, "*": _MULTIPLY, "/": _MULTIPLY, "//": _MULTIPLY, "%": _MULTIPLY, "^": _POWER}

# gap "floor" is shorter than gap("floor").
_OF_A_NAME = frozenset("gap impulse reaction impact touching sticking release particle_list penetration obstacle".split())


def is_leaf(node: Node) -> bool:
    """Nothing is computed to read it."""
    return node.form in ("leaf", "result")


class Uses:
    """What is needed, and how often."""

    def __init__(self, file: Scope):
        self.count: Dict[Node, int] = {}
        self.captured: set = set()  # by functions
        for node in file.nodes:
            if node.effect:
                self._need(node, file, first=True)

    def _need(self, node: Node, scope: Scope, first: bool = False) -> None:
        """Not by recursion: sums of thousands of terms are deep."""
        waiting: List[Tuple[Node, Any, bool]] = [(node, scope, first)]
        while waiting:
            node, scope, first = waiting.pop()
            seen = node in self.count
            # a name is needed where a function uses what is outside of it
            self.count[node] = self.count.get(node, 0) + (0 if first else 1 if node.scope is scope else 2)
            if node.scope is not scope:
                self.captured.add(node.args[0] if node.form == "result" else node)
            if seen:
                continue
            inside: Any = None if node.form == "lua" else node.scope  # text of the user's own may be a function
            for argument in node.args:
                waiting.extend((used, inside, False) for used in nodes_in(argument))
                for function in functions_in(argument):
                    waiting.extend(self._of_function(function))

    def _of_function(self, function: Function) -> Iterable[Tuple[Node, Scope, bool]]:
        yield from ((used, function.scope, False) for used in nodes_in(function.result))
        for inner in functions_in(function.result):
            yield from self._of_function(inner)


class Writer:
    """Writes one text."""

    def __init__(self, file: Scope, words: Iterable[str]):
        uses = Uses(file)
        self._uses, self._captured = uses.count, uses.captured
        self._sources = Sources()
        self._file = file
        self._text: Dict[Node, Tuple[str, int]] = {}  # what stands for a node: text and precedence
        self._names = Names(set(words) | set(_words_of(file, self._uses)))
        self._locals = 0
        self._depth: Dict[Node, int] = {}
        self._waiting: set = set()  # those on a stack
        self._velocities: set = set()  # coordinates whose velocity has been made
        self.keeps = False  # there are more values than local variables
        self.lines: List[str] = []
        self.places: List[Optional[Place]] = []
        self._place_of: Dict[int, Optional[Place]] = {}

    def write(self) -> str:
        for text, place in self._scope(self._file, None):
            for line, made in lines(text):
                self.lines.append(line)
                self.places.append(self._place_of.get(made, place) if made is not None else place)
        # Long texts hold line ends of their own.
        return "\n".join(self.lines) + ("\n" if self.lines else "")

    # ---- order --------------------------------------------------------------------------------------------------

    def _scope(self, scope: Scope, result: Any) -> List[Tuple[str, Optional[Place]]]:
        """Lines of a scope; of a function with its result."""
        out: List[Tuple[str, Optional[Place]]] = []
        stack: List[Node] = []
        for node in scope.nodes:
            if node not in self._uses:
                continue
            if is_leaf(node):
                continue
            taken = self._take(stack, node.args, out)
            text, precedence = self._render(node)
            if self._is_known_velocity(node):
                self._text[node] = (text, precedence)
                continue
            if not self._needs_name(node, text):
                self._waiting.difference_update(stack[len(stack) - taken :])
                del stack[len(stack) - taken :]
                stack.append(node)
                self._waiting.add(node)
                self._text[node] = (self._marked(node, text), precedence)
                continue
            self._flush(stack, len(stack) - taken, out)
            self._waiting.difference_update(stack)
            del stack[:]
            out.append((self._line(node, text), node.place))
        if result is not None:
            taken = self._take(stack, [result], out)
            self._flush(stack, len(stack) - taken, out)
            out.append((f"return {self._argument(result)[0]}", None))
        return out

    def _is_known_velocity(self, node: Node) -> bool:
        """dot(x) of a coordinate again: nothing new is made, so that it may stand anywhere."""
        if node.form != "call" or node.word != "dot" or not isinstance(node.args[0], Node):
            return False
        source = node.args[0]
        declared = source.args[0] if source.form == "result" else source
        if declared.form != "call" or declared.word != "coordinates":
            return False
        key = (declared, source.word if source.form == "result" else 0)
        if key in self._velocities:
            return self._uses[node] == 1
        self._velocities.add(key)
        return False

    def _needs_name(self, node: Node, text: str) -> bool:
        if node.effect or node.results > 1 or node.listed or self._uses[node] > 1:
            return True
        inside = [n for a in node.args for n in nodes_in(a)]
        depth = 1 + max((self._depth.get(n, 0) for n in inside), default=0)
        expression = node.form in ("binary", "unary") or (node.form == "call" and not any(isinstance(a, Table) for a in node.args))
        if expression and (length(text) > _LONGEST or depth > _DEEPEST):
            return True
        self._depth[node] = depth
        return False

    def _take(self, stack: List[Node], args: list, out: list) -> int:
        """How many of those that wait go into a node with these arguments; those that cannot are written first."""
        while True:
            self._arrange(args)
            wanted = [n for a in args for n in nodes_in(a) if n in self._waiting] if stack else []
            if not wanted or stack[len(stack) - len(wanted) :] == wanted:
                return len(wanted)
            needed = set(wanted)
            lowest = next(i for i, n in enumerate(stack) if n in needed)
            self._flush(stack, lowest + 1, out)

    def _flush(self, stack: List[Node], count: int, out: list) -> None:
        """The lowest ones get names, on lines of their own."""
        for node in stack[:count]:
            text, _ = self._text[node]
            out.append((self._line(node, text), node.place))
        self._waiting.difference_update(stack[:count])
        del stack[:count]

    def _arrange(self, args: list) -> None:
        """Keys of a table have no order: those with operations that wait come in the order in which these were made."""
        for argument in args:
            if isinstance(argument, Table):
                self._arrange([*argument.entries, *(v for _, v in argument.keys)])
                waits = []
                for place, (name, value) in enumerate(argument.keys):
                    found = [n for n in (*nodes_in(name), *nodes_in(value)) if n in self._waiting]
                    if found:
                        waits.append((min(n.order for n in found), place))
                ordered = [argument.keys[place] for _, place in sorted(waits)]
                for (_, place), entry in zip(waits, ordered):
                    argument.keys[place] = entry

    # ---- names --------------------------------------------------------------------------------------------------

    def _line(self, node: Node, text: str) -> str:
        """local x, y = ... or, where nothing uses the result, the statement alone."""
        if self._uses[node] == 0:
            return text
        hints = self._hints(node)
        names = [self._names.take(hint) for hint in hints]
        together = self._locals + len(names)
        kept = together > (MOST_CAPTURED if node in self._captured else MOST_LOCALS)
        if kept:
            self.keeps = True
            names = [f"kept.{name}" for name in names]
        else:
            self._locals = together
        self._text[node] = (",".join(names), _ATOM)
        self._depth[node] = 0
        left = ", ".join(names)
        return f"{left} = {text}" if kept else f"local {left} = {text}"

    def _hints(self, node: Node) -> List[Optional[str]]:
        count = 1 if node.listed else node.results
        variables = self._sources.variables(node.place)
        if isinstance(node.hint, tuple) and len(node.hint) == count:
            return list(node.hint)
        if isinstance(node.hint, str) and count == 1:
            return [node.hint]
        if len(variables) == count:
            return list(variables)
        return [node.word if node.effect else None] * count

    def _marked(self, node: Node, text: str) -> str:
        if node.place is None or text.startswith(MADE):
            return text
        self._place_of[node.order] = node.place
        return f"{MADE}{node.order};{text}"

    # ---- text ---------------------------------------------------------------------------------------------------

    def _argument(self, argument: Any) -> Tuple[str, int]:
        if isinstance(argument, Literal):
            return (argument.text.replace("\n", RAW), _UNARY if argument.text.startswith("-") else _ATOM)
        if isinstance(argument, Node):
            return self._value(argument)
        if isinstance(argument, Table):
            return (self._table(argument), _ATOM)
        if isinstance(argument, Function):
            return (self._function(argument), _ATOM)
        raise AssertionError(argument)

    def _value(self, node: Node) -> Tuple[str, int]:
        if node.form == "leaf":
            return self._text.get(node, (node.word, _ATOM))
        if node.form == "result":
            source, index = node.args[0], node.word
            name = self._text[source][0]
            return (f"{name}[{index + 1}]" if source.listed else name.split(",")[index], _ATOM)
        return self._text[node]

    def _table(self, table: Table) -> str:
        parts = [self._argument(e)[0] for e in table.entries]
        for name, value in table.keys:
            left = name if isinstance(name, str) else f"[{self._argument(name)[0]}]"
            parts.append(f"{left} = {self._argument(value)[0]}")
        if not parts:
            return "{}"
        return "{ " + OPEN + f",{BREAK}".join(parts) + CLOSE + " }"

    def _function(self, function: Function) -> str:
        for parameter in function.parameters:
            self._text[parameter] = (self._names.take(parameter.word), _ATOM)
        parameters = ", ".join(self._text[p][0] for p in function.parameters)
        outer, self._locals = self._locals, len(function.parameters)
        body = [text for text, _ in self._scope(function.scope, function.result)]
        self._locals = outer
        if len(body) == 1:
            return f"function({parameters}) {body[0]} end"
        inside = "".join(LINE + line for line in body)
        return f"function({parameters}){OPEN}{inside}{CLOSE}{LINE}end"

    def _list(self, args: list) -> str:
        return "(" + OPEN + f",{BREAK}".join(self._argument(a)[0] for a in args) + CLOSE + ")"

    def _called(self, word: str, name: str, args: list) -> str:
        """word(args), word { ... } or word "text"."""
        if len(args) == 1 and isinstance(args[0], Table):
            return f"{word} {self._table(args[0])}"
        if len(args) == 1 and name in _OF_A_NAME and isinstance(args[0], Literal) and args[0].text.startswith('"'):
            return f"{word} {args[0].text}"
        return word + self._list(args)

    def _render(self, node: Node) -> Tuple[str, int]:
        form, args = node.form, node.args
        if form == "binary":
            return self._binary(node.word, args[0], args[1])
        if form == "unary":
            return ("-" + self._inside(args[0], _UNARY, False), _UNARY)
        if form == "call":
            return (self._called(node.word, node.word, args), _ATOM)
        if form == "index":
            base = self._inside(args[0], _ATOM, True)
            return (base + (node.word if node.word is not None else f"[{self._argument(args[1])[0]}]"), _ATOM)
        if form in ("method", "function"):
            joined = self._inside(args[0], _ATOM, True) + (":" if form == "method" else ".") + node.word
            return (self._called(joined, node.word, args[1:]), _ATOM)
        if form == "apply":
            return (self._inside(args[0], _ATOM, True) + self._list(args[1:]), _ATOM)
        if form == "choice":
            left, right, a, b = (self._inside(x, _ADD, True) for x in args)
            return (f"({left} {node.word} {right} and {a} or {b})", _ATOM)
        if form == "lua":
            return (self._lua(node), _ATOM)
        raise AssertionError(form)

    def _inside(self, argument: Any, precedence: int, same: bool) -> str:
        """An operand, in parentheses where it binds less; same: where it binds as much it needs none."""
        text, own = self._argument(argument)
        return text if own > precedence or (same and own == precedence) else f"({OPEN}{text}{CLOSE})"

    def _binary(self, operator: str, left: Any, right: Any) -> Tuple[str, int]:
        precedence = _PRECEDENCE[operator]
        if operator == "^":
            return (f"{self._inside(left, precedence, False)}^{self._inside(right, precedence, False)}", precedence)
        a, b = self._inside(left, precedence, True), self._inside(right, precedence, False)
        if b.lstrip(MADE + OPEN + "0123456789;").startswith("-"):
            b = f"({b})"
        return (f"{a} {operator}{BREAK}{b}", precedence)

    def _lua(self, node: Node) -> str:
        """Text of the user's own, with names for what it uses."""
        head, body, names = node.word
        texts = [(name, self._argument(a)[0]) for name, a in zip(names, node.args)]
        uses = "".join(f"{LINE}local {name} = {text}" for name, text in texts if name != text)
        inside = RAW + RAW.join(body.split("\n"))
        begin, end = (f"{head}(function()", "end)") if head else ("do", "end")  # head: compute
        return f"{begin}{OPEN}{uses}{inside}{CLOSE}{LINE}{end}"


def _words_of(file: Scope, used: Dict[Node, int]) -> Iterable[str]:
    """Every global name that the text will hold."""
    for node in used:
        if node.form in ("call", "leaf") and isinstance(node.word, str) and node.scope is file:
            yield node.word
        elif node.form == "call":
            yield node.word


def sketch(node: Node, depth: int = 6) -> str:
    """A symbol for people, in Python's terms."""
    if depth == 0:
        return "..."

    def show(argument: Any) -> str:
        if isinstance(argument, Literal):
            return argument.text
        if isinstance(argument, Node):
            return sketch(argument, depth - 1)
        return "{...}" if isinstance(argument, Table) else "function"

    args = [show(a) for a in node.args]
    if node.form == "binary":
        return f"({args[0]} {'**' if node.word == '^' else node.word} {args[1]})"
    if node.form == "unary":
        return f"-{args[0]}"
    if node.form == "result":
        hint = node.args[0].hint
        return hint[node.word] if isinstance(hint, tuple) else f"{args[0]}[{node.word}]"
    if node.form == "leaf":
        return node.word
    if node.form == "index":
        return args[0] + (node.word if node.word is not None else f"[{args[1]}]")
    if node.effect and isinstance(node.hint, str):
        return node.hint
    if node.form in ("method", "function"):
        return f"{args[0]}.{node.word}({', '.join(args[1:])})"
    if node.form == "lua":
        return "lua"
    return f"{node.word}({', '.join(args)})"


def text_of(file: Scope, words: Iterable[str]) -> Tuple[str, List[Optional[Place]]]:
    """The text, and for each of its lines where in Python it was made."""
    writer = Writer(file, words)
    text = writer.write()
    if writer.keeps:
        return "local kept = {}\n" + text, [None, *writer.places]
    return text, writer.places

