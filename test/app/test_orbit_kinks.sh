#!/bin/sh
# Forces with kinks and jumps in time: carom orbit finds the motion that exact flights give, and carom continue follows it.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/orbit_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/orbit_helpers.sh"

# x'' = F(t) - x' / 2 - x, without impacts; F = max(cos(2 t), 0) has kinks, F = select(cos(2 t), 1, -1) jumps. The state at t = 0 of the
# motion of period pi follows from the flow on both halves of the period: found here by integration with small steps between the
# instants, in the exact form for jumps.
cat > kinks.lua << 'MODEL'
local w = param { "w", 2 }
local x = coordinates "x"
mass      (1)
potential (x ^ 2 / 2)
force     { x = max(cos(w * time()), 0) - 0.5 * dot(x) }
integrate { scheme = "event-driven", h = 0.01, until_t = 10 }
MODEL
sed 's/max(cos(w \* time()), 0)/select(cos(w * time()), 1, -1)/' kinks.lua > jumps.lua
cat > reference.py << 'PYTHON'
import cmath, math, sys
# Fourier series of F, response term by term: x = sum F_k exp(i k w t) / (1 - (k w)^2 + i k w / 2)
w, jumps = 2.0, sys.argv[1] == "jumps"
x = v = 0.0
for k in range(-200001, 200002):
    if jumps:
        c = 0.0 if k % 2 == 0 else 2.0 / (math.pi * k) * math.sin(k * math.pi / 2)
    elif k in (1, -1):
        c = 0.25
    else:
        c = 0.0 if k % 2 else math.cos(k * math.pi / 2) / (math.pi * (1 - k * k))
    a = c / (1 - (k * w) ** 2 + 0.5j * k * w)
    x += a.real
    v += (1j * k * w * a).real
print(f'{x:.12f} {v:.9f}')
PYTHON
for kind in kinks jumps; do
    python3 reference.py $kind > reference
    read -r x v < reference
    "$CAROM" orbit $kind.lua --impacts none --settle 20 --json > $kind.json
    near "position with $kind" "$(number $kind.json '"q":{' '"x":')" "$x" 1e-10
    near "velocity with $kind" "$(number $kind.json '"v":{' '"x":')" "$v" 2e-9
    "$CAROM" continue $kind.lua --param w --from 2 --to 3 --impacts none --settle 20 > $kind.branch
    has $kind.branch 'end: range'
done

# an impact within the pulse: the same motion from two lengths of the run, to all digits
cat > hammer.lua << 'MODEL'
local f = param { "f", 0.4 }
local x = coordinates "x"
mass      (1)
potential (0.5 * (x + 0.2) ^ 2)
force     { x = 3 * max(sin(2 * pi * f * time()) - 0.6, 0) - 0.2 * dot(x) }
contact   { "front", gap = 0.3 - x, restitution = 0.5 }
contact   { "back", gap = x, restitution = 0.3 }
integrate { scheme = "event-driven", h = 0.01, until_t = 20, zeno = "continue" }
MODEL
"$CAROM" orbit hammer.lua --impacts front,back --settle 10 --json > ten.json
"$CAROM" orbit hammer.lua --impacts front,back --settle 30 --json > thirty.json
near 'velocity after the impact' "$(number ten.json '"v":{' '"x":')" "$(number thirty.json '"v":{' '"x":')" 1e-11
"$CAROM" continue hammer.lua --param f --from 0.4 --to 0.45 --impacts front,back --settle 10 > branch
has branch 'end: range'
