#!/bin/sh
# Derivatives of steps of bodies that are known: a ball on a floor, a block that slides to rest, two discs that meet; and they do not
# depend on the order of the bodies.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# slope FILE NAME QUANTITY: a derivative, with all digits.
slope() {
    "$CAROM" run "$1" --sensitivity "$2" --csv - --quiet > rows.csv
    awk -F, -v name="d $3 / d $2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) place = i; next } { last = $place }
        END { if (!place) exit 1; printf "%.17g\n", last }' rows.csv || fail "$1 has no d $3 / d $2"
}
# near WHAT VALUE EXPECTED TOLERANCE
near() {
    awk -v a="$2" -v b="$3" -v e="$4" 'BEGIN { d = a - b; exit !(d <= e && -d <= e) }' || fail "$1: $2 in the place of $3"
}

cat > ball.lua << 'LUA'
local e, g = param { "e", 0.8 }, param { "g", 9.81 }
world { gravity = { 0, -g } }
pair { restitution = e }
fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
body { "b", shape = disc { 0.1 }, density = 1000, at = { 0, 1.1 } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.8, projection = "off" }
LUA
# After k steps it is at 1 - g h^2 k^2/2 over the floor, and meets it where the next half step leads below: k (k + 1) >= 2/(g h^2).
# Then v = e g h k - g h n: the derivatives are g h k and e h k - h n, with k = 452 and 800 - 452 - 1 steps after it.
near 'ball, by e' "$(slope ball.lua e v_b.y)" 4.43412 1e-12
near 'ball, by g' "$(slope ball.lua g v_b.y)" 0.0146 1e-12

cat > block.lua << 'LUA'
local mu, v0 = param { "mu", 0.3 }, param { "v0", 2 }
world { gravity = { 0, -9.81 } }
pair { friction = mu }
fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
body { "b", shape = box { 0.4, 0.2 }, density = 1000, at = { 0, 0.1 }, velocity = { v0, 0 } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1, tolerance = 1e-13 }
LUA
# v = v0 - n mu g h down to rest in step N = 680: -g h^2 N (N - 1)/2 and h (N - 1/2). The motion itself: -v0^2/(2 mu^2 g) = -2.26526.
near 'block, by mu' "$(slope block.lua mu b.x)" -2.2647366 1e-8
near 'block, by v0' "$(slope block.lua v0 b.x)" 0.6795 1e-8

# Elastic, equal masses: velocities are exchanged, d(a, b)/dv = (0, 1), by either of them.
cat > discs.lua << 'LUA'
local v, w, e = param { "v", 1.9 }, param { "w", -0.3 }, param { "e", 1 }
world { gravity = { 0, 0 } }
pair { restitution = e }
body { "a", shape = disc { 0.1 }, mass = 1, inertia = 0.005, at = { 0, 0 }, velocity = { v, 0 } }
body { "b", shape = disc { 0.1 }, mass = 1, inertia = 0.005, at = { 0.5, 0 }, velocity = { w, 0 } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.5, tolerance = 1e-14 }
LUA
near 'discs, a by v' "$(slope discs.lua v v_a.x)" 0 1e-12
near 'discs, b by v' "$(slope discs.lua v v_b.x)" 1 1e-12
near 'discs, a by w' "$(slope discs.lua w v_a.x)" 1 1e-12
near 'discs, b by w' "$(slope discs.lua w v_b.x)" 0 1e-12
# v_a = (1 - e)/2 v + (1 + e)/2 w
near 'discs, a by e' "$(slope discs.lua e v_a.x)" -1.1 1e-12

# The order of the bodies decides nothing.
cat > order.lua << 'LUA'
local mu, back = param { "mu", 0.3 }, setting { "back", 0 }
world { gravity = { 0, 0, -9.81 } }
pair { friction = mu, restitution = 0.4 }
fixed { "floor", shape = plane { normal = { 0.1, 0, 1 }, offset = 0 } }
local made = {
  function() body { "a", shape = box { 0.3, 0.2, 0.1 }, density = 700, at = { 0, 0, 0.25 }, velocity = { 1, 0.2, 0 }, spin = { 1, 2, 0 } } end,
  function() body { "b", shape = sphere { 0.1 }, density = 500, at = { 0.4, 0.03, 0.2 } } end,
  function() body { "c", shape = capsule { radius = 0.05, length = 0.2 }, density = 500, at = { 0.1, 0.02, 0.5 }, rotation = { axis = { 1, 0, 0 }, angle = 1.1 } } end }
for k = 1, 3 do made[back == 0 and k or 4 - k]() end
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.3, tolerance = 1e-13 }
LUA
sed 's/"back", 0/"back", 1/' order.lua > turned.lua
for quantity in a.x a.qw b.y v_c.wx; do
    near "order of bodies, $quantity" "$(slope turned.lua mu $quantity)" "$(slope order.lua mu $quantity)" 1e-7
done
