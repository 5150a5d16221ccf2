#!/bin/sh
# Derivatives of steps with many unknowns, whose matrices have few entries: those of a small model, of which the large one has copies;
# differences of whole runs; contacts that are redundant; and too many unknowns.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# n masses on springs, a row of which falls on the floor with its last one; `copies` such rows
cat > chain.lua << 'LUA'
local n, copies, twice = setting { "n", 40, integer = true }, setting { "copies", 1, integer = true }, setting { "twice", 0 }
local e, k, m = param { "e", 0.5 }, param { "k", 100 }, param { "m", 1 }
local name = {}
for i = 1, n * copies do name[i] = "x" .. i end
local x = { coordinates(table.unpack(name)) }
mass(m)
local V = 0
for c = 0, copies - 1 do
  V = V + x[c * n + 1] ^ 2 + 9.81 * m * x[c * n + n]
  for i = 2, n do V = V + k * (x[c * n + i] - x[c * n + i - 1]) ^ 2 / 2 + 0.1 * x[c * n + i] ^ 4 end
  contact { "end" .. c, gap = x[c * n + n] + 0.1, restitution = e }
  if twice == 1 then contact { "again" .. c, gap = 2 * x[c * n + n] + 0.2, restitution = e } end
end
potential(V)
integrate { scheme = "SCHEME", h = 0.01, until_t = 0.25 }
measure { tip = x[n * copies], hits = count(impact "end0") }
LUA
tips() { # FILE SETTINGS: d tip / d e, k, m, and what is told of them
    file=$1
    shift
    "$CAROM" run "$file" --sensitivity e,k,m --json "$@" > tips.json
    python3 -c '
import json
run = json.load(open("tips.json"))
s = run["sensitivity"]
assert run["measures"]["hits"] > 0, run["measures"]
print(s["method"], *("%.9g" % s["measures"]["tip"][p] for p in ("e", "k", "m")))'
}
near() { # "WORD a b c" "WORD a b c"
    python3 - "$1" "$2" << 'PYTHON'
import sys
one, other = (text.split() for text in sys.argv[1:])
assert one[0] == other[0] == "exact", (one, other)
assert all(abs(float(a) - float(b)) <= 1e-7 * abs(float(a)) for a, b in zip(one[1:], other[1:])), (one, other)
PYTHON
}
for scheme in moreau-jean generalized-alpha; do
    sed "s/SCHEME/$scheme/" chain.lua > $scheme.lua
    small=$(tips $scheme.lua)
    near "$small" "$(tips $scheme.lua --set copies=5)"               # 200 coordinates, and more unknowns
    [ "${CAROM_SANITIZED:-}" != yes ] || break
done
near "$(tips moreau-jean.lua)" "$(tips moreau-jean.lua --set copies=5 --set twice=1)" # redundant contacts

# many coordinates, against differences
n=500
[ "${CAROM_SANITIZED:-}" != yes ] || n=160
tips moreau-jean.lua --set n=$n > exact
for side in 1.001 0.999; do
    "$CAROM" run moreau-jean.lua --set n=$n --set k="$(python3 -c "print(100 * $side)")" --json > "k$side.json"
done
python3 - << 'PYTHON'
import json
up, down = (json.load(open("k%s.json" % side))["measures"]["tip"] for side in ("1.001", "0.999"))
word, e, k, m = open("exact").read().split()
assert word == "exact" and abs((up - down) / 0.2 - float(k)) <= 1e-5 * abs(float(k)), (up, down, k)
PYTHON

# too many: differences of runs take their place, and why is told
"$CAROM" run moreau-jean.lua --set n=2500 --until 0.02 --sensitivity k --json > many.json
has many.json '"method":"differences"'
has many.json 'a step has up to 2503 unknowns, three per contact; derivatives of steps are made for 2000 at most'
