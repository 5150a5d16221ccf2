#!/bin/sh
# Models of sizes whose squares are no ints, or more than memory: refused, with a message.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# sizes COUNT STATEMENTS: model.lua with that many coordinates
sizes() {
    echo "local n = {} for i = 1, $1 do n[i] = 'x' .. i end local x = { coordinates(n) }
$2
integrate { h = 1, until_t = 1 }" > model.lua
}
for count in 20000 46341 65536; do
    sizes "$count" 'mass(1)'
    "$CAROM" run model.lua > out 2> err || fail "$count coordinates: $(cat err)"
    grep -q "($count in all" out || fail "$count coordinates: $(cat out)"
    sizes "$count" 'mass { x1 = 1 }'
    refused run 2 "pivot at coordinate 'x2' is 0" -- model.lua
done
# A full matrix of that size is more than a script may take.
sizes 20000 'mass { {} }'
refused run 2 'mass: the matrix has 1 rows; it needs 20000' -- model.lua
sizes 20000 'local m = {} for i = 1, 20000 do m[i] = {} end mass(m)'
refused run 2 'model.lua:2: the script needs more than 512 MB of memory' -- model.lua
# Smaller ones fit, and the last entry of the matrix is where it belongs.
sizes 300 'mass(2)'
"$CAROM" show model.lua > out 2> err || fail "300 coordinates: $(cat err)"
# --- expressions that grow while carom derives: bounded, and Ctrl-C ends them
cat > deep.lua << 'LUA'
local a, b, c = coordinates("a", "b", "c")
local f = a + b * c
for k = 1, 200000 do f = sin(f) * a + cos(f) * b + c end
mass(1)
potential(f)
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.01 }
LUA
# with sanitizers it takes minutes
[ -n "${CAROM_SANITIZED:-}" ] || refused show 2 'more than 20000000 operations' -- deep.lua
status=0
timeout --foreground --preserve-status -s INT 0.5 "$CAROM" show deep.lua > out 2> err || status=$?
[ "$status" -eq 130 ] || fail "Ctrl-C while a model is derived: exit status $status instead of 130"
echo "sizes are checked"
