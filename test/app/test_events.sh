#!/bin/sh
# Impacts that are located: counts and times whatever the output interval, values at an impact, Ctrl-C inside a long
# output interval, a restitution that goes wrong later, a gain of energy that the law makes.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# a ball: the same events at any output interval, also those of the step in which the run ends
cat > ball.lua << 'LUA'
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = 0.9 }
initial { y = 1 }
integrate { scheme = "event-driven", h = 0.1, until_t = 7 }
measure { count = count(impact "floor"), first = first(impact "floor"), last = last(impact "floor"),
          times = times(impact "floor"), speed = at(dot(y), first(impact "floor")), place = at(y, first(impact "floor")) }
LUA
for h in 0.01 0.07 1 7; do
    "$CAROM" run ball.lua --h "$h" --json > "ball-$h.json"
    sed 's/.*"contacts":{[^}]*"impacts":\([0-9]*\).*/\1/' "ball-$h.json" > "impacts-$h"
    grep -o '"count":[0-9]*' "ball-$h.json" | sed 's/.*://' > "count-$h"
    cmp "impacts-$h" "count-$h" || fail "the summary and count differ at h = $h"
    cmp "impacts-0.01" "impacts-$h" || fail "other impacts at h = $h than at h = 0.01"
    has "ball-$h.json" '"first":0.451523640'
    has "ball-$h.json" '"speed":-4.42944691' # before the impact, at the impact
done
[ "$(cat count-7)" -gt 10 ] || fail 'there are not so few impacts'
"$CAROM" run ball.lua --h 30 --until 30 --json > zeno.json 2> err && fail 'an accumulation of impacts ends a run'
has zeno.json '"status":"zeno"'
if grep -q '"impacts":0' zeno.json; then fail 'the impacts before the accumulation are lost'; fi

# episodes: impacts less than a time apart are one. After the first the ball flies for 0.4515, 0.2258, 0.1129, 0.0564, ...
sed 's/restitution = 0.9/restitution = 0.5/; s/until_t = 7/until_t = 2, zeno = "continue"/; /^measure/,$d' ball.lua > lands.lua
echo 'measure { landings = episodes(impact "floor", { apart = 0.1 }), began = episode_times(impact "floor", { apart = 0.1 }),
                late = episodes(impact "floor", { apart = 0.1, from = 1 }), held = episodes(touching "floor", { apart = 0.1 }) }' >> lands.lua
for h in 0.001 0.01 2; do
    "$CAROM" run lands.lua --h $h --json > lands.json
    has lands.json '"landings":4'
    has lands.json '"late":2'
    has lands.json '"began":[0.4515236409857'
    [ $h = 2 ] || has lands.json '"held":4'
done
grep -o '"began":[^]]*' lands.json | tr '[' ',' | awk -F, '{
    want[2] = 0.451523640985728; want[3] = 2 * want[2]; want[4] = 2.5 * want[2]; want[5] = 2.75 * want[2]
    for (i = 2; i <= 5; i++) if ($i - want[i] > 1e-9 || want[i] - $i > 1e-9) exit 1 }' || fail 'when episodes begin'
sed 's/, zeno = "continue"//; s/event-driven/moreau-jean/; s/h = 0.1,/h = 1e-4,/' lands.lua > steps.lua
"$CAROM" run steps.lua --json > lands.json
has lands.json '"landings":4'
sed 's/apart = 0.1/apart = 0/' lands.lua > wrong.lua
refused run 2 "measure 'landings': apart = 0 must be a positive time" -- wrong.lua
sed 's/{ apart = 0.1 }/{}/' lands.lua > wrong.lua
refused run 2 'episodes needs apart, the least time' -- wrong.lua
sed 's/, { apart = 0.1 }//' lands.lua > wrong.lua
refused run 2 'episodes takes an event and its named arguments' -- wrong.lua

# Ctrl-C inside one output interval
cat > long.lua << 'LUA'
local x = coordinates("x")
mass(1)
potential(1e8 * x^2 / 2)
contact { "wall", gap = x + 0.5, restitution = 1 }
initial { x = 1 }
integrate { scheme = "event-driven", h = 1000, until_t = 1000, max_events = 1e9 }
LUA
"$CAROM" run long.lua --json > long.json 2> err &
pid=$!
hears $pid
sleep 0.5
kill -INT $pid
tries=0
while kill -0 $pid 2> /dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || { kill -KILL $pid; fail 'Ctrl-C does not end a long output interval'; }
    sleep 0.05
done
status=0
wait $pid || status=$?
[ "$status" -eq 1 ] || fail "an interrupted run exits with $status"
has long.json '"status":"interrupted"'

# a restitution is looked at in every impact
cat > later.lua << 'LUA'
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = 0.8 - 1.5 * time() }
initial { y = 1 }
integrate { scheme = "event-driven", h = 0.01, until_t = 3 }
LUA
refused run 1 "contact 'floor': restitution -0." -- later.lua --quiet
has err 't = 0.56'

# different restitutions at once: Newton's law, and what it gains is told
cat > row.lua << 'LUA'
local gain = setting { "gain", 0 }
if gain == 0 then
  chain { balls = 3, mass = { 10, .1, 10 }, velocity = { 1, .5, -1 }, restitution = { .5, 1 } }
else
  chain { balls = 3, velocity = { 1, 0, .1 }, restitution = { 1, 0 } }
end
integrate { scheme = "event-driven", h = 0.1, until_t = 1 }
LUA
"$CAROM" run row.lua --json > row.json
has row.json '"final":7.67574626865'
if grep -q energy-gain row.json; then fail 'no energy was gained'; fi
"$CAROM" run row.lua --set gain=1 --json > row.json
has row.json "\"energy-gain: the law of impact made the energy 0.03 at t = 0 (contacts 'c1', 'c2')"

