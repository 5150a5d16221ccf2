#!/bin/sh
# Bodies without a shape, hinged at their centre or beside it, reach the speed of a motor.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > plane.lua << 'LUA'
local at = setting { "at", 0 }
world { gravity = { 0, 0 } }
local base = fixed { "base", shape = plane { normal = { 0, 1 }, offset = -9 } }
local rotor = body { "rotor", mass = 2, inertia = 0.3, at = { 0, 0 } }
hinge { "axle", base, rotor, at = { at, 0 }, motor = { speed = 3, torque = 100 } }
integrate { h = 0.01, until_t = 0.5 }
measure { spin = final(rotor.wz) }
LUA
cat > space.lua << 'LUA'
local at = setting { "at", 0 }
world { gravity = { 0, 0, 0 } }
local base = fixed { "base", shape = plane { normal = { 0, 0, 1 }, offset = -9 } }
local rotor = body { "rotor", mass = 2, inertia = { 0.2, 0.25, 0.3 }, at = { 0, 0, 0 } }
hinge { "axle", base, rotor, at = { at, 0, 0 }, axis = { 0, 0, 1 }, motor = { speed = 3, torque = 100 } }
integrate { h = 0.01, until_t = 0.5 }
measure { spin = final(rotor.wz) }
LUA
for model in plane space; do
    for at in 0 0.1; do
        "$CAROM" run $model.lua --json --quiet --set at=$at > run.json 2> err || fail "$model at=$at: $(cat err)"
        python3 -c '
import json, sys
spin = json.load(open("run.json"))["measures"]["spin"]
sys.exit(not abs(spin - 3) < 1e-2)' || fail "$model at=$at: the rotor does not turn with 3 rad/s"
    done
done
echo "rotors turn"
