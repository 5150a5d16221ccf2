#!/bin/sh
# A chain of coordinates between a body and a row of bodies with joints: memory grows like the model, and the energy is kept.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > mixed.lua << 'LUA'
local n = setting { "n", 100, integer = true }
local m = setting { "m", 10, integer = true }
world { gravity = { 0, 0 } }
local cart = body { "cart", shape = box { 1, 1 }, density = 1, at = { 0, 2 } }
local w, T, V, start = {}, 0, 0, {}
for i = 1, n do
  w[i] = coordinates("w" .. i)
  T = T + dot(w[i])^2 / 2
  V = V + w[i]^2 / 2
  if i > 1 then V = V + 50 * (w[i] - w[i - 1])^2 end
  contact { "wall" .. i, gap = w[i] + 1, slip = dot(w[i] + cart.x * sin(w[i])), friction = 0.1 }
  start[dot(w[i])] = math.sin(i)
end
V = V + 10 * (w[1] - cart.y + 2)^2
kinetic(T)
potential(V)
initial(start)
local last = cart
for i = 1, m do
  local b = body { "b" .. i, shape = disc { 0.1 }, density = 1, at = { 3 * i, 5 } }
  joint { "link" .. i, last.x - b.x + 3, last.y + cos(last.phi) - b.y + (i == 1 and 2 or -1) }
  last = b
end
record { rate = dot(cart.y * w[2]), bend = acceleration(w[1] * w[2]) }
measure { before = at(energy(), 0), after = final(energy()) }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 3e-3 }
LUA

for size in "100 10" "20000 2000"; do
    within 1000 "$CAROM" run mixed.lua --set "n=${size% *}" --set "m=${size#* }" --quiet --json > out.json 2> err ||
        fail "$size: $(cat err)"
    python3 - << 'PYTHON' || fail "$size: the energy is not kept"
import json
run = json.load(open("out.json"))
before, after = (run["measures"][name] for name in ("before", "after"))
before = before[0] if isinstance(before, list) else before
print(before, after)
assert run["status"] == "ok" and before > 10 and abs(after - before) <= 1e-6 * before
PYTHON
done
echo "mixed models grow as they should"
