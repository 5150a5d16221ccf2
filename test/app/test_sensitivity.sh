#!/bin/sh
# carom run --sensitivity: its JSON, samples, summary, CSV and run file; every measure against differences of runs; names that
# there are not; what has no exact derivatives.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > ball.lua << 'LUA'
local e, g, y0, h = param { "e", 0.8 }, param { "g", 9.81 }, param { "y0", 1.0037 }, param { "h", 0.001 }
local n = param { "n", 3, integer = true }
local x, y = coordinates("x", "y")
kinetic((dot(x)^2 + dot(y)^2)/2)
potential(g*y + 0.1*n*x^2)
contact { "floor", gap = y, slip = dot(x), restitution = e, friction = 0.03*g/9.81 }
initial { x = 0, y = y0, [dot(x)] = 1 }
integrate { scheme = "moreau-jean", h = h, until_t = 1.9995 }
record { square = y^2, e_total = energy(), push = impulse("floor") }
measure { height = y, mean = mean(y), rms = rms(x), spread = deviation(y), most = maximum(dot(y)), least = minimum(y),
          hits = count(impact "floor"), times = times(impact "floor"), first = first(impact "floor"), tops = peaks(y),
          turns = crossings(dot(y)), given = total(impulse("floor")), at = at(y, { 0.3, 1.0 }), both = { x, y },
          held = fraction(touching "floor"), there = at(x, first(impact "floor")), late = mean(y, { from = 1 }) }
LUA
"$CAROM" run ball.lua --sensitivity e,g,y0,q:y,v:x,h --at 0.3,1 --json > exact.json
for name in e g y0; do
    value=$("$CAROM" show ball.lua --json | python3 -c "
import json, sys
print(next(p['default'] for p in json.load(sys.stdin)['params'] if p['name'] == '$name'))")
    for sign in + -; do
        "$CAROM" run ball.lua --set "$name=$(python3 -c "print(repr($value $sign 1e-6))")" --at 0.3,1 --json > "$name$sign.json"
    done
done
python3 - << 'PYTHON' || fail 'derivatives and differences differ'
import json

exact = json.load(open("exact.json"))
found = exact["sensitivity"]
assert found["method"] == "exact" and found["breaks"] == [], found["breaks"]


def flat(value):
    return value if isinstance(value, list) else [value]


def compare(what, name, derivative, above, below):
    for d, a, b in zip(flat(derivative), flat(above), flat(below)):
        slope = (a - b) / 2e-6
        assert abs(d - slope) <= 1e-5 * (1 + abs(slope)), (what, name, d, slope)


for name in ("e", "g", "y0"):
    up, down = (json.load(open(name + sign + ".json")) for sign in "+-")
    for part in "qv":
        for coordinate, by in found[part].items():
            compare(coordinate, name, by[name], up["final"][part][coordinate], down["final"][part][coordinate])
    assert set(found["measures"]) == set(up["measures"])
    for measure, by in found["measures"].items():
        compare(measure, name, by[name], up["measures"][measure], down["measures"][measure])
    for sample, above, below in zip(exact["samples"], up["samples"], down["samples"]):
        for record, by in sample["sensitivity"]["records"].items():
            compare(record, name, by[name], above["records"][record], below["records"][record])
assert found["q"]["y"]["q:y"] == found["q"]["y"]["y0"]
assert found["measures"]["hits"]["e"] == 0
PYTHON

# the columns of CSV are those of the summary and of JSON; a run file has the group
"$CAROM" run ball.lua --sensitivity e --csv out.csv --out out.h5 > summary
has summary 'derivatives by'
has summary 'note'
head -n 1 out.csv > header
has header ',d x / d e,d y / d e,d v_x / d e,d v_y / d e,d e_total / d e,d push / d e,d square / d e'
python3 - << 'PYTHON' || fail 'CSV and JSON differ'
import csv, json
last = list(csv.DictReader(open("out.csv")))[-1]
found = json.load(open("exact.json"))["sensitivity"]
assert float(last["d y / d e"]) == found["q"]["y"]["e"] and float(last["d v_y / d e"]) == found["v"]["y"]["e"]
assert float(last["d square / d e"]) == found["records"]["square"]["e"]
PYTHON
grep -qa sensitivity out.h5 || fail 'the run file has no sensitivities'

# two equal balls, elastic: velocities are exchanged, exactly
cat > two.lua << 'LUA'
local a, b = coordinates("a", "b")
mass(1)
contact { "touch", gap = b - a, restitution = 1 }
initial { b = 0.1037, [dot(a)] = 1, [dot(b)] = 0.25 }
integrate { h = 0.01, until_t = 0.3 }
LUA
"$CAROM" run two.lua --sensitivity v:a,v:b --json > two.json
has two.json '"v":{"a":{"v:a":0,"v:b":1},"b":{"v:a":1,"v:b":0}}'

# what has no exact ones says so, and its differences are good
cat > law.lua << 'LUA'
local e = param { "e", 0.8 }
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = e }
initial { y = 1.0037 }
integrate { h = 0.001, until_t = 0.8, impact_law = "lzb", impact_method = "time" }
measure { y = y }
LUA
"$CAROM" run law.lua --sensitivity e,v:y --json > law.json
has law.json '"method":"differences"'
has law.json "the impact law 'lzb' has derivatives with"
python3 - << 'PYTHON' || fail 'differences are not good'
import json
found = json.load(open("law.json"))["sensitivity"]
assert 0 < found["error"] < 1e-6 and abs(found["measures"]["y"]["e"] - found["q"]["y"]["e"]) < 1e-9
assert abs(found["v"]["y"]["v:y"] + 0.8) < 1e-6
PYTHON
"$CAROM" run law.lua --sensitivity e > law.txt
has law.txt 'derivatives from differences of whole runs'