# obstacles that one step of the integrator would pass, and the option that looks for them
cat > walls.lua << 'LUA'
local x = coordinates("x")
mass(1)
contact { "walls", gap = min(abs(x - 1), abs(x - 2)) - 0.005, restitution = 0.5 }
contact { "far", gap = 10 - x } -- the length, of which the longest step is a share
initial { [dot(x)] = 100 }
integrate { scheme = "event-driven", h = 1, until_t = 1 }
measure { x_end = x }
LUA
"$CAROM" run walls.lua --json > walls.json
has walls.json '"gap_check":2'
has walls.json '"x_end":-48.507'
"$CAROM" run walls.lua --option gap_check=0 --json > walls.json
has walls.json '"x_end":1.577265' # behind the first wall

# coefficients that go wrong while contacts are closed: the restitution of a ball that rests, the friction of a block that
# slides, which begins late or falls below zero
cat > slide.lua << 'LUA'
local e, mu = param { "e", 0 }, param { "mu", 0 }
local x, y = coordinates("x", "y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, slip = dot(x), restitution = 0.5 + e * time(), friction = mu * max(0, time() - 1) }
initial { x = 0, [dot(x)] = 1 }
integrate { scheme = "event-driven", h = 0.1, until_t = 2 }
LUA
"$CAROM" run slide.lua --json > slide.json || fail 'a block slides without friction'
for scheme in event-driven penalty; do
    for wrong in e=-1:'restitution -.* is not in' mu=-1:'friction coefficient 1 is -' mu=1:'has friction, which scheme'; do
        if "$CAROM" run slide.lua --scheme $scheme --set "${wrong%%:*}" --json > slide.json 2> err; then
            fail "$scheme with ${wrong%%:*} is not ok"
        fi
        grep -q "${wrong#*:}" err || fail "$scheme with ${wrong%%:*}: $(cat err)"
        has slide.json '"status":"failed"'
    done
done

# penalty: contacts begin and end at the same times whatever the output interval, a release has the impulse of the contact, and
# the derivatives of the times agree with differences
cat > spring.lua << 'LUA'
local w = param { "w", 1.9 }
local x = coordinates("x")
mass(1.3)
force { x = -x - 0.3 * x^3 - 0.1 * dot(x) + 1.6 * cos(w * time()) }
contact { "stop", gap = 0.3 - x, restitution = 0.7 }
initial { x = 0.1, [dot(x)] = 0 }
integrate { scheme = "penalty", h = 0.05, until_t = 12, n = 1e4 }
measure { hits = count(impact("stop")), second = times(impact("stop")) }
LUA
for h in 0.05 5; do
    "$CAROM" run spring.lua --h $h --json --events - --csv spring-$h.csv --sensitivity w > spring-$h.json || fail "penalty with h = $h"
done
for w in 1.899999 1.900001; do
    "$CAROM" run spring.lua --set w=$w --json --events - > spring-w$w.json || fail "penalty with w = $w"
done
python3 - << 'PYTHON' || fail "events of penalty"
import csv, json
fine, coarse, before, after = (json.load(open("spring-%s.json" % name)) for name in ("0.05", "5", "w1.899999", "w1.900001"))
same = lambda a, b, tolerance: len(a) == len(b) > 3 and all(abs(x - y) <= tolerance * max(1, abs(y)) for x, y in zip(a, b))
times = [[e["t"] for e in run["events"]] for run in (fine, coarse, before, after)]
assert same(times[0], times[1], 1e-9), times
assert fine["contacts"]["impacts"] == coarse["contacts"]["impacts"] == fine["measures"]["hits"] == 4, fine
assert same(fine["measures"]["second"], [e["t"] for e in fine["events"] if e["kind"] == "impact"], 0)
slopes = [e["w"] for e in fine["sensitivity"]["events"]]
assert same(slopes, [(y - x) / 2e-6 for x, y in zip(*times[2:])], 1e-5), slopes
assert same(slopes, [e["w"] for e in coarse["sensitivity"]["events"]], 1e-7), slopes
given = sum(e["impulse"] for e in fine["events"] if e["kind"] == "release")
with open("spring-0.05.csv") as file:
    rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
total = sum(float(row["stop.impulse"]) for row in rows)
assert abs(given - total) <= 1e-9 * total, (given, total)
PYTHON

# ... in surveys, too
for h in 0.05 2; do
    "$CAROM" lyapunov spring.lua --scheme penalty --time 60 --h $h --json > exponents-$h.json || fail "lyapunov of penalty with h = $h"
    "$CAROM" bifurcation spring.lua --scheme penalty --param w --from 1.9 --to 1.95 --points 2 --iterates 4 --skip 20 --h $h --threads 1 \
        --json > diagram-$h.json 2> /dev/null || fail "bifurcation of penalty with h = $h"
done
python3 - << 'PYTHON' || fail "impacts of penalty in surveys"
import json
read = lambda name: [json.load(open("%s-%s.json" % (name, h))) for h in ("0.05", "2")]
fine, coarse = read("exponents")
assert fine["impacts"] == coarse["impacts"] > 10, (fine["impacts"], coarse["impacts"])
sums = [run["check"]["sum"] for run in (fine, coarse)]
assert abs(sums[0] - sums[1]) <= 1e-9 * abs(sums[0]), sums
counts = [[p["impacts_per_return"] for p in d["points"]] for d in read("diagram")]
assert counts[0] == counts[1] and counts[0][0] > 0, counts
PYTHON
