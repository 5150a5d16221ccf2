#!/bin/sh
# Joints of bodies: limits, motors and points that make no sense are refused, or end the run where they begin to.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# joint TEXT: a model with one body and this joint
joint() {
    cat > model.lua << LUA
world { gravity = { 0, -9.81 } }
local frame = fixed { "frame", shape = plane { normal = { 0, 1 }, offset = 0 } }
local sled = body { "sled", shape = box { 0.2, 0.2 }, density = 100, at = { 0, 1 }, velocity = { 2, 0 } }
$1
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1 }
measure { speed = sled:speed() }
LUA
}
slider='slider { "guide", frame, sled, at = { 0, 1 }, axis = { 1, 0 }'

# limits: in order, around the start, with a restitution in [0, 1]
joint "$slider, limits = { 1, -1 } }"
refused run 2 "limit 'guide-low' is passed by 1 at the start" -- model.lua
joint "$slider, limits = { 0.5, 1 } }"
refused run 2 "limit 'guide-low' is passed by 0.5 at the start" -- model.lua
joint "$slider, limits = { -1, -0.25 } }"
refused run 2 "limit 'guide-high' is passed by 0.25 at the start" -- model.lua
joint "$slider, limits = { -1, 1, restitution = 2 } }"
refused run 2 "limit 'guide-low': restitution = 2; it must be from 0 to 1" -- model.lua
joint "$slider, limits = { -0.5, 0.5, restitution = 1 } }"
"$CAROM" run model.lua > out 2> err || fail "good limits: $(cat err)"
has out '    speed  2'

# motors: their torque bounds both directions
joint "$slider, motor = { speed = 1, torque = -5 } }"
refused run 2 "motor 'guide-motor': torque = -5" -- model.lua
joint "$slider, motor = { speed = 1, torque = 0.5 - time() } }"
refused run 1 "step 501: motor 'guide-motor': torque = -0.001" -- model.lua
joint "$slider, motor = { speed = 1, torque = sqrt(0.5 - time()) } }"
refused run 1 "speed or torque of motor 'guide-motor' is not a finite number" -- model.lua

# a rod without length has no direction
joint 'distance { "rod", frame, sled, from = { 0, 1 }, to = { 0, 1 } }'
refused run 2 "distance 'rod': from and to are one point" -- model.lua

# a press that nothing withstands: no step and no solver is advised
joint 'driven { "press", shape = box { 4, 0.1 }, at = { 0, 1.3 }, velocity = { 0, -2 } }'
sed -i 's/at = { 0, 1 }, velocity = { 2, 0 }/at = { 0, 0.1 }/' model.lua
refused run 1 'presses from both sides' -- model.lua
if grep -q 'try option' err; then fail 'advice that does not help'; fi

# held twice at one point: rounding is no doubt
joint 'hinge { "a", frame, sled, at = { 0, 1 } } hinge { "b", frame, sled, at = { 0.1, 1 } }'
sed -i 's/velocity = { 2, 0 }/velocity = { 0, 0 }/' model.lua
"$CAROM" run model.lua > out 2> err || fail "$(cat err)"
has out '  trusted '

# a law for a material that nothing is made of
joint 'pair { "steal", "default", friction = 0.5 }'
refused run 2 "pair: no body has the material 'steal'; materials of bodies are" -- model.lua
has err 'model.lua:'
