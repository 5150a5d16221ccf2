#!/bin/sh
# Joints of sparse models in moreau-jean: the step against the full one, closed values of cables, energy and drift, what goes wrong in
# words, and a run that is resumed.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
cable="$CAROM_SOURCE_DIR/bench/cable.lua"

# run FILE MODEL OPTIONS: the JSON of a run
run() {
    file=$1
    model=$2
    shift 2
    "$CAROM" run "$model" --json --quiet "$@" > "$file" 2> err || fail "$model $*: $(cat err)"
}

# ---- the full step, which a solver by name has ------------------------------------------------------------------------------

# same TOLERANCE: positions, velocities and impacts of sparse.json and full.json
same() {
    python3 - "$1" << 'PYTHON' || fail "sparse and full differ: $*"
import json, sys
a, b = (json.load(open(name)) for name in ("sparse.json", "full.json"))
worst = max(abs(x - b["final"][kind][name]) for kind in "qv" for name, x in a["final"][kind].items())
print("worst difference %g, impacts %s" % (worst, a["contacts"]["impacts"]))
assert worst <= float(sys.argv[1]) and a["contacts"]["impacts"] == b["contacts"]["impacts"]
assert a["certificate"]["unsolved_steps"] == 0
PYTHON
}
for option in joints=theta joints=end theta=0.8 projection=on; do
    run sparse.json "$cable" --set n=40 --set hung=1 --option $option
    run full.json "$cable" --set n=40 --set hung=1 --option $option --solver nsgs
    same 1e-11 "$option, hung"
done
run sparse.json "$cable" --set n=36 --set mu=0
run full.json "$cable" --set n=36 --set mu=0 --solver active-set
same 1e-11 "without friction"
run sparse.json "$cable" --set n=36
run full.json "$cable" --set n=36 --solver nsgs --tolerance 1e-13
same 1e-10 "with friction"
# (later on the solver of the full step misses its tolerance)
run sparse.json "$cable" --set n=36 --set e=0.5 --set t_end=0.015
run full.json "$cable" --set n=36 --set e=0.5 --set t_end=0.015 --solver nsgs --tolerance 1e-13
same 1e-10 "with friction and restitution"

# ---- closed values ------------------------------------------------------------------------------------------------------------

# A cable at rest between two points: its horizontal tension is the same everywhere, the vertical one grows by a weight at each mass.
cat > hanging.lua << 'LUA'
local n, H, w, l = setting { "n", 200, integer = true }, 30, 0.3, 0.1
local x, y, start, T, V, X, Y = {}, {}, {}, 0, 0, 0, 0
local function rod(i, a, b) joint { "rod" .. i, (a^2 + b^2 - l^2) / (2 * l) } end
local function slope(i) return math.atan((i - (n + 2) / 2) * w / H) end -- rods 1 to n + 1
for i = 1, n do
  x[i], y[i] = coordinates("x" .. i), coordinates("y" .. i)
  X, Y = X + l * math.cos(slope(i)), Y + l * math.sin(slope(i))
  start[x[i]], start[y[i]] = X, Y
  T = T + w / 9.81 * (dot(x[i])^2 + dot(y[i])^2) / 2
  V = V + w * y[i]
  rod(i, x[i] - (x[i - 1] or 0), y[i] - (y[i - 1] or 0))
