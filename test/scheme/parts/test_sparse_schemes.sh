#!/bin/sh
# Chains that are large enough for sparse matrices: the same motion as with the full matrix of a solver asked for by name,
# and what must hold of a long one.
set -eu

cat > chain.lua <<'LUA'
local n = setting { "n", 120, integer = true }
local e = setting { "e", 0.5 }
local touch = setting { "touch", 1, integer = true }
local names, start = {}, {}
for i = 1, n do names[i] = "x" .. i end
local x = coordinates(names)
local rule
if e >= 0 then rule = e end
for i = 1, n do
  kinetic(dot(x[i])^2 / 2)
  potential(10 * (x[i] - (i > 1 and x[i - 1] or 0))^2)
  start[dot(x[i])] = math.sin(0.7 * i)
  contact { "wall" .. i, gap = x[i] + 0.05, restitution = rule }
  if touch == 1 and i > 1 then contact { "pair" .. i, gap = x[i] - x[i - 1] + 0.02, restitution = rule } end
end
initial(start)
integrate { scheme = "sweeping", h = 1e-3, until_t = 0.2 }
measure { middle = x[n // 2] }
LUA

fail() {
    echo "$*" >&2
    exit 1
}
number() {
    sed -n "s/.*\"$2\":\([-0-9.e+]*\).*/\1/p" "$1" | head -n 1
}
near() {
    awk "BEGIN { d = $2 - $3; if (d < 0) d = -d; exit !(d <= $4) }" || fail "$1: $2 and $3 differ"
}
run() {
    out=$1
    shift
    "$CAROM" run chain.lua "$@" --quiet --json > "$out" || fail "$* failed: $(head -c 600 "$out")"
}

# sparse and full: walls alone have the same bits, contacts that share masses agree to rounding
for scheme in sweeping paoli-schatzman inel event-driven; do
    e=0.5
    [ "$scheme" = inel ] && e=-1
    run sparse.json --scheme "$scheme" --set e=$e --set touch=0
    run full.json --scheme "$scheme" --set e=$e --set touch=0 --solver active-set
    [ "$(number sparse.json middle)" = "$(number full.json middle)" ] || fail "$scheme: other bits than with full matrices"
    until=0.2
    [ "$scheme" = event-driven ] && until=0.12
    run sparse.json --scheme "$scheme" --set e=$e --until $until
    run full.json --scheme "$scheme" --set e=$e --until $until --solver active-set
    near "$scheme, middle" "$(number sparse.json middle)" "$(number full.json middle)" 1e-11
    near "$scheme, impacts" "$(number sparse.json impacts)" "$(number full.json impacts)" 0
    [ "$(number sparse.json impacts)" -gt 50 ] || fail "$scheme: no impacts, the test shows nothing"
done

# a long chain: restitution 1 keeps the energy of elast, others do not gain, and complementarity is that of the certificate
run long.json --set n=2000 --set touch=0 --scheme elast --set e=1
near "energy of elast" "$(number long.json initial)" "$(number long.json final)" "0.02 * $(number long.json initial)"
for scheme in sweeping paoli-schatzman inel; do
    e=0.5
    [ "$scheme" = inel ] && e=-1
    run long.json --set n=2000 --scheme "$scheme" --set e=$e
    awk "BEGIN { exit !($(number long.json worst_solver_error) <= 1e-10) }" || fail "$scheme: error above the tolerance"
    initial=$(sed -n 's/.*"energy":{"initial":\([-0-9.e+]*\),"final":\([-0-9.e+]*\).*/\1/p' long.json | head -n 1)
    final=$(sed -n 's/.*"energy":{"initial":\([-0-9.e+]*\),"final":\([-0-9.e+]*\).*/\2/p' long.json | head -n 1)
    awk "BEGIN { exit !($final < $initial && $final > 0) }" || fail "$scheme: energy $initial becomes $final"
    [ "$(number long.json unsolved_steps)" = 0 ] || fail "$scheme: unsolved steps"
done
