#!/bin/sh
# carom impact on systems of files and models.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/impact_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/impact_helpers.sh"

# a file: names in the table, options are stronger
cat > block.json << 'JSON'
{"M": [2, 0.5],
 "W": [[1, 1],
       [-0.4, 0.4]],
 "velocity": [-1, 0.3],
 "restitution": 0.5,
 "stiffness": 2, "exponent": [1, 1], "rate": 0,
 "names": ["left", "right"]}
JSON
"$CAROM" impact --system block.json > out
has out 'block.json, law moreau: ok'
grep -qE '^ +left +0\.5 +-1\.12 +0\.56 +1\.78125$' out || fail 'no line of the contact left'
impact 0 -- --system block.json --restitution 0
near gamma_after 1e-12 0 0
impact 0 -- --system block.json --velocity -1,0
near gamma_after 1e-12 0.5 0.5
# an obstacle that moves: only relative velocity counts
echo '{"M": [1], "W": [[1]], "velocity": [0], "restitution": 1, "rate": [-1]}' > moving.json
impact 0 -- --system moving.json
near velocity 1e-15 2
near gamma_after 1e-15 1
# opposed contacts: a gap without play has no velocity after the impact when one side must rebound
echo '{"M": [1], "W": [[1, -1]], "velocity": [-1], "restitution": [0.5, 0]}' > gap.json
impact 1 -- --system gap.json --law newton
has out.json '"status":"infeasible"'
has err 'no velocity after the impact satisfies all contacts'

# what is wrong with a file is told with its line
bad() { # bad TEXT JSON
    printf '%s' "$2" > bad.json
    refused impact 2 "$1" -- --system bad.json
}
refused impact 2 "cannot read 'none.json'" -- --system none.json
bad 'bad.json is empty' ''
bad 'bad.json:1: not JSON' '{"M": [1'
bad 'bad.json:2: not JSON' '{"M": [1],
 "W": [[NaN]]}'
bad 'needs an object such as' '[1, 2]'
bad 'the key "M" is missing' '{"W": [[1]]}'
bad 'the key "W" is missing' '{"M": [1]}'
bad "bad.json:2: key 'masses' is not known" '{"M": [1],
 "masses": [[1]]}'
bad "did you mean 'velocity'" '{"M": [1], "W": [[1]], "velocty": [1]}'
bad 'bad.json:2: "W[2]": needs 2 numbers' '{"M": [1, 1],
 "W": [[1, 0], [1]], "velocity": [0, 0], "restitution": 0}'
bad '"M[2][1]": needs a number; got a text' '{"M": [[1, 0], ["0", 1]], "W": [[1], [1]]}'
bad 'needs 2 numbers, one per coordinate; got 1' '{"M": [1, 1], "W": [[1], [1]], "velocity": [0], "restitution": 0}'
bad 'the key "velocity" is missing: 2 numbers' '{"M": [1, 1], "W": [[1], [1]], "restitution": 0}'
bad 'the key "restitution" is missing' '{"M": [1, 1], "W": [[1], [1]], "velocity": [0, 0]}'
bad 'column 2 is zero' '{"M": [1, 1], "W": [[1, 0], [1, 0]], "velocity": [0, 0], "restitution": 0}'
bad 'not symmetric' '{"M": [[1, 0.5], [0, 1]], "W": [[1], [1]], "velocity": [-1, 0], "restitution": 0}'
bad 'ositive definite' '{"M": [[1, 2], [2, 1]], "W": [[1], [1]], "velocity": [-1, 0], "restitution": 0}'
refused impact 2 '--masses is for chains of balls' -- --system block.json --masses 1,1
refused impact 2 '--wall is for chains of balls' -- --system block.json --wall
refused impact 2 'one system at a time' -- model.lua --system block.json
# hostile: deep, long, one contact against a million
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "["; print "" }' > deep.json
refused impact 2 'not JSON' -- --system deep.json
awk 'BEGIN { printf "{\"M\": ["; for (i = 1; i < 1000000; i++) printf "1,"; print "1], \"W\": [[1]]}" }' > long.json
refused impact 2 'needs 1000000 rows' -- --system long.json
awk 'BEGIN { printf "{\"M\": [1], \"velocity\": [-1], \"restitution\": 0, \"W\": [["; for (i = 1; i < 200000; i++) printf "1,"; print "1]]}" }' > wide.json
refused impact 2 'at most 1e+08 pairs' -- --system wide.json

# a model: its closed contacts at the start
cat > cradle.lua << 'LUA'
local e = param { "e", 0.5, min = 0, max = 1 }
local gap3 = param { "gap3", 0.1 }
local x, y, z = coordinates("x", "y", "z")
kinetic((dot(x)^2 + 2 * dot(y)^2 + 3 * dot(z)^2) / 2)
contact { "xy", gap = y - x - 1, restitution = e }
contact { "yz", gap = z - y - 1, restitution = e }
contact { "wall", gap = 2 + gap3 - z, restitution = e }
initial { x = 0, y = 1, z = 2, [dot(x)] = 2, [dot(y)] = 0.5, [dot(z)] = -1 }
integrate { scheme = "moreau-jean", h = 0.01, until_t = 1 }
LUA
impact 0 -- cradle.lua --set e=0.6
cp out.json model.json
impact 0 -- --masses 1,2,3 --velocity 2,0.5,-1 --restitution 0.6
for key in velocity impulses energy_after; do
    [ "$(values $key model.json)" = "$(values $key out.json)" ] || fail "a model and a chain differ in $key"
