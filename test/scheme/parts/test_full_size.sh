#!/bin/sh
# Large models: what needs full matrices is refused in words, and a start with joints needs none where the mass is diagonal.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# chain N JOINT: N masses in a row, of which the first forty are coupled and 1 and 2 may be tied
chain() {
    cat << LUA
local w, T, V = {}, 0, 0
for i = 1, $1 do
  w[i] = coordinates("w" .. i)
  T = T + (1 + i % 3) * dot(w[i])^2 / 2
  V = V + w[i]^2 / 2
  if i > 1 and i <= 40 then V = V + 50 * (w[i] - w[i - 1])^2 end
end
kinetic(T)
potential(V)
$2
contact { "wall", gap = w[3] + 5 }
initial { w1 = 0.2, w2 = 0.1, [dot(w[1])] = 1, w40 = 0.3 }
integrate { scheme = "generalized-alpha", h = 1e-3, until_t = 0.003 }
LUA
}
tie='joint { "tie", w[1] - w[2] + sin(w[2] - w[4]) / 5 }'
outputs='record { a = acceleration(w[1]), b = acceleration(w[5]), r = reaction "tie", x = w[1], u = dot(w[2]) }'

# ---- the start of a large model is that of a small one, beside which masses move for themselves -----------

chain 40 "$tie" > small.lua
chain 200 "$tie" > large.lua
for name in small large; do
    echo "$outputs" >> $name.lua
    "$CAROM" run $name.lua --option initial=project --csv $name.csv > $name.out 2> $name.err
    grep -v '^#' $name.csv | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) for (k = 1; k <= 5; k++) if ($i == substr("abrxu", k, 1)) at[k] = i }
        NR == 2 { for (k = 1; k <= 5; k++) printf "%.12g\n", $(at[k]) }' > $name.start
    [ "$(wc -l < $name.start)" -eq 5 ] || fail "$name.csv has no five columns"
done
cmp small.start large.start || fail "the start of a large model is another one: $(paste small.start large.start)"
awk 'NR == 3 { r = $1 } END { exit !(r > 0.1 || r < -0.1) }' small.start || fail "the joint carries nothing"

# with sanitizers large ones take minutes, and go the same ways
[ -z "${CAROM_SANITIZED:-}" ] || exit 0

# ---- thirty thousand masses --------------------------------------------------------------------------------

chain 30000 "$tie" > tied.lua
"$CAROM" run tied.lua --option initial=project > out 2> err || fail "generalized-alpha: $(cat err)"
has out "3 steps"
"$CAROM" run tied.lua --option initial=project --scheme moreau-jean > out 2> err || fail "moreau-jean: $(cat err)"
has out "3 steps"
refused run 2 "moreau-jean with a law of impact and joint 'tie' needs full matrices of 30000 x 30000 numbers, each of 7.2 GB" -- \
    tied.lua --scheme moreau-jean --option impact_law=newton
has err "leave impact_law out"
chain 30000 "" > free.lua
refused run 2 "a solver of one's choice needs full matrices of 30000 x 30000 numbers" -- \
    free.lua --scheme moreau-jean --option solver=gauss-seidel
has err "leave the option solver out"
"$CAROM" run free.lua --scheme moreau-jean > out
has out "3 steps"

# ---- a hub: one coordinate shares inertia, springs or contacts with thousands of others ------------------------

cat > hub.lua << 'LUA'
local n = setting { "n", 10000, integer = true }
local kind = setting { "kind", 0, integer = true }
local X = coordinates("X")
local w, T, V, start = {}, 5 * n * dot(X)^2, X^2, {}
for i = 1, n do
  w[i] = coordinates("w" .. i)
  T = T + (kind == 0 and (dot(w[i]) + dot(X))^2 / 2 or dot(w[i])^2 / 2)
  V = V + (w[i] - (kind == 1 and X or 0))^2 / 2
  start[dot(w[i])] = math.sin(i)
  contact { "wall" .. i, gap = w[i] + 0.005 + (kind == 2 and X or 0) }
end
kinetic(T)
potential(V)
initial(start)
record { a = acceleration(w[2]) }
measure { hub = final(dot(X)), first = final(dot(w[1])) }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.02 }
LUA
size=4000
for kind in 0 1 2; do
    for scheme in moreau-jean inel moreau-friction sweeping paoli-schatzman generalized-alpha; do
        within 400 "$CAROM" run hub.lua --quiet --set "n=$size" --set "kind=$kind" --scheme $scheme > out 2> err ||
            fail "hub of kind $kind, $scheme: $(cat err)"
    done
done
# sparse and full agree (a solver by name has the full matrix)
for kind in 0 1 2; do
    for scheme in inel sweeping paoli-schatzman; do
        for solver in auto active-set; do
            "$CAROM" run hub.lua --quiet --json --set n=100 --set "kind=$kind" --scheme $scheme --solver $solver > $solver.json
        done
        python3 - << 'PYTHON' || fail "hub of kind $kind, $scheme: sparse and full differ"
import json
a, b = (json.load(open(name))["measures"] for name in ("auto.json", "active-set.json"))
assert all(abs(a[name] - b[name]) <= 1e-13 for name in ("hub", "first")) and abs(a["first"]) > 1e-6, (a, b)
PYTHON
    done
done
for scheme in event-driven elast; do
    refused run 2 "keeps here what an impulse at each contact does to every velocity, because the mass matrix is not diagonal" -- \
        hub.lua --scheme $scheme
    has err "take moreau-jean"
done

# a mass matrix with a hub that is not positive definite
sed 's|5 \* n \* dot(X)^2|-0.4 * n * dot(X)^2|' hub.lua > light.lua
for n in 60 10000; do
    refused run 2 "is not positive definite" -- light.lua --set "n=$n"
done

# ---- methods that are full by their nature -------------------------------------------------------------------

cat > slides.lua << 'LUA'
local n, T, V = setting { "n", 8000, integer = true }, 0, 0
for i = 1, n do
  local x = coordinates("x" .. i)
  T = T + dot(x)^2 / 2
  V = V + x^2 / 2
  friction_force { "dry" .. i, slip = dot(x), bound = 0.1 }
end
kinetic(T)
potential(V)
initial { x1 = 1 }
integrate { scheme = "dai-theta", h = 1e-3, until_t = 2e-3 }
LUA
refused run 2 "scheme 'dai-theta' with 8000 coordinates and 8000 friction forces needs full matrices of 4.1 GB" -- slides.lua
has err "take moreau-jean"
"$CAROM" run slides.lua --scheme moreau-jean --quiet > out
"$CAROM" run slides.lua --set n=200 --quiet > out
refused orbit 2 "needs a full matrix of 10002 x 10002 numbers, 0.8 GB" -- hub.lua --set n=5000 --period 6 --impacts wall1
refused modes 2 "needs a full matrix of 10002 x 10002 numbers" -- hub.lua --set n=5000
echo "large models: a start without full matrices, refusals in words"
