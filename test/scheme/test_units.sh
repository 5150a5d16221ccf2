#!/bin/sh
# Time-stepping schemes in other units: length, time and mass times even powers of two give the same significands of the final
# state, the same impacts and the same verdict.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

python3 - "$CAROM" "$CAROM_SOURCE_DIR/test/units" << 'PYTHON' || fail "units change a motion"
import json, math, subprocess, sys
carom, models = sys.argv[1:]
SCALES = [(20, 0, 0), (-40, 0, 0), (0, 20, 0), (0, -40, 0), (0, 0, 40), (0, 0, -20), (20, -20, 40), (-40, 20, -20)]
FREE = ["--set", "mu=0", "--set", "e=1"]
TASKS = [("ball", "moreau-friction", ["--set", "e=0"]), ("ball", "generalized-alpha", []), ("ball", "elast", FREE),
         ("ball", "billiard", FREE), ("ball", "inel", ["--set", "mu=0", "--set", "e=0"]),
         ("ball", "paoli-schatzman", FREE), ("ball", "sweeping", FREE), ("ball", "penalty", ["--set", "mu=0", "--set", "e=0.6"]),
         ("oscillator", "generalized-alpha", []), ("oscillator", "paoli-schatzman", []),
         ("oscillator", "paoli-schatzman", ["--option", "force=centred"]), ("oscillator", "sweeping", []),
         ("oscillator", "sweeping", ["--option", "implicit=on", "--option", "stabilise=on"]), ("oscillator", "penalty", []),
         ("pendulum", "generalized-alpha", []), ("pendulum", "generalized-alpha", ["--option", "strategy=3", "--option", "gate=1"]),
         ("belt", "dai-theta", []), ("belt", "dai-euler", [])]


def run(task, scale):
    model, scheme, options = task
    units = ["--units", "L=%r,T=%r,M=%r" % tuple(2.0 ** k for k in scale)] if scale else []
    h = ["--h", repr(0.01 * 2.0 ** (scale[1] if scale else 0))] if model == "oscillator" and scheme != "penalty" else []
    done = subprocess.run([carom, "run", "%s/%s.lua" % (models, model), "--scheme", scheme, "--json", "--quiet"] + options + h + units,
                          capture_output=True, text=True)
    if done.returncode:
        return {"error": done.stderr.strip()[:300]}
    out = json.loads(done.stdout)
    doubts = [doubt.split(":")[0] for doubt in out["certificate"].get("doubts", [])]
    facts = {"impacts": out["contacts"]["impacts"], "verdict": out["certificate"].get("verdict"), "doubts": doubts}
    length, time = scale[:2] if scale else (0, 0)
    for kind, power in (("q", length), ("v", length - time)):
        for name, value in out["final"][kind].items():
            facts[kind + " " + name] = math.ldexp(value, -power)
    return facts


wrong = 0
for task in TASKS:
    base = run(task, None)
    for scale in SCALES:
        other = run(task, scale)
        differ = [key for key in base if base[key] != other.get(key)]
        if differ or "error" in base or "error" in other:
            wrong += 1
            key = differ[0] if differ else "error"
            print("%s %s %s, 2^%s: %s is %s, was %s" % (*task, scale, key, other.get(key, other), base.get(key)))
sys.exit(wrong > 0)
PYTHON

# A block at rest on a table that shakes: its gap is zero to rounding error, with a sign that depends on the mass. It never
# leaves the table. Motions in a sweep, which are stepped together, are the same.
cat > rest.lua << 'MODEL'
local m, mu = param { "m", 1 }, param { "mu", 0 }
local x, z = coordinates("x", "z")
mass(m)
force { z = -m * (9.81 + 6 * sin(50 * time())), x = m * 4 * cos(50 * time()) }
contact { "table", gap = z, slip = dot(x), friction = mu }
initial { x = 0, z = 0 }
integrate { h = 1.3e-3, until_t = 2 }
measure { lowest = minimum(z), hits = count(impact("table")), gone = count(release("table")), way = final(x) }
MODEL
sed 's/slip = dot(x), friction = mu//' rest.lua > rest_smooth.lua
python3 - "$CAROM" << 'PYTHON' || fail "a block at rest leaves the table"
import json, subprocess, sys
carom, wrong = sys.argv[1], 0


def measures(words):
    done = subprocess.run([carom] + words + ["--json", "--quiet"], capture_output=True, text=True)
    return json.loads(done.stdout)


for model, scheme, options in [("rest", "moreau-friction", ["--set", "mu=0.3"]), ("rest", "moreau-jean", ["--set", "mu=0.3"]),
                               ("rest", "generalized-alpha", ["--set", "mu=0.3"]), ("rest_smooth", "moreau-jean", []),
                               ("rest_smooth", "inel", []), ("rest_smooth", "elast", []), ("rest_smooth", "sweeping", []),
                               ("rest_smooth", "paoli-schatzman", []), ("rest_smooth", "event-driven", [])]:
    base = None
    for units in ([], ["--set", "m=3"], ["--units", "M=3"], ["--units", "M=1.1"], ["--units", "M=1e3,L=7"], ["--units", "M=1e-6,T=0.3"]):
        found = measures(["run", model + ".lua", "--scheme", scheme] + options + units)["measures"]
        base = base or found
        if found["gone"] != 0 or found["hits"] != base["hits"] or abs(found["lowest"]) > 1e-15 or \
                abs(found["way"] - base["way"]) > 1e-9 * abs(base["way"]):
            wrong += 1
            print(scheme, units, found, base)
