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
    refused run 2 'model.lua:2: the script needs more than 512 MB of memory' -- model.lua
    refused check 2 'model.lua:2: the script needs more than 512 MB of memory' -- model.lua
    sizes "$count" 'mass { x1 = 1 }'
    refused run 2 'model.lua:2: the script needs more than 512 MB of memory' -- model.lua
done
# Smaller ones fit, and the last entry of the matrix is where it belongs.
sizes 300 'mass(2)'
"$CAROM" show model.lua > out 2> err || fail "300 coordinates: $(cat err)"
echo "sizes are checked"
