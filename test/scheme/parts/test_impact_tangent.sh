#!/bin/sh
# Derivatives of impacts by laws that are chosen by name agree with differences of whole runs, in both schemes that take them:
# single impacts, two at once, contacts that are closed already; and closed forms.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/scheme/tangent_helpers.sh
. "$CAROM_SOURCE_DIR/test/scheme/tangent_helpers.sh"

# a mass matrix that depends on position and parameters, curved and moving obstacles, two contacts that couple
cat > net.lua << 'LUA'
local e1, e2, m, g = param { "e1", 0.5 }, param { "e2", 0.7 }, param { "m", 1.3 }, param { "g", 9.81 }
local x, y, p = coordinates("x", "y", "p")
kinetic(m * (dot(x)^2 + dot(y)^2) / 2 + 0.3 * dot(p)^2 + 0.1 * m * cos(p) * dot(x) * dot(p))
potential(m * g * y + 3 * x^2 + p^2)
contact { "left", gap = y - 0.4 * sin(p) - 0.05 * x^2, restitution = e1 }
contact { "right", gap = y + 0.4 * sin(p) + 0.02 * sin(time()), restitution = e2 }
initial { x = 0.2, y = 0.3, p = 0.11, [dot(p)] = -0.3 }
integrate { scheme = "SCHEME", h = 0.002, until_t = 0.7, impact_law = "LAW" }
LUA
for scheme in moreau-jean event-driven; do
    for law in lzb newton poisson binary; do
        sed "s/SCHEME/$scheme/; s/LAW/$law/" net.lua > case.lua
        agrees case.lua 0.5
        [ "${CAROM_SANITIZED:-}" != yes ] || break
    done
done

# a ball strikes two that touch; with one restitution Moreau's law and Newton's are one
cat > three.lua << 'LUA'
local e1, e2, v0 = param { "e1", 0.5 }, param { "e2", 0.7 }, param { "v0", 1 }
local a, b, c = coordinates("a", "b", "c")
mass(1)
contact { "ab", gap = b - a, restitution = e1 }
contact { "bc", gap = c - b, restitution = e2 }
initial { a = -0.1037, [dot(a)] = v0 }
integrate { scheme = "event-driven", h = 0.01, until_t = 0.3, impact_law = "LAW" }
LUA
derivatives() { # LAW: d v / d e1, d e2, d v0, of a, b and c
    sed "s/LAW/$1/" three.lua > case.lua
    "$CAROM" run case.lua --sensitivity e1,e2,v0 --json > case.json
    python3 -c '
import json
s = json.load(open("case.json"))["sensitivity"]
assert s["method"] == "exact" and s["breaks"] == [], s
print(" ".join("%.10g" % (round(s["v"][x][p], 12) + 0) for x in "abc" for p in ("e1", "e2", "v0")))'
}
# Newton: G p = (1 + e1, 0), G = [[2, -1], [-1, 2]]: p = (1 + e1) (2/3, 1/3), v = (1 - p1, p1 - p2, p2)
[ "$(derivatives newton)" = '-0.6666666667 0 0 0.3333333333 0 0.5 0.3333333333 0 0.5' ] || fail "newton: $(derivatives newton)"
# Poisson: p_C = (2/3, 1/3), p = ((1 + e1) 2/3, (1 + e2) 1/3), more where bc would be penetrated: it is not
[ "$(derivatives poisson)" = '-0.6666666667 0 0 0.6666666667 -0.3333333333 0.4333333333 0 0.3333333333 0.5666666667' ] ||
    fail "poisson: $(derivatives poisson)"
# binary: p1 = (1 + e1)/2, then bc with p2 = (1 + e2)/2 p1, and so on; v_c by v0 is v_c, since all is linear
derivatives binary > found
"$CAROM" run case.lua --json > case.json
python3 -c '
import json
v = json.load(open("case.json"))["final"]["v"]
numbers = [float(x) for x in open("found").read().split()]
assert max(abs(numbers[3 * i + 2] - v[x]) for i, x in enumerate("abc")) < 1e-12, (numbers, v)
assert abs(sum(numbers[0::3])) < 1e-12 and abs(sum(numbers[1::3])) < 1e-12   # momentum stays'

