#!/bin/sh
# Pictures of bodies: the scene at a time, at several, at the end; from where the viewer stands.
set -eu
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > plane.lua << 'LUA'
world { gravity = { 0, -8 } }
fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
local b = body { "b", shape = box { 2, 1 }, density = 1, at = { 0, 10 }, velocity = { 1, 0 } }
integrate { scheme = "moreau-jean", h = 0.01, until_t = 1 }
plot { "begin", equal = true, scene { at = 0 } }
plot { "end", equal = true, scene {} }
plot { "all", equal = true, scene { every = 0.25 } }
LUA
"$CAROM" run plane.lua --plot pictures --out run.h5 --quiet
for name in begin end all; do
    [ -s "pictures/$name.png" ] || fail "no picture $name"
done
# corners FILE: lowest and highest y of what is not grey (the floor is), and the mean x
corners() {
    awk '/^#/ || !NF || $4 == 10132122 { next }
         !n++ { low = high = $3 }
         { x += $2; if ($3 < low) low = $3; if ($3 > high) high = $3 }
         END { printf "%.3f %.3f %.3f\n", low, high, x / n }' "$1"
}
[ "$(corners pictures/begin.dat)" = '9.500 10.500 0.000' ] || fail "at the start: $(corners pictures/begin.dat)"
# x = t, y = 10 - 4 t^2, exact for the midpoint rule
[ "$(corners pictures/end.dat)" = '5.500 6.500 1.000' ] || fail "at the end: $(corners pictures/end.dat)"
[ "$(rows pictures/all.dat 0)" -eq $((5 * 8 + 2)) ] || fail "five boxes and a floor: $(rows pictures/all.dat 0) points"
[ "$(awk '!/^#/ && NF { print $4 }' pictures/all.dat | sort -u | wc -l)" -eq 6 ] || fail 'five colours of time and one of the floor'

# a run file holds all that the pictures need
"$CAROM" plot run.h5 -o again > /dev/null
cmp pictures/all.dat again/all.dat || fail 'the run file gives another picture'

# in space: from in front, from the right, from above
cat > space.lua << 'LUA'
world { gravity = { 0, 0, 0 } }
body { "b", shape = box { 1, 2, 3 }, density = 1, at = { 0, 0, 0 } }
integrate { scheme = "moreau-jean", h = 0.1, until_t = 0.2 }
plot { "front", scene {} }
plot { "right", scene { view = { 90, 0 } } }
plot { "above", scene { view = { 0, 90 } } }
LUA
"$CAROM" run space.lua --plot space --quiet
size() {
    awk '/^#/ || !NF { next } { if ($2 > x) x = $2; if ($3 > y) y = $3 } END { printf "%.3f %.3f\n", 2 * x, 2 * y }' "$1"
}
[ "$(size space/front.dat)" = '1.000 3.000' ] || fail "from in front: $(size space/front.dat)"
[ "$(size space/right.dat)" = '2.000 3.000' ] || fail "from the right: $(size space/right.dat)"
[ "$(size space/above.dat)" = '1.000 2.000' ] || fail "from above: $(size space/above.dat)"

# what stands in front hides what is behind it, and nothing more
cat > hidden.lua << 'LUA'
world { gravity = { 0, 0, 0 } }
body { "front", shape = box { 2, 1, 2 }, density = 1, at = { 0, 0, 0 } }
body { "behind", shape = box { 1, 1, 3 }, density = 1, at = { 0, 3, 0 } }
body { "beneath", shape = box { 2, 1, 1 }, density = 1, at = { 0, 0, -1.5 } }
body { "far", shape = sphere { 0.4 }, density = 1, at = { 0, 9, 0 } }
integrate { scheme = "moreau-jean", h = 0.1, until_t = 0.2 }
plot { "hidden", scene {} }
LUA
"$CAROM" run hidden.lua --plot hidden --quiet
awk '/^#/ || !NF { next }
     { x = $2 < 0 ? -$2 : $2 }
     x < 0.999 && $3 < 0.9999 && $3 > -0.9999 { print "hidden, but drawn: " $2, $3; bad = 1 }
     x > 0.499 && x < 0.501 && $3 > 1.4999 { top++ }
     x > 0.499 && x < 0.501 && $3 > 0.9999 && $3 < 1.001 { begin++ }
     x > 0.999 && $3 < -1.9999 { foot++ }
     END { exit bad || !top || begin < 2 || foot < 2 }' hidden/hidden.dat || fail 'hidden lines'

# without plot statements a model of bodies shows them
sed '/^plot/d' plane.lua > plain.lua
"$CAROM" run plain.lua --plot plain --quiet
[ "$(corners plain/scene.dat)" = '5.500 6.500 1.000' ] || fail 'the scene that is drawn without a plot statement'

# carom check knows bodies
"$CAROM" check plane.lua > checked
has checked 'bodies: 1 free with the mass 2, 1 fixed, 0 driven'

# what makes no sense is refused
printf 'local x = coordinates("x")\nmass(1)\nintegrate { scheme = "moreau-jean", h = 1, until_t = 1 }\nplot { "p", scene {} }\n' > none.lua
refused check 2 'scene shows bodies' -- none.lua
sed 's/scene { at = 0 }/scene { at = 0, every = 1 }/' plane.lua > both.lua
refused check 2 'at or every, not both' -- both.lua
sed 's/scene { at = 0 }/scene { view = 3 }/' plane.lua > view.lua
refused check 2 'two angles in degrees' -- view.lua
sed 's/scene { at = 0 }/scene { b }/' plane.lua > entry.lua
refused check 2 'shows all bodies' -- entry.lua
sed 's/density = 1, at = { 0, 10 }/mass = 1, centre = { 0, 1 }, at = { 0, 10 }/' plane.lua > centre.lua
refused check 2 "body 'b': with a centre of its own it needs mass and inertia" -- centre.lua
echo 'all as it should be'