end
rod(n + 1, x[n] - X - l * math.cos(slope(n + 1)), y[n] - Y - l * math.sin(slope(n + 1)))
kinetic(T)
potential(V)
initial(start)
local off = 0
for _, i in ipairs { 1, n // 3, n + 1 } do off = max(off, abs(abs(reaction("rod" .. i)) * math.cos(slope(i)) / H - 1)) end
record { off = off }
measure { off = final(off), speed = final(abs(dot(y[n // 2])) + abs(dot(x[n // 3]))) }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.05 }
LUA
# A straight cable upright: all of it strikes the floor with its first mass, and each rod carries what is above it.
cat > upright.lua << 'LUA'
local n, e = setting { "n", 300, integer = true }, setting { "e", 0.5 }
local y, start, T = {}, {}, 0
local x = coordinates("x")
T = dot(x)^2 / 2
for i = 1, n do
  y[i] = coordinates("y" .. i)
  start[y[i]], start[dot(y[i])] = 0.0005 + 0.1 * (i - 1), -2
  T = T + dot(y[i])^2 / 2
  if i > 1 then joint { "rod" .. i, ((y[i] - y[i - 1])^2 - 0.01) / 0.2 } end
end
contact { "floor", gap = y[1], restitution = e }
kinetic(T)
initial(start)
measure { v1 = final(dot(y[1])), vn = final(dot(y[n])), p = total(impulse "floor") }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.002 }
LUA
# A straight cable lies on a floor and slides along itself: it slows down by mu g until it rests.
cat > sliding.lua << 'LUA'
local n, mu, g = setting { "n", 100, integer = true }, 0.25, 10
local x, y, start, T, V = {}, {}, {}, 0, 0
for i = 1, n do
  x[i], y[i] = coordinates("x" .. i), coordinates("y" .. i)
  start[x[i]], start[y[i]], start[dot(x[i])] = 0.1 * i, -1e-9, 0.1 -- closed whatever rounding says
  T = T + (1 + i % 3) * (dot(x[i])^2 + dot(y[i])^2) / 2
  V = V + (1 + i % 3) * g * y[i]
  if i > 1 then joint { "rod" .. i, ((x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 - 0.01) / 0.2 } end
  contact { "floor" .. i, gap = y[i], slip = dot(x[i]), friction = mu }
end
kinetic(T)
potential(V)
initial(start)
measure { way = final(x[n] - 0.1 * n), half = at(dot(x[1]), 0.02), speed = final(dot(x[1])) }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.06 }
LUA
many=2000
[ -z "${CAROM_SANITIZED:-}" ] || many=400
for n in 40 $many; do
    run hanging.json hanging.lua --set "n=$n"
    run upright.json upright.lua --set "n=$((n + 30))"
    run sliding.json sliding.lua --set "n=$n"
    python3 - $((n + 30)) << 'PYTHON' || fail "closed values of $n masses"
import json, sys
n = int(sys.argv[1])
hanging, upright, sliding = (json.load(open(name + ".json"))["measures"] for name in ("hanging", "upright", "sliding"))
print(hanging, upright, sliding)
assert hanging["off"] <= 1e-9 and hanging["speed"] <= 1e-9
assert abs(upright["v1"] - 1) <= 1e-11 and abs(upright["vn"] - 1) <= 1e-11 and abs(upright["p"] / (3 * n) - 1) <= 1e-11
assert abs(sliding["half"][0] - 0.05) <= 1e-12 and abs(sliding["speed"]) <= 1e-13
assert abs(sliding["way"] - 0.1**2 / (2 * 0.25 * 10)) <= 1e-12 # the theta method with 1/2 is exact, and 0.04 s are 40 steps
PYTHON
done

# ---- laws, energy and drift of a long one ---------------------------------------------------------------------------------------

run long.json "$cable" --set "n=$many" --set t_end=0.02
run swing.json "$cable" --set "n=$many" --set hung=1 --set t_end=0.1
run half.json "$cable" --set "n=$many" --set hung=1 --set t_end=0.1 --set h=5e-4
run held.json "$cable" --set "n=$many" --set hung=1 --set t_end=0.1 --option projection=on
MANY=$many python3 - << 'PYTHON' || fail "a cable of $many"
import json
import os
long, swing, half, held = (json.load(open(name + ".json")) for name in ("long", "swing", "half", "held"))
proof, energy = long["certificate"], long["certificate"]["energy"]
print(proof["contact_error"], proof["joints"], energy["scheme"] / energy["scale"], long["contacts"]["impacts"])
assert long["status"] == "ok" and proof["unsolved_steps"] == 0 and proof["contact_error"]["max"] <= 1e-10
assert energy["contacts"] < 0 and energy["final"] < energy["initial"] and long["contacts"]["impacts"] > int(os.environ["MANY"]) / 4
drift, finer = (run["certificate"]["joints"]["drift"] for run in (swing, half))
off, less = (abs(run["certificate"]["energy"]["scheme"] / run["certificate"]["energy"]["scale"]) for run in (swing, half))
print(drift, finer, off, less, held["certificate"]["joints"])
assert drift < 1e-4 and finer < 0.3 * drift and less < 0.3 * off # of second order
assert held["certificate"]["joints"]["drift"] < 1e-12
PYTHON

# ---- what goes wrong ----------------------------------------------------------------------------------------------------------------

# Two rods that come into line, whose ends are held: at that position their joints depend on each other. And a contact of what a joint
# holds.
cat > wrong.lua << 'LUA'
local kind, extra = setting { "kind", 0, integer = true }, setting { "extra", 100, integer = true }
local x, y, z = coordinates("x", "y", "z")
local T, V = dot(x)^2 + dot(y)^2 + dot(z)^2, 0
for i = 1, extra do
  local w = coordinates("w" .. i)
  T, V = T + dot(w)^2 / 2, V + w^2 / 2
end
if kind == 0 then
  joint { "a", x * (1 - time() / 0.01) + y }
  joint { "b", y }
else
  joint { "a", z - y }
  contact { "held", gap = y - z }
end
kinetic(T)
potential(V)
initial { w1 = 0.1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.02 }
LUA
for extra in 5 100; do
    refused run 1 "joint 'b' depends on the others: remove one of 'a', 'b'" -- wrong.lua --set "extra=$extra"
    has err "singular position"
    refused run 1 "the joints hold contact 'held'" -- wrong.lua --set "extra=$extra" --set kind=1
done

# ---- a run that goes on where it ended has the same bits: a band, and with a rod around the cable KLU's factors ---------------------------

sed 's/^kinetic/joint { "loop", (x[1] - x[n])^2 + (y[1] - y[n])^2 - (along[1] - along[n])^2 - (above[1] - above[n])^2 }\n&/' \
    "$cable" > loop.lua
for model in "$cable" loop.lua; do
    for hung in 0 1; do
        set -- --set n=60 --set "hung=$hung" --option projection=on --quiet
        "$CAROM" run "$model" "$@" --until 0.012 --out parts.h5 || fail "the first part"
        "$CAROM" resume parts.h5 --until 0.03 --quiet || fail "the second part"
        "$CAROM" run "$model" "$@" --until 0.03 --out whole.h5 || fail "the whole"
        cmp parts.h5 whole.h5 || fail "$model, hung $hung: other bits when it is resumed"
        rm -f parts.h5 whole.h5
    done
done

# ---- ten thousand: nothing of joints x coordinates -----------------------------------------------------------------------------------

[ -n "${CAROM_SANITIZED:-}" ] || within 1500 "$CAROM" run "$cable" --set n=10000 --set mu=0 --set t_end=0.003 --quiet || fail "a cable of 10,000 masses"
echo "sparse joints are right"
