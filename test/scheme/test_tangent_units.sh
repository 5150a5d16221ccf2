#!/bin/sh
# Derivatives of runs in other units: breaks, sides and jumps are the same, derivatives have the same significands. Lengths, times and
# masses are multiplied by even powers of two.
set -eu

# begins on the floor but for rounding, and with a slip
cat > floor.lua << 'LUA'
local x, y = coordinates("x", "y")
mass(M)
potential(9.81 * M * L / T^2 * y)
contact { "floor", gap = y, restitution = 0.5, slip = dot(x), friction = 0.3 }
initial { y = 1e-13 * L, [dot(x)] = L / T }
integrate { scheme = "moreau-jean", h = 0.0625 * T, until_t = 0.5 * T }
LUA

# ... and on it, without a slip, under static friction
cat > static.lua << 'LUA'
local x, y = coordinates("x", "y")
mass(M)
potential(9.81 * M * L / T^2 * y)
force { x = 6 * M * L / T^2 }
contact { "floor", gap = y, restitution = 0, slip = dot(x), friction = { static = 0.7, dynamic = 0.5 } }
initial { y = 0 }
integrate { scheme = "moreau-jean", h = 0.0625 * T, until_t = 0.25 * T }
LUA

# a collision of three balls at one time, whose order matters
cat > balls.lua << 'LUA'
local a, b, c = coordinates("a", "b", "c")
mass(M)
contact { "ab", gap = b - a - L, restitution = 0.5 }
contact { "bc", gap = c - b - L, restitution = 0.5 }
initial { a = -1.5 * L, b = 0, c = 1.5 * L, [dot(a)] = L / T, [dot(c)] = -L / T }
integrate { scheme = "event-driven", h = 0.125 * T, until_t = T }
measure { left = a, total = a + b + c }
LUA

# a load that lifts a mass off the floor
cat > lift.lua << 'LUA'
local y = coordinates("y")
mass(M)
force { y = M * L / T^2 * (5 * time() / T - 4) }
contact { "floor", gap = y, restitution = 0 }
initial { y = 0 }
integrate { scheme = "event-driven", h = 0.125 * T, until_t = T }
LUA

# a block that begins to slip and stops again
cat > slip.lua << 'LUA'
local x, y = coordinates("x", "y")
mass(M)
potential(8 * M * L / T^2 * y)
force { x = 6 * M * L / T^2 * sin(2 * time() / T + 0.25) }
contact { "floor", gap = y, restitution = 0, slip = dot(x), friction = 0.5 }
initial { y = 0 }
integrate { scheme = "event-driven", h = 0.125 * T, until_t = 3 * T }
LUA

cat > compare.py << 'PYTHON'
import json, math, os, re, subprocess, sys

SCALES = [(20, 0, 0), (-20, 0, 0), (0, 20, 0), (0, -20, 0), (0, 0, 20), (0, 0, -20), (40, 0, 0), (-40, 0, 0), (0, 0, -44),
          (-20, 20, -20)]
TASKS = [("floor", "q:x,v:x,q:y", []), ("static", "v:x,q:x", []), ("balls", "q:a,q:c,v:a", ["--sides"]),
         ("lift", "q:y,v:y", []), ("slip", "v:x,q:x", []), ("slip", "q:x", ["--sides"])]


def run(task, scale):
    model, names, options = task
    with open(model + ".lua") as file:
        text = file.read()
    with open("in.lua", "w") as file:
        file.write("local L, T, M = %r, %r, %r\n" % tuple(math.ldexp(1.0, e) for e in scale) + text)
    done = subprocess.run([os.environ["CAROM"], "run", "in.lua", "--json", "--sensitivity", names] + options,
                          capture_output=True, text=True)
    if done.returncode:
        return {"error": done.stderr}
    found = json.loads(done.stdout)["sensitivity"]
    facts = {"breaks": [re.sub(r"[-+]?[\d.]+(e[-+]?\d+)?", "#", b["why"]) for b in found["breaks"]]}
    for side in ("below", "above"):
        if side in found:
            facts[side + " jumps"] = list(found[side]["jumps"].items())
    for part, tree in [("", found)] + [(side, found[side]) for side in ("below", "above") if side in found]:
        for kind in ("q", "v", "measures"):
            for name, row in tree.get(kind, {}).items():
                for by, value in row.items():
                    facts[part, kind, name, by] = None if value is None else math.frexp(value)[0]
    return facts


wrong = 0
for task in TASKS:
    usual = run(task, (0, 0, 0))
    if "error" in usual:
        sys.exit(usual["error"])
    print(task[0], usual["breaks"])
    for scale in SCALES:
        other = run(task, scale)
        differ = [key for key in usual if usual[key] != other.get(key)]
        if differ or "error" in other:
            wrong += 1
            print(task, scale, *[(key, usual[key], other.get(key)) for key in differ[:2]], other.get("error", ""))
sys.exit(wrong > 0)
PYTHON
python3 compare.py
