#!/bin/sh
# carom orbit and carom continue on what is driven: periods of the force, restitution below 1, special points by name, what
# branches off, loci, and motions without impacts; and many contacts.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/orbit_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/orbit_helpers.sh"

cat > driven.lua << 'LUA'
local w = param { "w", 2.2, min = 0 }
local e = param { "e", 0.8, min = 0, max = 1 }
local c = param { "c", 0.05, min = 0 }
local x = coordinates("x")
mass(1)
potential(x ^ 2 / 2)
force { x = cos(w * time()) - c * dot(x) }
contact { "wall", gap = x, restitution = e }
initial { x = 0.5 }
integrate { scheme = "event-driven", h = 0.01, until_t = 1 }
LUA

# the period is that of the force, and nothing else is taken for it
"$CAROM" orbit driven.lua --impacts wall --json > out.json
near 'period' "$(number out.json '"period":')" 2.85599332144526657 1e-14
near 'velocity' "$(number out.json '"v":{' '"x":')" 1.4621670137 1e-10
"$CAROM" orbit driven.lua --impacts wall --set w=3.6 --periods 2 --json > out.json
near 'period of two' "$(number out.json '"period":')" 3.49065850398865915 1e-14
near 'velocity of two' "$(number out.json '"v":{' '"x":')" 0.4104658427 1e-10
refused orbit 2 '--period: 2.9 is no multiple of the period 2.855993321 of what drives the model: take 2.855993321 or 5.711986643' \
    -- driven.lua --impacts wall --period 2.9
refused orbit 2 '--periods: 2, but the period 2.856 is 1' -- driven.lua --impacts wall --period 2.856 --periods 2
refused continue 2 'is no multiple of the period' -- driven.lua --param w --from 2.2 --to 2.4 --impacts wall --period 2.9
refused orbit 2 '--impacts says what is struck' -- driven.lua
sed 's/cos(w \* time())/cos(w * time()) + cos(1.41421356 * time())/' driven.lua > two.lua
refused orbit 2 'several frequencies without a common period' -- two.lua --impacts wall
sed 's/cos(w \* time())/exp(-time())/' driven.lua > dying.lua
refused orbit 2 'cannot be read' -- dying.lua --impacts wall
refused orbit 2 'nothing repeats itself after this time' -- dying.lua --impacts wall --period 3
# the square of a cosine has half its period, which is what is read; given as it is it cannot follow the frequency, and says so
sed 's/cos(w \* time())/(2 * cos(w * time() \/ 2) ^ 2 - 1)/' driven.lua > square.lua
"$CAROM" orbit square.lua --impacts wall --period 2.85599332144526657 --settle 40 --json > out.json
near 'period of the square' "$(number out.json '"period":')" 2.85599332144526657 1e-14
near 'velocity with the square' "$(number out.json '"v":{' '"x":')" 1.4621670137 1e-10
refused continue 2 'no longer where' -- square.lua --param w --from 2.2 --to 2.3 --impacts wall --period 2.85599332144526657 --settle 40
"$CAROM" continue square.lua --param e --from 0.8 --to 0.75 --impacts wall --period 2.85599332144526657 --settle 40 > out
has out 'end: range'
"$CAROM" continue square.lua --param w --from 2.2 --to 2.25 --frequency w --impacts wall --period 2.85599332144526657 --settle 40 > out
has out 'end: range'
# what leaves does not pass for verified: the unstable motion at w = 2.8
"$CAROM" orbit driven.lua --impacts wall --set w=2.8 --verify 60 --json > out.json 2> err && fail 'an unstable motion passes for verified'
has out.json '"status":"leaves"'
has err 'leaves the motion: it is unstable'

# the flip and what branches off there, twice
"$CAROM" continue driven.lua --param w --from 2.5 --to 2.75 --impacts wall --switch flip --depth 2 --csv w.csv --json --plot pictures/w.svg > out.json
has out.json '"special":[{"kind":"flip","parameter":2.656177'
near 'flip' "$(number out.json '"special":[' '"parameter":')" 2.65617730 6e-9
has out.json '"branches":[{"from":"flip","at":2.656177'
has out.json '"times":4'
has pictures/w.gp "title 'flip'"
[ "$(cut -d, -f13 w.csv | sort -u | tr '\n' ' ')" = '0 1 2 branch ' ] || fail 'the CSV has not all branches'
has pictures/w.gp "set ylabel 'largest position'"
# its locus
"$CAROM" continue driven.lua --param w --from 2.5 --to 2.75 --impacts wall --locus flip --second c --second-to 0.1 --plot pictures/locus.svg > out
has out 'stability is lost at w = 2.6561773, period 2.36549921, energy 0.0634197703: flip'
has out 'flip over w and c'
has out 'end: range'
has pictures/locus.gp 'set ylabel "c"'
refused continue 1 'there is no fold on the branch' -- driven.lua --param w --from 2.5 --to 2.6 --impacts wall --locus fold --second c --second-to 0.1
refused continue 2 "'k' is no parameter" -- driven.lua --param w --from 2.5 --to 2.7 --impacts wall --locus flip --second k --second-to 1
refused continue 2 "'w' is --param already" -- driven.lua --param w --from 2.5 --to 2.7 --impacts wall --locus flip --second w --second-to 3
refused continue 2 '--locus goes with --second' -- driven.lua --param w --from 2.5 --to 2.7 --impacts wall --locus flip
refused continue 2 '--switch is flip, branch-point or all' -- driven.lua --param w --from 2.5 --to 2.7 --impacts wall --switch fold
refused continue 2 '--depth is for --switch' -- driven.lua --param w --from 2.5 --to 2.7 --impacts wall --depth 2
refused continue 2 '--locus is fold, flip or grazing' -- driven.lua --param w --from 2.5 --to 2.7 --impacts wall --locus torus --second c --second-to 1
# a gap that touches zero between impacts
"$CAROM" continue driven.lua --param w --from 3.6 --to 3 --impacts wall --periods 2 > out
has out "grazing at w = 3.12415122, period 4.0223311, energy 0.0230165626, 'wall'"
has out 'end: junction'

