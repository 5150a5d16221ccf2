#!/bin/sh
# Chains that rub on their walls by moreau-friction: the sparse step against the full one, and a chain of 10,000 masses in the
# memory that a sparse one needs.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
chain="$CAROM_SOURCE_DIR/bench/chain.lua"

# run FILE OPTIONS: the JSON of a run
run() {
    file=$1
    shift
    ${bounded:-} "$CAROM" run "$chain" --json --quiet --scheme moreau-friction --set friction=1 --set e=0 "$@" > "$file" 2> err || fail "$*: $(cat err)"
}

# A solver that is asked for by name works on the full matrix. With a mass that is not diagonal every contact acts on every other.
for consistent in 0 1; do
    for correction in off on; do
        run sparse.json --set n=70 --set "consistent=$consistent" --option "correction=$correction"
        run full.json --set n=70 --set "consistent=$consistent" --option "correction=$correction" --solver nsgs --tolerance 1e-13
        python3 - << 'PYTHON' || fail "consistent=$consistent correction=$correction: sparse and full differ"
import json, sys
a, b = (json.load(open(name)) for name in ("sparse.json", "full.json"))
worst = max(abs(x - b["final"][kind][name]) for kind in "qv" for name, x in a["final"][kind].items())
print("worst difference %g, impacts %s and %s" % (worst, a["contacts"]["impacts"], b["contacts"]["impacts"]))
sys.exit(not (worst <= 1e-11 and a["contacts"]["impacts"] == b["contacts"]["impacts"] > 50))
PYTHON
    done
done

# 10,000 masses, 20,000 coordinates and contacts: laws to rounding, and nothing that grows like the square (W would take 29 GB).
masses=10000
[ -z "${CAROM_SANITIZED:-}" ] || masses=2000 # the same ways through the code
for consistent in 0 1; do
    bounded='within 1500' run long.json --set n=$masses --set "consistent=$consistent" --set t_end=0.02
    python3 - $masses << 'PYTHON' || fail "a chain of $masses, consistent=$consistent"
import json, sys
run = json.load(open("long.json"))
proof, energy = run["certificate"], run["certificate"]["energy"]
print(proof["contact_error"]["max"], run["contacts"]["impacts"], energy["initial"], energy["final"])
assert run["status"] == "ok" and proof["unsolved_steps"] == 0
assert proof["contact_error"]["max"] <= 1e-10
assert run["contacts"]["impacts"] > int(sys.argv[1]) / 10
assert energy["contacts"] < 0 and energy["final"] < energy["initial"]
PYTHON
done

# What has no sparse way is refused in words.
refused run 2 "needs full matrices of 60000 x 60000 numbers" -- "$chain" --scheme moreau-friction --set friction=1 --set e=0 \
    --set n=10000 --solver nsgs
has err "leave the option solver out"
echo "sparse friction is right"
