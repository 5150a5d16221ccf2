#!/bin/sh
# The start of large models with joints or a mass that is not diagonal: closed values, the values of a small model, which has
# full matrices, and the memory that a sparse one needs.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# ---- rods in a straight line, at rest, at an angle under the horizontal: each carries the weights below it ----------------

cat > rods.lua << 'LUA'
local n = setting { "n", 100, integer = true }
local bend = setting { "bend", 0 }
local twice = setting { "twice", 0, integer = true }
local x, y, start, T, V = {}, {}, {}, 0, 0
for i = 1, n do
  x[i], y[i] = coordinates("x" .. i), coordinates("y" .. i)
  T = T + (dot(x[i])^2 + dot(y[i])^2) / 2
  V = V + 9.81 * y[i]
  local a, b = x[i] - (i > 1 and x[i - 1] or 0), y[i] - (i > 1 and y[i - 1] or 0)
  joint { "rod" .. i, (a^2 + b^2 - 1) / 2 }
  start[x[i]] = (i + bend * math.sin(i)) * math.cos(0.3)
  start[y[i]] = -(i + bend * math.cos(i)) * math.sin(0.3)
  start[dot(x[i])] = bend
  if twice == i then joint { "again", 3 * (a^2 + b^2 - 1) } end
  if twice == -i then joint { "flat", (x[i] - start[x[i]])^2 } end
end
kinetic(T)
potential(V)
initial(start)
record { a = acceleration(x[n]), r = reaction "rod1", e = reaction("rod" .. n), x = x[2], u = dot(y[1]) }
integrate { scheme = "generalized-alpha", h = 1e-3, until_t = 1e-3 }
LUA

# first FILE: a, r, e, x and u at the start
first() {
    grep -v '^#' "$1" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) for (k = 1; k <= 5; k++) if ($i == substr("arexu", k, 1)) at[k] = i }
        NR == 2 { for (k = 1; k <= 5; k++) printf "%s ", $(at[k]) }'
}
for n in 20 40 2000; do
    "$CAROM" run rods.lua --set "n=$n" --quiet --csv rods.csv || fail "$n rods"
    first rods.csv | awk -v n="$n" '
        function off(a, b) { return (a > b ? a - b : b - a) > 1e-11 * (b < 0 ? -b : b) }
        { g = 9.81; s = sin(0.3); exit off($1, -g * s * cos(0.3)) || off($2, -n * g * s) || off($3, -g * s) }' ||
        fail "$n rods: $(first rods.csv)"
done

# ---- starts that do not satisfy their joints: small and large models go to the same place ----------------------------------

# beside N SMALL: rods that stand beside masses of their own, which make the model large
beside() {
    cat << LUA
local x, y, start, T, V, w = {}, {}, {}, 0, 0, {}
for i = 1, 12 do
  x[i], y[i] = coordinates("x" .. i), coordinates("y" .. i)
  T = T + (1 + i % 3) * (dot(x[i])^2 + dot(y[i])^2) / 2 + x[i]^2 * dot(y[i])^2 / 50
  if i > 1 then T = T + dot(x[i]) * dot(x[i - 1]) / 4 + dot(y[i]) * dot(y[i - 1]) / 5 end
  V = V + 9.81 * y[i]
  joint { "rod" .. i, ((x[i] - (i > 1 and x[i - 1] or 0))^2 + (y[i] - (i > 1 and y[i - 1] or 0))^2 - 1) / 2 }
  start[x[i]], start[y[i]] = i + math.sin(i) / 20, math.cos(i) / 3
  start[dot(x[i])], start[dot(y[i])] = math.sin(3 * i), math.cos(2 * i)
end
for i = 1, $1 do
  w[i] = coordinates("w" .. i)
  T = T + dot(w[i])^2 / 2
  V = V + w[i]^2 / 2
end
kinetic(T)
potential(V)
initial(start)
record { a = acceleration(x[5]), r = reaction "rod1", e = reaction "rod12", x = x[2], u = dot(y[1]) }
integrate { scheme = "generalized-alpha", h = 1e-3, until_t = 1e-3 }
LUA
}
beside 2 > small.lua
beside 100 > large.lua
for name in small large; do
    "$CAROM" run $name.lua --quiet --option initial=project --csv $name.csv 2> $name.err || fail "$name: $(cat $name.err)"
    refused run 2 "does not satisfy joint" -- $name.lua
    sed 's/.*: the initial//; s/its value is.*//' err > $name.why
done
cmp small.why large.why || fail "another joint is named: $(cat small.why large.why)"
echo "$(first small.csv) $(first large.csv)" | awk '
    { for (k = 1; k <= 5; k++) { d = $k - $(k + 5); if (d < 0) d = -d; s = $k < 0 ? -$k : $k; if (d > 1e-10 * (s + 1)) exit 1 }
      exit NF != 10 || $2 == 0 }' || fail "small $(first small.csv), large $(first large.csv)"

# ---- joints that say the same twice -----------------------------------------------------------------------------------------

for n in 20 500; do
    refused run 2 "joint 'again' depends on the others: remove one of 'rod7', 'again'" -- rods.lua --set "n=$n" --set twice=7
    refused run 2 "joint 'flat' has a zero gradient" -- rods.lua --set "n=$n" --set twice=-7
done

# ---- ten thousand rods, a bar of ten thousand masses that share inertia -------------------------------------------------------

many=10000
[ -z "${CAROM_SANITIZED:-}" ] || many=2000 # the same ways through the code
within 1500 "$CAROM" run rods.lua --set n=$many --quiet || fail "$many rods"
sed 's/^integrate.*/record { a = acceleration(w[n \/\/ 2]) }\n&/' "$CAROM_SOURCE_DIR/bench/chain.lua" > bar.lua
within 1500 "$CAROM" run bar.lua --set n=$many --set consistent=1 --set t_end=0.002 --quiet || fail "a bar of $many masses"
echo "starts of large models are right"
