#!/bin/sh
# What stands in the data and scripts of pictures: marks, windows, families, thinning.
set -eu
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > wave.lua << 'LUA'
local n = param { "n", 1000, min = 1 }
local speed = param { "speed", 1 }
local x = coordinates("x")
kinetic(dot(x)^2 / 2)
initial { x = 0, [dot(x)] = speed }
integrate { scheme = "inel", h = 1 / n, until_t = 1 }
family { speed = { 1, 2, 3 } }
local wave = sin(40 * time()) + select(0.0005 - abs(time() - 0.25), 5, 0)
plot { "a_plot", title = "x_1 & more", xlabel = "t_0", ylabel = "100 %",
       line { time(), wave, label = "all" },
       points { time(), x, every = 0.1, numbered = true },
       line { time(), x, from = 0.2, to = 0.4 },
       line { time(), x, family = true },
       outline { { 0, 0 }, { speed, 1 }, { 2, 2 } } }
LUA
"$CAROM" run wave.lua --plot out --quiet
[ -s out/a_plot.png ] || fail 'no PNG'
[ -s out/a_plot.svg ] || fail 'no SVG'
[ "$(rows out/a_plot.dat 0)" -eq 1001 ] || fail "a line of 1001 outputs has $(rows out/a_plot.dat 0) rows"
[ "$(rows out/a_plot.dat 1)" -eq 11 ] || fail "marks every 0.1: $(rows out/a_plot.dat 1) instead of 11"
[ "$(rows out/a_plot.dat 2)" -eq 201 ] || fail "a window of 0.2: $(rows out/a_plot.dat 2) instead of 201 rows"
for block in 3 4 5; do
    [ "$(rows out/a_plot.dat $block)" -eq 1001 ] || fail "member in block $block"
done
[ "$(rows out/a_plot.dat 6)" -eq 3 ] || fail 'outline'
grep -q 'speed = 3' out/a_plot.gp || fail 'no member label in the script'

# the script draws the same picture by itself
cp out/a_plot.svg first.svg
(cd out && gnuplot a_plot.gp)
cmp first.svg out/a_plot.svg || fail 'the script does not draw the same picture again'

# a long line is thinned, and the short spike stays
"$CAROM" run wave.lua --set n=200000 --no-family --plot long --quiet
kept=$(rows long/a_plot.dat 0)
[ "$kept" -lt 25000 ] || fail "a line of 200001 outputs keeps $kept rows"
awk '!/^#/ && NF == 3 && $3 > 4 { found = 1 } END { exit !found }' long/a_plot.dat || fail 'thinning lost a spike'

# smooth: a running mean takes a whole period away and leaves a straight line as it is; curves have colours
cat > smooth.lua << 'LUA'
local T = param { "T", 0.1 }
local x = coordinates("x")
mass(1)
initial { [dot(x)] = 1 }
integrate { h = 0.001, until_t = 1 }
plot { "means", line { time(), x, smooth = T, from = 0.2, to = 0.8 }, line { time(), 5 + sin(2 * pi * time() / T), smooth = T, from = 0.2, to = 0.8 },
       curve { { 0, 0 }, { 1, T } }, curve { { 0, 0 }, { 1, 1 }, style = "circle" }, outline { { 0, 0 }, { 1, 2 } } }
LUA
"$CAROM" run smooth.lua --plot means --quiet
awk '/^# index / { block = $3 + 0; next }
     /^#/ || NF < 3 { next }
     block == 0 && ($3 - $2 > 1e-9 || $2 - $3 > 1e-9) { bad = 1 }
     block == 1 && ($3 > 5.02 || $3 < 4.98) { bad = 1 }
     { count++ }
     END { exit bad || count != 1202 }' means/means.dat || fail 'smooth is not a running mean'
grep -q 'index 2 using 1:2 with lines linestyle 3' means/means.gp || fail 'a curve has no colour of its own'
grep -q 'index 3 using 1:2 with points linestyle 4' means/means.gp || fail 'a curve with a style of points'
grep -q 'index 4 using 1:2 with lines linestyle 10' means/means.gp || fail 'an outline is not grey'
status=0
"$CAROM" run smooth.lua --set T=0 --plot none --quiet 2> err || status=$?
[ "$status" -eq 2 ] || fail "smooth = 0 is drawn"
has err 'it must be a positive time'
sed 's/line { time(), x, smooth/segments { x, x, x, x, smooth/' smooth.lua > segments.lua
status=0
"$CAROM" run segments.lua --quiet 2> err || status=$?
[ "$status" -eq 2 ] || fail "smooth segments are taken"
has err 'segments cannot be smoothed'

# gnuplot missing: says which package, keeps script and data
mkdir bin
status=0
PATH="$PWD/bin" "$CAROM" run wave.lua --plot bare --quiet 2> err || status=$?
[ "$status" -eq 1 ] || fail "without gnuplot the exit status is $status"
grep -q 'gnuplot-nox' err || fail 'no hint at the package gnuplot-nox'
[ -s bare/a_plot.gp ] || fail 'the script is not kept'
[ -s bare/a_plot.dat ] || fail 'the data are not kept'
echo 'all as it should be'