# no contact, no impacts
cat > duffing.lua << 'LUA'
local w = param { "w", 0.5 }
local x = coordinates("x")
mass(1)
force { x = 0.3 * cos(w * time()) - 0.1 * dot(x) - x - x ^ 3 }
integrate { scheme = "event-driven", h = 0.01, until_t = 1 }
LUA
"$CAROM" orbit duffing.lua --verify 3 > out
has out 'a motion without impacts'
has out 'it stays'
"$CAROM" continue duffing.lua --param w --from 0.5 --to 3 --csv branch.csv > out
has out 'stability is lost at w = 1.77971952, period 3.53043568, energy 3.69054857: fold'
has out 'stability is gained at w = 1.3242362'
[ "$(cut -d, -f12 branch.csv | grep -c fold)" = 2 ] || fail 'the CSV does not name two folds'
sed '/^force/d' duffing.lua > free.lua
refused orbit 2 'no contact' -- free.lua --period 3

# forty oscillators in a ring, two of them at half the period from each other, from where they are not coupled: a pattern
# without being told, and stable all the way
write_ring
sed 's/= 6,/= 40,/' ring.lua > many.lua
timeout 600 "$CAROM" continue many.lua --param gamma --from 0 --to 0.05 --period 4.7 --impacts wall0@0,wall20@0.5 > out
has out 'no change of stability: stable throughout'
has out 'end: range, the parameter 0.05'
sed 's/= 6,/= 12,/' ring.lua > dozen.lua
timeout 600 "$CAROM" continue dozen.lua --param gamma --from 0 --to 0.05 --period 4.7 --impacts wall0@0,wall6@0.5 > out
has out 'no change of stability: stable throughout'
# three at one instant
timeout 600 "$CAROM" continue dozen.lua --param gamma --from 0.02 --to 0.05 --period 4.7 --impacts wall0@0,wall4@0,wall8@0 > out
has out 'end: range'

# two oscillators whose forces are out of phase by phi strike their walls at once where phi = 0
cat > corner.lua << 'LUA'
local phi = param { "phi", 0.5 }
local x, y = coordinates("x", "y")
mass(1)
potential((x ^ 2 + y ^ 2) / 2)
force { x = cos(2.2 * time()) - 0.05 * dot(x), y = cos(2.2 * time() + phi) - 0.05 * dot(y) }
contact { "a", gap = x, restitution = 0.8 }
contact { "b", gap = y, restitution = 0.8 }
initial { x = 0.5, y = 0.5 }
integrate { scheme = "event-driven", h = 0.01, until_t = 1 }
LUA
"$CAROM" continue corner.lua --impacts b,a --settle 40 --param phi --from 0.5 --to -0.5 --json > out.json
has out.json '"special":[{"kind":"corner"'
near 'corner' "$(number out.json '"special":[' '"parameter":')" 0 1e-9
has out.json 'two contacts are struck at once'

# whatever happens: a mass on a belt that holds 0.2 and drags 0.1. As the friction falls off ever faster the period tends to
# 2 pi - 2 atan(0.1 / V) + 0.2 / V of the closed solution, V = 0.1
for decay in 1000 10000; do
    cat > belt.lua << LUA
local x = coordinates("x")
mass(1)
potential(x ^ 2 / 2)
friction_force { "dry", slip = dot(x) - 0.1, bound = 0.1, static = 0.2, decay = $decay }
integrate { scheme = "event-driven", h = 0.01, until_t = 1 }
LUA
    "$CAROM" orbit belt.lua --impacts any --period 6.7 --json > "belt$decay.json"
done
near 'period of the belt' "$(number belt1000.json '"period":')" 6.71238898038 0.06
near 'period of the belt' "$(number belt10000.json '"period":')" 6.71238898038 0.008
has belt10000.json '"kind":"stick"'
has belt10000.json '"stable":true'
refused orbit 2 '--period says after which time' -- belt.lua --impacts any
write_chain
refused orbit 2 'conserves energy, name the contacts' -- chain.lua --impacts any --period 4
refused orbit 2 'has friction: leave out its slip, or look for a motion with whatever happens' -- belt.lua --impacts dry --period 7
