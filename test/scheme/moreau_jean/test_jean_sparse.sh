#!/bin/sh
# Chains between walls: the sparse step against the full one, the laws and the energy of a long one.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
chain="$CAROM_SOURCE_DIR/bench/chain.lua"

# run FILE OPTIONS: the JSON of a run
run() {
    file=$1
    shift
    "$CAROM" run "$chain" --json --quiet "$@" > "$file" 2> err || fail "$*: $(cat err)"
}

# same FILE FILE TOLERANCE: positions and velocities at the end
same() {
    python3 - "$1" "$2" "$3" << 'PYTHON' || fail "$1 and $2 differ"
import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:3])
worst = max(abs(x - b["final"][kind][name]) for kind in "qv" for name, x in a["final"][kind].items())
impacts = a["contacts"]["impacts"]
print("%s: worst difference %g, impacts %s" % (sys.argv[1], worst, impacts))
sys.exit(not (worst <= float(sys.argv[3]) and impacts == b["contacts"]["impacts"] and impacts > 0))
PYTHON
}

# A solver that is asked for by name works on the full matrix.
for cubic in 0 1; do
    run sparse.json --set n=90 --set "cubic=$cubic"
    run full.json --set n=90 --set "cubic=$cubic" --solver active-set
    same sparse.json full.json 1e-13
    run sparse.json --set n=70 --set friction=1 --set "cubic=$cubic"
    run full.json --set n=70 --set friction=1 --set "cubic=$cubic" --solver nsgs --tolerance 1e-13
    same sparse.json full.json 1e-12
done

# 2000 masses: Coulomb's law and complementarity to rounding, no energy from nowhere.
for friction in 0 1; do
    run long.json --set n=2000 --set "friction=$friction" --set t_end=0.04
    python3 - "$friction" << 'PYTHON' || fail "a chain of 2000, friction $friction"
import json, sys
run = json.load(open("long.json"))
proof, energy = run["certificate"], run["certificate"]["energy"]
print(proof["contact_error"]["max"], energy["scheme"] / energy["scale"], run["contacts"]["impacts"])
assert run["status"] == "ok" and proof["unsolved_steps"] == 0
assert proof["penetration"]["max"] <= 0.5 * 1e-3 * 0.55 # what a step of half the speed may miss
assert proof["contact_error"]["max"] <= 1e-10
assert run["contacts"]["impacts"] > 500
assert energy["contacts"] < 0 and energy["final"] < energy["initial"]
assert abs(energy["scheme"]) <= 1e-6 * energy["scale"]
PYTHON
done
# With a mass that is not diagonal and much friction contacts jump between states where the equations are stiff: those that are
# solved softly first are found nevertheless.
for mu in 0.8 2; do
    run coupled.json --set n=1000 --set friction=1 --set e=0 --set consistent=1 --set "mu=$mu" --set k=1 --set t_end=0.03
    python3 - << 'PYTHON' || fail "a chain with a coupled mass, friction $mu"
import json
run = json.load(open("coupled.json"))
print(run["certificate"]["contact_error"]["max"], run["contacts"]["impacts"])
assert run["status"] == "ok" and run["certificate"]["unsolved_steps"] == 0 and run["contacts"]["impacts"] > 500
assert run["certificate"]["contact_error"]["max"] <= 1e-10
PYTHON
done
echo "sparse steps are right"
