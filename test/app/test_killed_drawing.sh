#!/bin/sh
# Killed between the run file and the pictures: the journal is removed last, so that carom resume draws what is missing.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > ball.lua << 'LUA'
local e = param { "e", 0.9, min = 0, max = 1 }
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1 }
measure { highest = maximum(y) }
plot { "height", x = time(), y = y }
LUA

# In the place of gnuplot: kills the program that draws.
mkdir killer
cat > killer/gnuplot << 'SH'
#!/bin/sh
kill -KILL "$PPID"
SH
chmod +x killer/gnuplot

# killed OUTPUT ARGUMENTS...: the command is killed when it draws
killed() {
    killed_output=$1
    shift
    status=0
    PATH="$PWD/killer:$PATH" "$CAROM" "$@" > out 2> err || status=$?
    [ "$status" -eq 137 ] || fail "$*: exit status $status instead of 137 of a kill"
    [ -e "$killed_output" ] || fail "$*: killed before $killed_output was there"
    [ -e "$killed_output.part" ] || fail "$*: no journal is left"
}

"$CAROM" run ball.lua --out whole.h5 --quiet
killed run.h5 run ball.lua --out run.h5 --plot pictures --report page.html --quiet
[ ! -e page.html ] || fail 'the page was written before the pictures'
mkdir away
(cd away && "$CAROM" resume ../run.h5 > /dev/null 2>&1) || fail 'carom resume after a kill while drawing'
for file in pictures/height.png pictures/height.svg page.html; do
    [ -s "$file" ] || fail "carom resume did not make $file"
done
[ ! -e run.h5.part ] || fail 'the journal stays after carom resume'
cmp whole.h5 run.h5 || fail 'the run file differs after carom resume'

# other commands with a journal
killed sweep.csv sweep ball.lua --over e=0.1:0.9:3 --csv sweep.csv --plot sweep.svg --quiet
"$CAROM" resume sweep.csv > /dev/null 2>&1
[ -s sweep.svg ] || fail 'carom resume did not draw the sweep'
killed fixed.csv converge ball.lua --h 1e-2,5e-3,2.5e-3 --out fixed.csv --plot convergence --quiet
"$CAROM" resume fixed.csv > /dev/null 2>&1 || true # no order can be fitted from three steps with impacts
[ -s convergence/convergence.svg ] || fail 'carom resume did not draw the convergence'

# what cannot be drawn is told, with the way to draw it later
cat > killer/gnuplot << 'SH'
#!/bin/sh
exit 1
SH
status=0
PATH="$PWD/killer:$PATH" "$CAROM" run ball.lua --out late.h5 --plot later --quiet > out 2> err || status=$?
[ "$status" -eq 1 ] || fail "a picture that cannot be drawn: exit status $status"
has err 'carom resume late.h5 makes the outputs that are missing'
"$CAROM" resume late.h5 --quiet
[ -s later/height.svg ] || fail 'carom resume did not draw what failed'