sys.exit(wrong > 0)
PYTHON
"$CAROM" sweep rest_smooth.lua --scheme moreau-jean --over m=1:9:9 --json > together.json || fail "sweep of a block at rest"
"$CAROM" sweep rest_smooth.lua --scheme moreau-jean --over m=1:9:9 --alone --json > alone.json || fail "sweep --alone of a block at rest"
python3 - << 'PYTHON' || fail "blocks at rest differ when stepped together"
import json, sys
together, alone = (json.load(open(name + ".json")) for name in ("together", "alone"))
for tree in (together, alone):
    for key in ("wall_s", "seconds"):
        tree.pop(key, None)
gone = json.dumps(together).count('"gone"')
sys.exit(together != alone or gone < 9)
PYTHON

# Options with a unit that are given: @3:0,1,0@ is 3 units of time (powers of length, time, mass). Each value is another than the default, and changes the motion.
cat > balls.lua << 'MODEL'
local c = chain { balls = 4, spacing = 0.01, radius = 0.02, mass = 0.1, restitution = 0.8 }
integrate { scheme = "event-driven", h = 1e-3, until_t = 0.2, impact_law = "lzb" }
measure { spread = dispersion(c) }
MODEL
python3 - "$CAROM" "$CAROM_SOURCE_DIR/test/units" << 'PYTHON' || fail "units change a motion with given options"
import json, math, re, subprocess, sys
carom, models = sys.argv[1:]
SCALES = [(20, 0, 0), (-40, 0, 0), (0, 20, 0), (0, -40, 0), (0, 0, 40), (0, 0, -20), (20, -20, 40), (-40, 20, -20)]
BALL = [models + "/ball.lua", "--set", "mu=0", "--set", "e=0.6"]
# words; tolerance, relative; what is given
TASKS = [
    (BALL + ["--scheme", "penalty"], 0.0, ["--option", "n=@3e4:0,-2,0@"]),
    (BALL + ["--scheme", "penalty"], 0.0, ["--option", "n=@3e4:0,-2,0@", "--h", "@0.007:0,1,0@", "--until", "@0.9:0,1,0@"]),
    (BALL + ["--scheme", "moreau-jean"], 0.0, ["--h", "@0.007:0,1,0@", "--until", "@0.9:0,1,0@"]),
    (BALL + ["--scheme", "event-driven"], 0.0, ["--h", "@0.03:0,1,0@", "--until", "@0.9:0,1,0@"]),
    (["balls.lua", "--option", "impact_method=events"], 0.0, ["--option", "impact_step=@1e-3:0,1,0@"]),
    (["balls.lua", "--option", "impact_method=time"], 0.0, ["--option", "impact_step=@1e-4:0,1,0@"]),
    (["balls.lua", "--option", "impact_method=impulse"], 0.0, ["--option", "impact_step=@1e-4:1,-1,1@"]),
    # iterates on forces K x^(3/2), whose powers of 2/5 are rounded
    (["balls.lua", "--option", "impact_method=implicit"], 1e-12, ["--option", "impact_step=@1e-4:0,1,0@"]),
]


def run(words, scale):
    def number(found):
        power = sum(int(a) * b for a, b in zip(found.group(2).split(","), scale))
        return repr(float(found.group(1)) * 2.0 ** power)
    words = [re.sub("@(.*):(.*)@", number, word) for word in words]
    units = ["--units", "L=%r,T=%r,M=%r" % tuple(2.0 ** k for k in scale)] if any(scale) else []
    done = subprocess.run([carom, "run"] + words + units + ["--json", "--quiet"], capture_output=True, text=True)
    if done.returncode:
        return {"error": done.stderr.strip()[:300]}
    out = json.loads(done.stdout)
    facts = {"impacts": out["contacts"]["impacts"], "trusted": out["certificate"]["trusted"], "steps": out["steps"]}
    for kind, power in (("q", scale[0]), ("v", scale[0] - scale[1])):
        for name, value in out["final"][kind].items():
            facts[kind + " " + name] = math.ldexp(value, -power)
    return facts


wrong = 0
for model, tolerance, options in TASKS:
    base = run(model + options, (0, 0, 0))
    if base == run(model, (0, 0, 0)):
        wrong += 1
        print(*model, *options, "changes nothing")
    for scale in SCALES:
        other = run(model + options, scale)
        differ = [key for key in base if key not in other or isinstance(base[key], str) or
                  abs(base[key] - other[key]) > tolerance * abs(base[key])]
        if differ or "error" in base:
            wrong += 1
            print(*model, *options, scale, other if "error" in other else [(key, base[key], other[key]) for key in differ[:2]])
sys.exit(wrong > 0)
PYTHON
echo "units do not matter"
