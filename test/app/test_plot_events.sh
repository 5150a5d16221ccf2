#!/bin/sh
# Events in pictures: lines jump where impacts are located, marks stand where events are, from runs and from run files.
set -eu
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# block FILE INDEX: the numbers of a gnuplot block
block() {
    awk -v wanted="$2" '/^# index / { block = $3 + 0; next } /^#/ || /^$/ { next } block == wanted' "$1"
}

cat > ball.lua << 'LUA'
local e = param { "e", 0.7, min = 0, max = 1 }
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = e }
contact { "ceiling", gap = 5 - y }
initial { y = 1 }
integrate { scheme = "event-driven", h = 0.05, until_t = 1 }
family { e = { 0.5, 0.7 } }
plot { "speed", line { time(), dot(y), marks = true }, line { time(), impulse "floor" },
       points { time(), dot(y), marks = impact "ceiling" }, line { time(), dot(y), every = 0.1 } }
plot { "family", line { time(), dot(y), family = true, marks = impact "floor", numbered = true } }
LUA
"$CAROM" run ball.lua --plot run --out ball.h5 --quiet
# 21 outputs, and the two sides of the impact at t = 0.4515, v = -4.4294 and 3.1006
[ "$(rows run/speed.dat 0)" -eq 23 ] || fail "a line with a jump has $(rows run/speed.dat 0) rows"
block run/speed.dat 0 | sed -n '11,12p' > jump
[ "$(cut -d ' ' -f 1 jump | uniq)" = 0.451523641 ] || fail "the jump is not at the impact: $(cat jump)"
[ "$(cut -d ' ' -f 3 jump | tr '\n' ' ')" = '-4.429446918 3.100612843 ' ] || fail "the sides of the jump: $(cat jump)"
block run/speed.dat 1 > marks
cmp jump marks || fail 'the marks are not on both sides of the jump'
grep -q 'index 1 using 2:3 with points linestyle 1 pointtype 7 pointsize 0.7 title "impact"' run/speed.gp || fail 'no marks in the script'
[ "$(rows run/speed.dat 2)" -eq 21 ] || fail 'impulses of steps have no jumps'
[ "$(rows run/speed.dat 3)" -eq 21 ] || fail 'points are outputs'
[ "$(rows run/speed.dat 4)" -eq 11 ] || fail 'every is of outputs'
if grep -q 'index 5' run/speed.dat; then fail 'marks of a contact that was never struck'; fi
# members of a family have their own events: 3.1006 and 2.2147 after the first impact, and numbers on lines only
[ "$(block run/family.dat 1 | sed -n 2p)" = '0.451523641 0.451523641 2.214723459' ] || fail 'the mark of the first member'
[ "$(block run/family.dat 3 | sed -n 2p)" = '0.451523641 0.451523641 3.100612843' ] || fail 'the mark of the second member'
# the same pictures from the run file
"$CAROM" plot ball.h5 -o file > out
for name in speed family; do
    cmp run/$name.dat file/$name.dat || fail "$name: other data from the run file"
    cmp run/$name.gp file/$name.gp || fail "$name: another script from the run file"
done

# a scheme with steps: marks at outputs, no rows but the outputs
"$CAROM" run ball.lua --scheme moreau-jean --h 0.001 --no-family --plot steps --out steps.h5 --quiet
[ "$(rows steps/speed.dat 0)" -eq 1001 ] || fail 'rows of a scheme with steps'
[ "$(rows steps/speed.dat 1)" -eq 1 ] || fail 'one impact, one mark'
block steps/speed.dat 1 | awk '{ exit !($1 > 0.451 && $1 < 0.4545 && $3 > 3) }' || fail "the mark is not at the impact: $(block steps/speed.dat 1)"
"$CAROM" plot steps.h5 -o again > out
cmp steps/speed.dat again/speed.dat || fail 'steps: other data from the run file'

# stick and slip of a friction force
cat > belt.lua << 'LUA'
local x = coordinates("x")
mass(1)
potential(x^2 / 2)
friction_force { "belt", slip = dot(x) - 0.5, bound = 0.3, static = 0.6, decay = 2 }
integrate { scheme = "dai-theta", h = 1e-3, until_t = 20 }
plot { "belt", x = time(), y = dot(x), marks = sticking "belt" }
LUA
"$CAROM" run belt.lua --plot belt --quiet
[ "$(rows belt/belt.dat 1)" -eq 3 ] || fail "it sticks $(rows belt/belt.dat 1) times"
[ "$(rows belt/belt.dat 2)" -eq 3 ] || fail "it slips $(rows belt/belt.dat 2) times"
has belt/belt.dat 'marks of stick'
has belt/belt.gp 'pointtype 5 pointsize 0.7 title "stick"'
has belt/belt.gp 'pointtype 4 pointsize 0.7 title "slip"'
block belt/belt.dat 1 | awk '$3 < 0.4999 || $3 > 0.5001 { exit 1 }' || fail 'it sticks at the speed of the belt'

# without marks, and without impacts that are located, nothing is kept for pictures
sed 's/, marks = [^,}]*//g; s/points {/line {/' ball.lua > plain.lua
"$CAROM" run plain.lua --scheme moreau-jean --no-family --out plain.h5 --quiet
if grep -aq points plain.h5; then fail 'events that no picture needs'; fi
