#!/bin/sh
# What a certificate compares with: the same verdict at rest, in a frame that moves, for any unit of a gap, and far from zero.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# run MODEL OPTIONS: what it says is in `out`
run() {
    "$CAROM" run "$@" > out 2> err || fail "$*: $(cat err)"
}
lacks() { # lacks FILE TEXT
    if grep -qF -- "$2" "$1"; then fail "$1 has '$2': $(cat "$1")"; fi
}

# Nothing moves: blocks that stand on each other, as bodies and as coordinates.
cat > tower.lua << 'LUA'
world { gravity = { 0, -8 } }
pair { friction = 0.4, restitution = 0 }
fixed { "ground", shape = plane { normal = { 0, 1 }, offset = 0 } }
for i = 1, 12 do body { "b" .. i, shape = box { 0.3, 0.1 }, mass = 2, at = { 0, 0.1*i - 0.05 } } end
integrate { scheme = "moreau-jean", h = 2e-3, until_t = 1 }
LUA
run tower.lua
has out '  trusted '
lacks out 'energy-gain'
cat > rests.lua << 'LUA'
local x, y = coordinates("x", "y")
mass { x = 3, y = 1 }
potential(1e6 + 8*(3*x + y))
contact { "floor", gap = x } contact { "top", gap = y - x - 0.25 }
initial { x = 0, y = 0.25 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1 }
LUA
run rests.lua
has out '  trusted '
# ... and one that falls while it stands on nothing is not excused by its weight
cat > gains.lua << 'LUA'
local x = coordinates("x")
mass(1)
potential(500*x^2 + 9.81*x)
initial { x = 0.1 }
integrate { scheme = "dai-euler", h = 1e-3, until_t = 1 }
LUA
run gains.lua
has out 'energy: the discretisation itself gained'

# ... nor are stiff springs that a partner presses slowly: forces of one step would give them fifty times the energy they get
run elastic/block
has out 'energy: the discretisation itself lost'

# A pendulum that turns back soon after the start: its energy relative to the mean motion so far is no scale
run bruls-2018/bouncing-pendulum-pvv
has out 'energy: the discretisation itself lost'

# A frame: a bead in a ring, and a block that a spring pulls over a floor with a damper, both carried along.
cat > ring.lua << 'LUA'
local V = param { "V", 0 }
local x, y = coordinates("x", "y")
mass(2)
local X = x - V*time()
contact { "ring", gap = 3 - hypot(X, y) }
initial { x = 0, y = -3, [dot(x)] = 2 + V }
integrate { scheme = "moreau-jean", h = 0.1, until_t = 6 }
LUA
cat > pulled.lua << 'LUA'
local V = param { "V", 0 }
local x = coordinates("x")
mass(1)
local X = x - V*time()
potential(50*X^2)
force { x = cos(7*time()) - 0.2*(dot(x) - V) }
initial { x = 0.25, [dot(x)] = V }
integrate { scheme = "moreau-jean", h = 0.01, until_t = 5 }
LUA
for model in ring pulled; do
    for V in 0 -64 1024; do
        run $model.lua --set V=$V
        grep -E '^  (doubt|trusted)' out | sed 's/ works.*//; s/[0-9.]* %.*//' > $model$V
        cmp $model$V ${model}0 || fail "$model: V = $V: $(cat $model$V), V = 0: $(cat ${model}0)"
    done
done

# The unit of a gap, and of a joint: a multiple of it is the same.
cat > box.lua << 'LUA'
local k = param { "k", 1 }
local x, y = coordinates("x", "y")
mass(1)
contact { "left", gap = k*x, restitution = 0.5 }
contact { "below", gap = y, restitution = 0.5 }
initial { x = 0.97, y = 2, [dot(x)] = -1, [dot(y)] = -1 }
integrate { scheme = "paoli-schatzman", h = 0.1, until_t = 1.8 }
LUA
for k in 1 1e-6 1024; do
    run box.lua --set k=$k
    # the violation is printed in the unit of its gap
    grep '^  doubt ' out | sed 's/violated by [^ ]*/violated by/' > box$k
    has box$k "penetration: contact 'left' is violated by"
    cmp box$k box1 || fail "box: $(cat box$k box1)"
done
cat > drum.lua << 'LUA'
local form = param { "form", 0 }
local x, y = coordinates("x", "y")
mass(1)
potential(8*y)
contact { "wall", gap = form*1000*(3600 - x^2 - (y + 60)^2) + (1 - form)*(60 - hypot(x, y + 60)) }
initial { x = 0, y = 0, [dot(x)] = 20 }
integrate { scheme = "elast", h = 0.1, until_t = 20 }
LUA
for form in 0 1; do
    run drum.lua --set form=$form
    has out '  trusted '
