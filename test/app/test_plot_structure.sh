#!/bin/sh
# Pictures of structures: shapes, and where they touch.
set -eu
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > beam.lua << 'LUA'
local n = param { "n", 1000, min = 1 }
local length = param { "length", 10 }
local function wall(x) return 0.005 + 0.03 * (x - length / 2)^2 end
local u = beam { "u", length = length, elements = 20, k2 = 282.84, left = "clamped", right = "free",
  acceleration = function(_, t) return sin(10 * t) end,
  obstacles    = { { lower = function(x) return -wall(x) end, upper = wall } } }
integrate { scheme = "newmark-contact", h = 1 / n, until_t = 1 }
record { touching = u:touching() }
plot { "shapes", profile { every = 0.1, from = 0.2, to = 0.5, label = "beam" }, outline(u:obstacle("upper")) }
plot { "last", profile { from = 1 } }
plot { "map", contact_map { "lower" }, contact_map { "upper", style = "dot" } }
plot { "early", contact_map { "lower", to = 0.1 } }
plot { "some", contact_map { "upper", every = 0.1, from = 0.2, to = 0.3 } }
LUA
"$CAROM" run beam.lua --plot out --out run.h5 --csv run.csv --quiet
for name in shapes last map early some; do
    [ -s "out/$name.png" ] || fail "no picture $name"
done

# four shapes: interrupted lines from one end to the other, all of one time
awk '
    /^# index 1/ { exit }
    /^#/ { next }
    NF == 0 { previous = ""; next }
    previous == "" { shapes++; t = $1; if ($2 != 0 || $3 != 0) bad = "does not begin at the clamped end" }
    previous != "" && $2 <= previous { bad = "goes back" }
    $1 != t { bad = "changes its time" }
    { previous = $2; if ($2 == 10) ends++ }
    END {
        if (shapes != 4 || ends != 4) bad = shapes " shapes, " ends " ends"
        if (bad) { print bad; exit 1 }
    }' out/shapes.dat || fail 'a shape'
grep -q 'linecolor palette' out/shapes.gp || fail 'shapes of several times have one colour'
grep -q 'cbrange \[0.2:0.5\]' out/shapes.gp || fail 'the colours do not span the times shown'
grep -q 'palette' out/last.gp && fail 'a single shape has colours of time'

# a point for every contact of every output
touches=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "touching") c = i; next } { sum += $c }
                   END { print sum }' run.csv)
[ "$touches" -gt 100 ] || fail "the beam touches $touches times only"
drawn=$(($(rows out/map.dat 0) + $(rows out/map.dat 1)))
[ "$drawn" -eq "$touches" ] || fail "$touches contacts, $drawn points"
[ "$(rows out/early.dat 0)" -eq 0 ] || fail 'contacts before the first one'
grep -q 'yrange \[-0.005:0.105\]' out/early.gp || fail 'a map without contacts does not span its time'
awk '!/^#/ && NF && $3 != 0.2 && $3 != 0.3 { exit 1 }' out/some.dat || fail 'every, from, to of a contact map'
[ "$(rows out/some.dat 0)" -gt 0 ] || fail 'no contact at the outputs chosen'

# a run file holds all that the pictures need
"$CAROM" plot run.h5 -o again > /dev/null
for name in shapes map; do
    cmp "out/$name.dat" "again/$name.dat" || fail "the run file gives another picture $name"
done

# of a long run neighbouring outputs share a point
"$CAROM" run beam.lua --set n=20000 --plot long --quiet
drawn=$(($(rows long/map.dat 0) + $(rows long/map.dat 1)))
[ "$drawn" -gt 100 ] || fail "a long run has only $drawn points"
[ "$drawn" -le 20000 ] || fail "a long run has $drawn points"

# its parameters shape the structure
"$CAROM" run beam.lua --set length=12 --plot longer --quiet
awk '!/^#/ && NF && $2 == 12 { found = 1 } END { exit !found }' longer/shapes.dat || fail 'the tip is not at 12'
echo 'all as it should be'
