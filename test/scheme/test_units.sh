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
echo "units do not matter"