# a contact that decides nothing: told, with the side
sed 's/LAW/newton/; s/c - b/c - b - 0.1/; s/initial { /initial { b = -0.1037, c = -0.0037, [dot(b)] = 1, /' three.lua > weak.lua
"$CAROM" run weak.lua --sensitivity q:a --json > weak.json
has weak.json '"why":"contact '

# lzb integrates the inside of the impact: all its numbers are parameters; of equal exponents velocities are proportional to v0
cat > lzb.lua << 'LUA'
local e1, e2, v0, k = param { "e1", 0.5 }, param { "e2", 0.7 }, param { "v0", 1 }, param { "k", 2 }
local n, m = param { "n", 1.5 }, param { "m", 1.2 }
local a, b, c = coordinates("a", "b", "c")
mass { a = 1, b = m, c = 1 }
contact { "ab", gap = b - a, restitution = e1, stiffness = k, exponent = n }
contact { "bc", gap = c - b - 1e-13, restitution = e2, exponent = n }
initial { a = -0.1037, c = 1e-13, [dot(a)] = v0 }
integrate { scheme = "event-driven", h = 0.01, until_t = 0.3, impact_law = "lzb" }
LUA
"$CAROM" run lzb.lua --sensitivity e1,e2,v0,k,n,m --json > lzb.json
for side in +1 -1; do
    for name in e1=0.5 k=2 n=1.5 m=1.2; do
        value=$(python3 -c "print(${name#*=} $side * 0.005)")
        "$CAROM" run lzb.lua --set "${name%=*}=$value" --option impact_step=1e-3 --json > "${name%=*}$side.json"
    done
done
python3 - << 'PYTHON'
import json
run = json.load(open("lzb.json"))
s, v = run["sensitivity"], run["final"]["v"]
assert s["method"] == "exact" and s["breaks"] == [], s
for p in ("e1", "k", "n", "m"):                           # differences of a law with short steps
    up, down = (json.load(open(p + side + ".json"))["final"]["v"] for side in ("+1", "-1"))
    for x in "abc":
        difference = (up[x] - down[x]) / 0.01
        assert abs(s["v"][x][p] - difference) < 2e-5 * (1 + abs(difference)), (p, x, s["v"][x][p], difference)
mass = {"a": 1, "b": 1.2, "c": 1}
for x in "abc":
    assert abs(s["v"][x]["v0"] - v[x]) < 1e-9, (x, s["v"][x], v[x])
for p in ("e1", "e2", "k", "n"):                                # momentum stays
    assert abs(sum(mass[x] * s["v"][x][p] for x in "abc")) < 1e-12, (p, s["v"])
assert abs(sum(mass[x] * s["v"][x]["m"] for x in "abc") + v["b"]) < 1e-12
PYTHON
# one contact: v+ = -e v-, whatever is inside
cat > one.lua << 'LUA'
local e, v0 = param { "e", 0.6 }, param { "v0", 2 }
local y = coordinates("y")
mass(1.7)
contact { "wall", gap = y, restitution = e, stiffness = 30, exponent = EXPONENT }
initial { y = 0.513, [dot(y)] = -v0 }
integrate { scheme = "SCHEME", h = 0.01, until_t = 0.5, impact_law = "lzb" }
LUA
for scheme in event-driven moreau-jean; do
    for exponent in 1.5 1 2; do
        sed "s/EXPONENT/$exponent/; s/SCHEME/$scheme/" one.lua > case.lua
        "$CAROM" run case.lua --sensitivity e,v0 --json > case.json
        python3 -c '
import json
v = json.load(open("case.json"))["sensitivity"]["v"]["y"]
assert abs(v["e"] - 2) < 1e-9 and abs(v["v0"] - 0.6) < 1e-9, v'
        [ "${CAROM_SANITIZED:-}" != yes ] || break
    done
done
# an exponent below 1 has a force without derivative where a contact begins: told, and null from then on; other methods have none
sed 's/EXPONENT/0.7/; s/SCHEME/event-driven/' one.lua > case.lua
"$CAROM" run case.lua --sensitivity e --json > case.json
has case.json 'the law of impact has no derivatives there'
"$CAROM" run lzb.lua --option impact_method=time --sensitivity v0 --json > time.json
has time.json 'impact_method = '
has time.json '"method":"differences"'