done
cat > rope.lua << 'LUA'
local k = param { "k", 1 }
local x, y = coordinates("x", "y")
mass(1)
potential(9.81*y)
joint { "rope", k*(hypot(x, y) - 1) }
initial { x = 1 }
integrate { scheme = "moreau-jean", h = 0.02, until_t = 2 }
LUA
if "$CAROM" check rope.lua > /dev/null 2>&1; then
    for k in 1 1e6; do
        run rope.lua --set k=$k
        grep -E '^  (doubt|trusted)' out | sed 's/ works.*//' > rope$k
    done
    cmp rope1 rope1e6 || fail "rope: $(cat rope1 rope1e6)"
fi

# A start that is projected is no work, and a warning.
cat > swing.lua << 'LUA'
world { gravity = { 0, -8 } }
local ground = fixed { "ground", at = { 0, 0 } }
local arm = body { "arm", mass = 2, inertia = 0.5, at = { 1, 0 }, velocity = { 3, 1 } }
hinge { "pin", arm, ground, at = { 0, 0 } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.1, initial = "project" }
LUA
run swing.lua
has out '  trusted '
has out "initial=project: the joints changed the initial velocity, most that of 'arm.x'"
for length in 1e-6 1e6; do # spins are compared with speeds
    run swing.lua --units L=$length
    has out "initial=project: the joints changed the initial velocity, most that of 'arm.x'"
done

# Works of forces on bodies: a mass that a force pulls against the damper of its slider. The force is constant, so its work is the way;
# the damper takes what is not in the kinetic energy.
cat > pulls.lua << 'LUA'
world { gravity = { 0, 0 } }
local ground = fixed { "ground" }
local cart = body { "cart", mass = 2, inertia = 1, at = { 0, 0 } }
slider { "rail", ground, cart, at = { 0, 0 }, axis = { 1, 0 }, damper = 40 }
force { cart, { 8, 0 } }
integrate { scheme = "moreau-jean", h = 1e-2, until_t = 1 }
LUA
run pulls.lua
has out '  trusted '

# ... and an arm whose joints are put right at the end of each step: a constant force works along the way of the positions.
# With a damper the balance closes as well.
cat > arm.lua << 'LUA'
local c = param { "c", 0 }
world { gravity = { 0, -8 } }
local ground = fixed { "ground" }
local arm = body { "arm", mass = 2, inertia = 0.5, at = { 0, -1 } }
local tip = body { "tip", mass = 1, inertia = 0.1, at = { 0.5, -1.5 } }
hinge { "pin", arm, ground, at = { 0, 0 } }
hinge { "elbow", arm, tip, at = { 0, -2 }, damper = c }
force { tip, { 30, 0 } }
integrate { scheme = "moreau-jean", h = 2e-2, until_t = 3 }
measure { way = tip.x - 0.5 }
LUA
for c in 0 0.5; do
    run arm.lua --set c=$c --json
    python3 -c '
import json
run = json.load(open("out"))
energy, force = run["certificate"]["energy"], 30 * run["measures"]["way"]
assert abs(energy["scheme"]) < 1e-10 * energy["scale"], energy
assert run["params"]["c"] > 0 or abs(energy["forces"] - force) < 1e-10 * energy["scale"], (energy, force)
assert run["params"]["c"] == 0 or energy["forces"] < force - 1, (energy, force)' || fail "arm.lua, c = $c: works"
done

# A slow damping gives no length: its time is no measure of a motion.
cat > slow.lua << 'LUA'
local c = param { "c", 0 }
local y = coordinates("y")
mass(1)
potential(8*y)
force { y = -c*dot(y) }
contact { "floor", gap = y, restitution = 0.5 }
initial { y = 1 }
integrate { scheme = "event-driven", h = 0.05, until_t = 0.25 }
LUA
for c in 0 5e-9 5e-7; do
    run slow.lua --set c=$c
    has out 'y = 0.75'
done

# Far from zero a step is below the last digit of the position; nearer it is not, and what rests or turns is no reason.
cat > far.lua << 'LUA'
local at = param { "at", 0 }
local x, y = coordinates("x", "y")
mass(1)
potential(8*y)
contact { "floor", gap = y }
initial { x = at, [dot(x)] = 2, y = 0 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 5 }
LUA
run far.lua --set at=1e14
has out 'rounding: positions cannot resolve the step'
for at in 0 1e3 1e9; do
    run far.lua --set at=$at
    has out '  trusted '
done

# A closed contact whose rate is zero but for rounding is no impact.
cat > rate.lua << 'LUA'
local x, y = coordinates("x", "y")
mass(1)
contact { "slope", gap = (0.1 + 0.2)*x - 0.3*y }
initial { x = 0, y = 0, [dot(x)] = -1, [dot(y)] = -1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.1 }
LUA
for scheme in moreau-jean inel; do
    run rate.lua --scheme $scheme
    lacks out 'is closed at the start and closing'
done
