"""Two JSON files of one motion in units that differ by even powers of two: the same counts and words, and numbers with the same
significand, or with one that differs by at most TOLERANCE. Usage: significands.py TOLERANCE A.json B.json [KEY ...]; the keys are
left out, as times by the clock are."""
import json
import math
import re
import sys


def differ(a, b):
    """Relative difference of two numbers, but for a power of two."""
    if a == 0 or b == 0 or not (math.isfinite(a) and math.isfinite(b)):
        return 0 if a == b else math.inf
    ratio = math.frexp(abs(b / a))[0]
    return 0 if math.frexp(a)[0] == math.frexp(b)[0] else min(abs(2 * ratio - 1), abs(ratio - 1)) + 2 * (a * b < 0)


def compare(a, b, place, left_out):
    if isinstance(a, dict):
        if not isinstance(b, dict) or a.keys() != b.keys():
            sys.exit(f"{place}: other keys")
        for key in a:
            if key not in left_out:
                compare(a[key], b[key], f"{place}/{key}", left_out)
    elif isinstance(a, list):
        if not isinstance(b, list) or len(a) != len(b):
            sys.exit(f"{place}: {len(a)} entries and {len(b)}")
        for i, (x, y) in enumerate(zip(a, b)):
            compare(x, y, f"{place}/{i}", left_out)
    elif isinstance(a, str):
        if re.sub(r"[-+0-9.e]+", "", a) != re.sub(r"[-+0-9.e]+", "", str(b)):
            sys.exit(f"{place}: '{a}' and '{b}'")
    elif isinstance(a, (int, float)) and not isinstance(a, bool):
        if differ(a, b) > tolerance:
            sys.exit(f"{place}: {a!r} and {b!r}")
    elif a != b:
        sys.exit(f"{place}: {a} and {b}")


tolerance = float(sys.argv[1])
first, second = (json.load(open(name, encoding="utf-8")) for name in sys.argv[2:4])
compare(first, second, "", set(sys.argv[4:]))
