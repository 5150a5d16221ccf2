#!/bin/sh
# generalized-alpha with friction, large sparse models: the problem in the space of velocities against the full one, closed
# values, and the memory of ten thousand masses.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
chain="$CAROM_SOURCE_DIR/bench/chain.lua" cable="$CAROM_SOURCE_DIR/bench/cable.lua"

# run FILE MODEL OPTIONS: the JSON of a run
run() {
    file=$1
    shift
    "$CAROM" run --json --quiet --scheme generalized-alpha "$@" > "$file" 2> err || fail "$*: $(cat err)"
}

# same TOLERANCE OPTIONS: positions, velocities and contacts at the end, with the solver of sparse models and with one that is asked
# for by name, which works on the full matrix
same() {
    tolerance=$1
    shift
    run sparse.json "$@"
    run full.json "$@" --solver nsgs --tolerance 1e-14
    python3 - "$tolerance" << 'PYTHON' || fail "sparse and full differ: $*"
import json, sys
a, b = (json.load(open(name)) for name in ("sparse.json", "full.json"))
worst = max(abs(x - b["final"][kind][name]) for kind in "qv" for name, x in a["final"][kind].items())
print("worst difference %g, impacts %s" % (worst, a["contacts"]["impacts"]))
assert worst <= float(sys.argv[1])
assert a["status"] == b["status"] == "ok" and a["certificate"]["unsolved_steps"] == 0
assert a["contacts"]["impacts"] == b["contacts"]["impacts"] > 0
PYTHON
}

# ---- against the full problem ------------------------------------------------------------------------------

end=0.05 long=500
[ -z "${CAROM_SANITIZED:-}" ] || end=0.02 long=100
for consistent in 0 1; do
    for mu in 0.05 0.8; do
        same 1e-11 "$chain" --set n=70 --set friction=1 --set "consistent=$consistent" --set "mu=$mu" --set t_end=$end
    done
done
same 1e-11 "$cable" --set n=40

# In space: masses in a row, linked by springs, fall on a floor and slide in directions of their own; the third is tied to the first.
cat > space.lua << 'LUA'
local tied, mu = setting { "tied", 0, integer = true }, param { "mu", 0.3 }
local x, y, z, start, T, V = {}, {}, {}, {}, 0, 0
for i = 1, 30 do
  x[i], y[i], z[i] = coordinates("x" .. i, "y" .. i, "z" .. i)
  local m = 1 + i % 3
  T = T + m * (dot(x[i])^2 + dot(y[i])^2 + dot(z[i])^2) / 2
  V = V + 10 * m * z[i]
  if i > 1 then V = V + 20 * ((x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 + (z[i] - z[i - 1])^2) end
  local speed = (tied == 1 and i == 3) and math.sin(1) + 0.01 * math.cos(4) or math.sin(i) -- as the tie has it
  start[z[i]], start[dot(x[i])], start[dot(y[i])] = 0.001 * (1 + i % 4), speed, math.cos(2 * i)
  contact { "floor" .. i, gap = z[i], restitution = 0.3, slip = { dot(x[i]), dot(y[i]) }, friction = mu }
end
if tied == 1 then joint { "tie", x[3] - x[1] - 0.01 * sin(y[2]) } end
kinetic(T)
potential(V)
initial(start)
integrate { scheme = "generalized-alpha", h = 1e-3, until_t = 0.05 }
LUA
for tied in 0 1; do
    same 1e-11 space.lua --set "tied=$tied"
done

# ---- a cable that lies on a floor slides along itself: it slows down by mu g until it rests ----------------------

cat > sliding.lua << 'LUA'
local n, mu, g = setting { "n", 100, integer = true }, 0.25, 10
local x, y, start, T, V = {}, {}, {}, 0, 0
for i = 1, n do
  x[i], y[i] = coordinates("x" .. i), coordinates("y" .. i)
  start[x[i]], start[dot(x[i])] = 0.1 * i, 0.1
  T = T + (1 + i % 3) * (dot(x[i])^2 + dot(y[i])^2) / 2
  V = V + (1 + i % 3) * g * y[i]
  if i > 1 then joint { "rod" .. i, ((x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 - 0.01) / 0.2 } end
  contact { "floor" .. i, gap = y[i], slip = dot(x[i]), friction = mu }
end
kinetic(T)
potential(V)
initial(start)
measure { way = final(x[n] - 0.1 * n), half = at(dot(x[1]), 0.02), speed = final(dot(x[1])) }
integrate { scheme = "generalized-alpha", h = 1e-3, until_t = 0.06 }
LUA
for n in 40 $long; do
    run sliding.json sliding.lua --set "n=$n"
    python3 - << 'PYTHON' || fail "a sliding cable of $n masses"
import json
m = json.load(open("sliding.json"))["measures"]
print(m)
assert abs(m["half"][0] - 0.05) <= 1e-11 and abs(m["speed"]) <= 1e-12
assert abs(m["way"] - 0.002) <= 0.51e-3 * 0.1 # v^2 / (2 mu g), with half a step of the first speed
PYTHON
done

# ---- ten thousand masses ---------------------------------------------------------------------------------------

size=10000
[ -z "${CAROM_SANITIZED:-}" ] || size=1000
(
    # the full problem has responses of 3.2 GB and a matrix of 29 GB; a sanitizer's own memory is larger than any bound
    # shellcheck disable=SC3045 # the shells of Debian have ulimit -v
    [ -n "${CAROM_SANITIZED:-}" ] || ulimit -v 800000
    run long.json "$chain" --set n=$size --set friction=1 --set mu=0.1 --set t_end=0.03
) || fail "a chain of $size"
python3 - << 'PYTHON' || fail "a chain of $size"
import json
run = json.load(open("long.json"))
proof, energy = run["certificate"], run["certificate"]["energy"]
print(proof["contact_error"]["max"], run["contacts"]["impacts"], energy["initial"], energy["final"])
assert run["status"] == "ok" and proof["unsolved_steps"] == 0
assert proof["contact_error"]["max"] <= 1e-9 # tol is 1e-10, of velocities of one
assert run["contacts"]["impacts"] > 300
assert energy["final"] < energy["initial"]
PYTHON
refused run 2 "generalized-alpha with so many contacts and a solver of one's choice" -- \
    "$chain" --set n=10000 --set friction=1 --scheme generalized-alpha --solver nsgs
has err "leave the option solver out"
echo "generalized-alpha: friction of large models in the space of velocities"
