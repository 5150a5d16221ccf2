#!/bin/sh
# carom orbit by shooting: nonlinear chains, a ball, a driven oscillator.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/orbit_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/orbit_helpers.sh"
write_chain

# reference values of spec 50, section 7.7: period, eps, u1, v2, energy
while read -r period eps u1 v2 energy; do
    "$CAROM" orbit chain.lua --period "$period" --impacts wall --set eps="$eps" --json > out.json
    near "u1 at T = $period, eps = $eps" "$(number out.json '"q":{' '"u1":')" "$u1" 2e-9
    near "v2 at T = $period, eps = $eps" "$(number out.json '"v":{' '"u2":')" "$v2" 2e-9
    near "energy at T = $period, eps = $eps" "$(number out.json '"energy":')" "$energy" 2e-9
    has out.json '"method":"shooting","guess":"the motion of the model linearised at its rest'
done << 'TABLE'
4.4 0.1 0.747394662 -0.804081613 0.784146839
4.4 0.5 0.715926860 -0.770876222 0.742625367
4.4 1   0.691759071 -0.743564048 0.714021798
4.8 1   0.612137444 -0.267203958 0.548656951
3.6 0.2 -0.331083967 -1.174395723 2.383163470
TABLE
# At eps = 0.5 the path from the linear motion is lost, as that section says, but a branch from a longer period
# comes by: the event-driven scheme returns to the motion after one period
"$CAROM" orbit chain.lua --period 3.6 --impacts wall --set eps=0.5 --verify 1 --json > out.json
has out.json '"guess":"the branch that the linearised model gives at period'
near 'deviation after a period' "$(number out.json '"deviation":[')" 0 1e-8
# a run that never strikes is no guess
refused orbit 1 'a run from the initial state strikes no such contact' -- chain.lua --period 3.6 --impacts wall --guess run

# two impacts with a cubic spring of no strength: as the linear chain (section 7.3)
"$CAROM" orbit chain.lua --period 3.83 --impacts wall,wall --json > out.json
near 'energy of two impacts' "$(number out.json '"energy":')" 21.6935168194 1e-7
near 'multiplier of two impacts' "$(number out.json '"largest_multiplier":')" 2.4602330 1e-5

# a ball has no rest: the guess is a run. v = g T / 2, impulse m g T
cat > ball.lua << 'LUA'
local y = coordinates("y")
mass(2)
potential(2 * 9.81 * y)
contact { "floor", gap = y, restitution = 1 }
initial { y = 1 }
integrate { scheme = "event-driven", h = 0.01, until_t = 1 }
LUA
"$CAROM" orbit ball.lua --period 0.7 --impacts floor --verify 5 --json > out.json
near 'velocity of the ball' "$(number out.json '"v":{' '"y":')" 3.4335 1e-9
near 'impulse of the ball' "$(number out.json '"impulse":')" 13.734 1e-8
has out.json '"guess":"a run from the initial state'
has out.json '"stays":true'
# nothing to pull it back: no linearised model
refused orbit 1 'the model has no rest with open gaps' -- ball.lua --period 0.7 --impacts floor --guess linear

# a driven oscillator: the product of its multipliers, a complex pair, is e^2 exp(-c T)
cat > driven.lua << 'LUA'
local om = param { "om", 1.6, min = 0 }
local x = coordinates("x")
mass(1)
potential(x ^ 2 / 2)
force { x = cos(om * time()) - 0.1 * dot(x) }
contact { "wall", gap = 0.2 - x, restitution = 0.8 }
initial { x = 0 }
integrate { scheme = "event-driven", h = 0.01, until_t = 1 }
LUA
T=3.92699081698724154808
"$CAROM" orbit driven.lua --period $T --impacts wall --settle 40 --verify 10 --json > out.json
modulus=$(awk -v T=$T 'BEGIN { printf "%.12g", 0.8 * exp(-0.05 * T) }')
near 'multiplier of the driven oscillator' "$(number out.json '"largest_multiplier":')" "$modulus" 1e-7
has out.json '"stays":true'
"$CAROM" continue driven.lua --param om --from 1.6 --to 1.5 --frequency om --period $T --impacts wall --settle 40 --json > out.json
has out.json '"end":"range"'
near 'period of the driven oscillator' "$(sed 's/.*"parameter"//' out.json | number - '"period":')" \
    "$(sed 's/.*"parameter":\([^,]*\),.*/\1/' out.json | awk '{ printf "%.12g", 8 * atan2(1, 1) / $1 }')" 1e-9
