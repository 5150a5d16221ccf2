#!/bin/sh
# Forces of joints and accelerations as outputs: words of model files, tables, run files, JSON; who has them.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# value FILE KEY: a number of a JSON object of one line
value() {
    sed "s/.*\"$2\":\\([^,}]*\\).*/\\1/" "$1"
}
# near FOUND WANTED TOLERANCE WHAT
near() {
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= t) }' || fail "$4: $1 instead of $2"
}

# a pendulum: the rod pulls with m g cos + m v^2 / l; along the rod the acceleration is zero, and its length stays
cat > pendulum.lua << 'LUA'
local x, y = coordinates("x", "y")
local m, l, g = 3, 2, 9.81
mass(m)
potential(m * g * y)
joint { "rod", hypot(x, y) - l }
initial { x = l * sin(1), y = -l * cos(1) }
integrate { scheme = "generalized-alpha", h = 1e-3, until_t = 1 }
local pull = -m * g * y / l + m * (dot(x)^2 + dot(y)^2) / l
record { rod = reaction "rod", same = reaction("rod", 1), pull = pull, down = acceleration(y) }
measure { wrong = maximum(abs(reaction "rod" + pull)), stretch = maximum(abs(acceleration(hypot(x, y)))),
          newton = maximum(abs(m * acceleration(y) + m * g - reaction "rod" * y / l)) }
plot { "rod", x = time(), y = { reaction "rod", acceleration(x) } }
LUA
"$CAROM" run pendulum.lua --json --csv alpha.csv --out alpha.h5 --at 0,0.5 > alpha.json
near "$(value alpha.json wrong)" 0 1e-4 'the force of the rod'
near "$(value alpha.json stretch)" 0 1e-4 'the acceleration along the rod'
near "$(value alpha.json newton)" 0 1e-6 'mass times acceleration'
[ "$(sed -n 1p alpha.csv)" = t,x,y,v_x,v_y,energy,down,pull,rod,same ] || fail 'the columns of the table'
awk -F, 'NR > 1 { d = $8 + $9; if (d < 0) d = -d; if (d > 1e-4 || $9 != $10) exit 1 }' alpha.csv || fail 'the forces in the table'
last=$(tail -n 1 alpha.csv | cut -d , -f 9)
has alpha.json "\"reactions\":{\"rod\":$last}},\"energy\"" # of the end
has alpha.json '"accelerations":{"x":-4.46010387857'      # of the equations of motion, at the start: -g sin cos
has alpha.json '"records":{"down":-6.9462002332'
"$CAROM" plot alpha.h5 -o pictures > out 2> err || fail "no picture of a run file: $(cat err)"

# moreau-jean works with impulses: means over the step, which are those in its middle
"$CAROM" run pendulum.lua --scheme moreau-jean --json --csv jean.csv > jean.json
awk -F, 'NR == 2 { if ($8 + $9 > 1e-12 || $8 + $9 < -1e-12) exit 1 }
         NR > 2  { d = (before + $8) / 2 + $9; if (d < 0) d = -d; if (d > 1e-4) exit 1 }
         { before = $8 }' jean.csv || fail 'moreau-jean: the mean force of a step'

# without the words the end still has the forces, and nothing else changes
sed '/^record\|^measure\|newton\|^plot/d' pendulum.lua > plain.lua
"$CAROM" run plain.lua --json --at 0.5 > plain.json
has plain.json "\"reactions\":{\"rod\":$last}},\"energy\""
if grep -q accelerations plain.json; then fail 'accelerations that nobody asked for'; fi

# joints with several equations; names that are wrong; words in the equations of motion
sed 's/^joint.*/joint { "pin", x - l * sin(1), y + l * cos(1) }/; /^record/,$d' pendulum.lua > pin.lua
{ cat pin.lua; echo 'measure { lift = reaction("pin", 2), push = reaction "pin_1" }'; } > pinned.lua
"$CAROM" run pinned.lua --json > pinned.json
near "$(value pinned.json lift)" 29.43 1e-9 'a pin carries the weight'
near "$(value pinned.json push)" 0 1e-9 'and nothing else'
{ cat pin.lua; echo 'measure { lift = reaction "pin" }'; } > several.lua
refused run 2 "joint 'pin' has several equations; say which: reaction(\"pin\", 1)" -- several.lua
{ cat pin.lua; echo 'measure { lift = reaction "pim_1" }'; } > wrong.lua
refused run 2 "there is no joint 'pim_1' above this line; did you mean 'pin_1'?" -- wrong.lua
sed 's/^initial/force { x = acceleration(y) }\n&/' pendulum.lua > used.lua
refused run 2 'used.lua' -- used.lua
sed 's/^initial/force { x = reaction "rod" }\n&/' pendulum.lua > used.lua
refused run 2 'used.lua' -- used.lua
echo 'record { a = acceleration(dot(x)) }' >> pin.lua
refused run 2 'acceleration(x), not acceleration(dot(x))' -- pin.lua

# joints that only give a coordinate carry no force: the model that asks for it is refused
cat > inclusion.lua << 'LUA'
local x, z = coordinates("x", "z")
mass { x = 1 }
joint { "given", z - x^3 / 3 }
force { x = -z }
initial { x = 1, z = 1/3 }
integrate { scheme = "dai-theta", h = 1e-3, until_t = 0.1 }
measure { fall = acceleration(x) }
LUA
"$CAROM" run inclusion.lua --json > inclusion.json
if grep -q reactions inclusion.json; then fail 'forces of joints that there are not'; fi
near "$(value inclusion.json fall)" -0.33 0.01 'the acceleration of an inclusion'
echo 'record { force = reaction "given" }' >> inclusion.lua
refused run 2 "inclusion.lua:6: reaction: scheme 'dai-theta' has no forces of joints" -- inclusion.lua
has err 'moreau-jean, event-driven or generalized-alpha'
"$CAROM" show pendulum.lua --json > show.json
has show.json '"schemes":["moreau-jean","event-driven","generalized-alpha"]'

# free fall, and an impact: event-driven has the acceleration on either side, and none at the impact itself
cat > fall.lua << 'LUA'
local y = coordinates("y")
mass(1)
force { y = -9.81 }
contact { "floor", gap = y, restitution = 0.5 }
initial { y = 1 }
integrate { scheme = "event-driven", h = 1e-3, until_t = 1 }
measure { most = maximum(acceleration(y)), least = minimum(acceleration(y)), at_impact = at(acceleration(y), first(impact "floor")) }
LUA
"$CAROM" run fall.lua --json > fall.json
has fall.json '"at_impact":null,"least":-9.8100000000000005,"most":-9.8100000000000005'
"$CAROM" run fall.lua --scheme moreau-jean --json > fall.json
near "$(value fall.json most)" 6645 10 'the impact spread over its step'
