#!/bin/sh
# Studies by name: carom list studies, carom show study, and their page; list, show and check compute nothing.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

"$CAROM" list studies > out
has out 'drill_run'
has out 'bar_scan'
"$CAROM" list studies --json > out
has out '"name":"limit_load"'

"$CAROM" show study drill_run > out
has out 'set point (rpm)  [number; 5.5 for the setup, 55 at full scale]'
has out "of the string's damping  [number; 0.5]"
has out '[word; high; of high, low]'
has out 'first_stick '
"$CAROM" show study drill_run --json > out
has out '"name":"h","kind":"number","unit":"s"'
refused show 2 "did you mean 'drill_run'" -- study drill_rum

# the page is what the program says
"$CAROM_SOURCE_DIR/scripts/studies-page" "$CAROM" > studies.md
diff studies.md "$CAROM_SOURCE_DIR/docs/studies.md" || fail 'docs/studies.md is not what scripts/studies-page writes'

# a step that damps away what is looked for
printf 'local out = drill_run { t_end = 1, theta = param { "theta", 1 }, h = param { "h", 1e-3 } }\nmeasure { steps = out.steps }\n' > damped.lua
refused run 2 'theta = 1 with h = 0.001 s damps the mode of 0.531 Hz at a rate of 0.0056 1/s, the string itself at 0.0036 1/s: stick-slip would be lost; take theta = 0.5' -- damped.lua
"$CAROM" run damped.lua --set h=1e-4 --quiet || fail 'a step that damps little is refused'
"$CAROM" run damped.lua --set theta=0.5 --quiet || fail 'a step that does not damp is refused'

# a study of hours: nobody computes it
cat > long.lua << 'LUA'
experiment { title = "hours of drilling" }
local rpm = param { "rpm", 5.5 }
local out = drill_run { rpm = rpm, t_end = 1e6, h = 1e-3 }
local c = compute(function() while true do end end)
measure { first = out.first_move, c = c.a }
LUA
mkdir -p long
cp long.lua long
CAROM_EXPERIMENTS=long timeout 200 "$CAROM" list experiments > out || fail 'list computes'
has out 'hours of drilling'
timeout 200 "$CAROM" show long.lua > out || fail 'show computes'
has out 'measures: c first'
timeout 200 "$CAROM" check long.lua > out || fail 'check computes'
timeout 200 "$CAROM" check thorin-2018/bar-family > out
has out 'start: it comes from a study'
timeout 200 "$CAROM" show thorin-2018/bar-family --json > out
has out 'event-driven'

# parameters reach studies; pictures of what they find, also from a run file
cat > bar.lua << 'LUA'
local d = param { "d", 0.5 }
local mode = bar_mode { N = 1, m = 1, d = d, places = 4 }
local shown = compute(function()
  if not mode.admissible then print("not a motion: " .. mode.reason) end
  local points = {}
  for i = 1, #mode.x do points[i] = { mode.x[i], mode.u[i] } end
  return { points = points, count = #points }
end)
measure { T = mode.T, d_again = mode.t2, count = shown.count }
plot { "shape", curve { shown.points, label = "u" }, curve { x = mode.x, y = mode.v }, values { mode.u } }
LUA
"$CAROM" run bar.lua --set d=0.25 --out bar.h5 --plot pictures > out
has out 'T        3.75'
has out 'count    5'
[ -s pictures/shape.png ] || fail 'no picture'
"$CAROM" plot bar.h5 -o again > out
diff pictures/shape.dat again/shape.dat || fail 'the run file has another picture'
"$CAROM" run bar.h5 --set d=0.5 > out
has out 'T        3.5'
"$CAROM" sweep bar.lua --over d=0.25,0.5 --measure T > out 2> err
# functions of the file see the values of their own run, whatever runs beside it
"$CAROM" sweep bar.lua --over d=0.05:0.95:40 --measure T,d_again --threads 1 --csv one.csv > out 2> err
cut -d , -f 1-3,5- one.csv > one # without wall times
for again in 1 2 3; do
    "$CAROM" sweep bar.lua --over d=0.05:0.95:40 --measure T,d_again --threads 4 --csv four.csv > out 2> err ||
        fail "a sweep of studies on four threads, $again"
    cut -d , -f 1-3,5- four.csv > four
    cmp one four || fail "threads change what studies find, $again"
done
"$CAROM" sweep bar.lua --over d=0.25,0.5 --measure T > out 2> err
grep -q '^ *0.25 .*3.75' out || fail 'a parameter of a study is not swept'
grep -q '^ *0.5 .*3.5' out || fail 'a parameter of a study is not swept'
"$CAROM" run bar.lua --set d=1.2 --json > out 2> err || true
refused run 2 'bar.lua:2: bar_mode: ' -- bar.lua --set d=99