done
"$CAROM" impact cradle.lua > out
grep -qE '^ +z +3 +-1 ' out || fail 'the coordinates have no names'
grep -qE '^ +xy +0\.5 +-1\.5 ' out || fail 'the contacts have no names'
if grep -q wall out; then fail 'an open contact takes part'; fi
"$CAROM" impact cradle.lua --set gap3=0 --velocity 0,0,1 > out 2> err
grep -qE '^ +wall +0\.5 +-1 ' out || fail 'a closed contact takes no part'
"$CAROM" impact cradle.lua --gap-tolerance 0.2 > out 2> err
grep -qE '^ +wall +0\.5 ' out || fail '--gap-tolerance does nothing'
sed 's/y = 1, z = 2/y = 2, z = 4/; s/2 + gap3/5 + gap3/' cradle.lua > open.lua
refused impact 2 'nothing to solve: all gaps are open' -- open.lua
sed 's/, restitution = e//' cradle.lua > silent.lua
refused impact 2 "contact 'xy' of silent.lua has no restitution in the model: give --restitution" -- silent.lua
impact 0 -- silent.lua --restitution 0.6
near velocity 1e-12 -1.2 -0.3 0.6
refused impact 2 'unknown parameter' -- cradle.lua --set f=1
refused impact 2 '--velocity: expected 3 values, one per coordinate; got 1' -- cradle.lua --velocity 1
refused impact 2 '--restitution: expected 1 or 2 values, one per contact; got 3' -- cradle.lua --restitution 1,1,1
refused impact 2 '--wall is for chains of balls, not for models' -- cradle.lua --wall
# stiffness and exponent are those of the model
sed 's/restitution = e }/restitution = e, stiffness = 5, exponent = 2 }/; s/"yz".*/"yz", gap = z - y - 1, restitution = e, stiffness = 70, exponent = 2 }/' \
    cradle.lua > stiff.lua
for law in lzb newton; do
    impact 0 -- stiff.lua --law $law
    cp out.json model.json
    impact 0 -- cradle.lua --law $law --stiffness 5,70 --exponent 2
    for key in velocity impulses peak_forces; do
        [ "$(values $key model.json)" = "$(values $key out.json)" ] || fail "$law: stiffness of the model and of the options differ in $key"
    done
done
impact 0 -- cradle.lua --law lzb
impact 0 -- stiff.lua --law lzb
[ "$(values velocity model.json)" != "$(values velocity out.json)" ] || fail 'stiffness does nothing'
# what the laws cannot have is not left out in silence
sed 's/^local gap3/local mu = param { "mu", 0.2 }\nlocal gap3/; s/"xy", gap = y - x - 1, /"xy", gap = y - x - 1, slip = dot(z), friction = mu, /' cradle.lua > rough.lua
refused impact 2 "contact 'xy' of rough.lua has friction (its first coefficient is 0.2)" -- rough.lua
impact 0 -- rough.lua --set mu=0
# joints take part: two masses on a rod, of which the first strikes the floor (G = 0.5 (1 - 0.36 * 0.6), p = 1.5 / G)
cat > rod.lua << 'LUA'
local tilt = param { "tilt", 0 }
local x1, y1, x2, y2 = coordinates("x1", "y1", "x2", "y2")
mass { x1 = 2, y1 = 2, x2 = 3, y2 = 3 }
joint { "rod", ((x2 - x1)^2 + (y2 - y1)^2 - 1) / 2 }
contact { "floor", gap = y1, restitution = 0.5 }
initial { x1 = 0, y1 = 0, x2 = 0.8, y2 = 0.6 + tilt, [dot(y1)] = -1, [dot(y2)] = -1 }
integrate { scheme = "moreau-jean", h = 0.01, until_t = 1 }
LUA
for law in moreau newton poisson binary; do
    impact 0 -- rod.lua --law $law
    near impulses 1e-12 3.8265306122448979
    near velocity 1e-12 -0.55102040816326525 0.5 0.36734693877551017 -0.72448979591836737
    near joint_residual 1e-14 0
done
grep -q '"joint_impulses":{"rod":1\.37755102040816' out.json || fail 'the impulse of the rod is wrong'
"$CAROM" impact rod.lua > out
grep -qE '^ +rod +1\.377551 *$' out || fail 'the impulse of the rod is not shown'
refused impact 2 "the initial position of rod.lua does not satisfy joint 'rod': its value is 0.065" -- rod.lua --set tilt=0.1
refused impact 2 "the initial velocity of rod.lua does not satisfy joint 'rod': its rate is -0.8" -- rod.lua --velocity 1,0,0,0
refused impact 2 'the geometry of an impact with joints (here 1) is not known' -- rod.lua --audit
# a mass matrix that is full, and a wall that comes nearer
cat > pendulum.lua << 'LUA'
local a, b = coordinates("a", "b")
kinetic((2 * dot(a)^2 + 2 * cos(a - b) * dot(a) * dot(b) + dot(b)^2) / 2)
contact { "wall", gap = sin(a) + sin(b) - time(), restitution = 1 }
initial { a = 0, b = 0 }
integrate { scheme = "moreau-jean", h = 0.01, until_t = 1 }
LUA
impact 0 -- pendulum.lua # M = [[2,1],[1,1]], w = (1,1): M^-1 w = (0,1), G = 1, p = 2
near velocity 1e-12 0 2
near gamma_after 1e-12 1
echo "impact: all systems as they should be"
