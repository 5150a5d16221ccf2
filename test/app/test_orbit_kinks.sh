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

# A pulse with two kinks per period throws a mass at its stop: state and multipliers of exact flights, settled over 200 periods.
cat > pulse.lua << 'MODEL'
local w = param { "w", 1.2 }
local x = coordinates "x"
mass      (1)
potential (x ^ 2 / 2 + 0.05 * x)
force     { x = 3 * max(sin(w * time()) - 0.5, 0) - 0.2 * dot(x) }
contact   { "stop", gap = x, restitution = 0.5 }
initial   { x = 0.6 }
integrate { scheme = "event-driven", h = 0.05, until_t = 100 }
MODEL
cat > pulse.py << 'PYTHON'
import cmath, json, math, sys
w, c, P, s, p, e = 1.2, 0.2, 3.0, 0.5, 0.05, 0.5
T, rate = 2 * math.pi / w, math.sqrt(1 - c * c / 4)
response = 1 / complex(1 - w * w, c * w)

def free(x, v, d):
    """x'' + c x' + x = 0 after a time d"""
    E, C, S = math.exp(-c * d / 2), math.cos(rate * d), math.sin(rate * d) / rate
    return E * (x * (C + c / 2 * S) + v * S), E * (v * (C - c / 2 * S) - x * S)

def particular(t, pushed):
    z = P * response * cmath.exp(1j * w * t)
    return (z.imag - P * s - p, w * z.real) if pushed else (-p, 0.0)

def fly(x, v, t, end, pushed):
    (x0, v0), (x1, v1) = particular(t, pushed), particular(end, pushed)
    x, v = free(x - x0, v - v0, end - t)
    return x + x1, v + v1

def impact_within(x, v, t, end, pushed):
    """The first time at which x becomes negative, or None."""
    inside = t + 1e-9 * (end - t)
    for i in range(1, 41):
        place = t + (end - t) * i / 40
        if fly(x, v, t, place, pushed)[0] < 0:
            for _ in range(80):
                middle = (inside + place) / 2
                inside, place = (inside, middle) if fly(x, v, t, middle, pushed)[0] < 0 else (middle, place)
            return place
        inside = place
    return None

on = math.asin(s) / w
pieces = ((0, on, False), (on, T / 2 - on, True), (T / 2 - on, T, False))
x, v, impacts = 0.6, 0.0, 0
for n in range(200):
    for t, end, pushed in pieces:
        while t is not None:
            hit = impact_within(x, v, t, end, pushed)
            x, v = fly(x, v, t, end if hit is None else hit, pushed)
            if hit is not None:
                at, before, x, v, impacts = hit, v, 0.0, -e * v, impacts + 1
                after = v
            t = hit
assert impacts > 190
# return map: the flight of a period, then the impact with accelerations before and after it
force = P * max(math.sin(w * at) - s, 0) - p
turn = (force - c * after + e * (force - c * before)) / before
jump = ((-e, 0.0), (turn, -e))
flight = list(zip(free(1, 0, T), free(0, 1, T)))
trace = sum(jump[i][k] * flight[k][i] for i in range(2) for k in range(2))
root = cmath.sqrt(trace * trace / 4 - e * e * math.exp(-c * T))
found = json.load(open(sys.argv[1]))
assert found["status"] == "motion" and len(found["impacts"]) == 1, found["verdict"]
assert abs(found["period"] - T) < 1e-12
assert abs(found["q"]["x"]) < 1e-12 and abs(found["v"]["x"] - after) < 1e-11, (found["v"], after)
phase = found["t0"] / T - at / T
assert abs(phase - round(phase)) < 1e-10, phase
for (re, im), sign in zip(sorted(found["multipliers"], key=lambda m: -m[1]), (1, -1)):
    assert abs(complex(re, im) - (trace / 2 + sign * root)) < 1e-10, (found["multipliers"], trace / 2 + root)
PYTHON
"$CAROM" orbit pulse.lua --impacts stop --settle 20 --json > pulse.json
python3 pulse.py pulse.json
"$CAROM" continue pulse.lua --param w --from 1.2 --to 1.7 --impacts stop --settle 20 > branch
has branch 'end: range'
# down to where the mass touches the stop between its impacts: the phase of the impact passes both kinks on the way
"$CAROM" continue pulse.lua --param w --from 1.7 --to 0.7 --impacts stop --settle 20 > branch
has branch 'end: junction, the gap touches zero'

# where the force jumps by the parameter, the branch is lost, and the reason is told
sed 's/3 \* max(/select(1.4 - w, 3, 0.6) * max(/' pulse.lua > broken.lua
"$CAROM" continue broken.lua --param w --from 1.2 --to 1.7 --impacts stop --settle 20 > branch 2> err || true
has branch 'end: lost, '
grep -qE 'end: lost, .*[a-z]{3,} .*1\.[34]' branch || fail "no reason, or no place: $(grep 'end: lost' branch)"