# differences: at the end of a range on one side, of large numbers with steps of their size; every measure has its own
cat > ends.lua << 'LUA'
local e, E = param { "e", 0, min = 0, max = 1 }, param { "E", 2e11 }
local y = coordinates("y")
mass(1)
potential(9.81 * y * E / 2e11)
contact { "floor", gap = y, restitution = e }
initial { y = 1.0037 }
integrate { h = 0.001, until_t = 0.3, impact_law = "lzb", impact_method = "time" }
measure { y = y, by_e = 3 * e^2 + 2 * e }
LUA
"$CAROM" run ends.lua --sensitivity e,E --json > ends.json
python3 - << 'PYTHON' || fail 'differences at the end of a range, or of a large number'
import json
found = json.load(open("ends.json"))["sensitivity"]
assert found["method"] == "differences" and found["breaks"] == [], found
assert abs(found["measures"]["by_e"]["e"] - 2) < 1e-8, found
assert abs(found["v"]["y"]["E"] * 2e11 + 9.81 * 0.3) < 1e-6, found
PYTHON

# a corner: a closed contact that is struck on one side only
"$CAROM" run paoli-2001/corner --sensitivity angle --json > corner.json
has corner.json "contact 'floor' is closed and takes no part in an impact: on one side it is struck; taken: it stays closed"

# times at which groups of impacts begin, jumps of a mean; a maximum that two outputs share has no derivative
cat > groups.lua << 'LUA'
local g, h = param { "g", 9.81 }, param { "h", 0.01 }
local y, x = coordinates("y", "x")
mass(1)
potential(g * y)
force { x = 0 }
contact { "floor", gap = y, restitution = 0.5 }
initial { y = 1, x = 1 }
integrate { scheme = "event-driven", h = h, until_t = 1.2 }
measure { begins = episode_times(impact "floor", { apart = 0.4 }), times = times(impact "floor"), up = jumps(-dot(y), { low = 0, high = 1, over = 0.05 }),
          top = maximum(x), low = minimum(abs(y - 1)) }
LUA
"$CAROM" run groups.lua --sensitivity g,v:x,h --json > groups.json
python3 - << 'PYTHON' || fail 'episode_times, jumps or shared extremes'
import json
r = json.load(open("groups.json"))
found, measures = r["sensitivity"]["measures"], r["measures"]
first = measures["times"].index(measures["begins"][1]) if len(measures["begins"]) > 1 else 0
assert measures["begins"][0] == measures["times"][0] and found["begins"]["g"][0] == found["times"]["g"][0]
assert abs(found["begins"]["g"][0] + 0.5 * (2 / 9.81) ** 0.5 / 9.81) < 1e-12
assert len(found["begins"]["g"]) == len(measures["begins"]) and found["begins"]["g"][-1] == found["times"]["g"][first]
assert found["up"]["g"] == [0] * len(measures["up"]) and len(measures["up"]) > 0
assert found["top"]["g"] == 0 and found["top"]["v:x"] is None and found["low"]["g"] == 0
steps = round((measures["up"][0] + 0.02) / 0.01)
assert abs(found["up"]["h"][0] - (steps - 2)) < 1e-9, (found["up"], measures["up"])
PYTHON

# a ball at rest on the floor: its position has no derivative, and that is said once
sed 's/y = 1.0037/y = 0/; s/, impact_law = "lzb", impact_method = "time"//' law.lua > rest.lua
"$CAROM" run rest.lua --sensitivity q:y --json > rest.json
has rest.json '"breaks":[{"t":0,"why":"contact '\''floor'\'' has gap 0 where the step looks: it acts on one side only; taken: the side on which it acts"}]'

# names
refused run 2 "'mass' is neither a parameter nor an initial value; there are: e, g, y0, h, q:x, q:y, v:x, v:y" -- ball.lua --sensitivity mass
refused run 2 "'n' is a whole number" -- ball.lua --sensitivity e,n
refused run 2 "'q:z' is neither" -- ball.lua --sensitivity q:z
refused run 2 "'e' is asked for twice" -- ball.lua --sensitivity e,e
refused run 2 'needs names such as e,q:y' -- ball.lua --sensitivity e,
