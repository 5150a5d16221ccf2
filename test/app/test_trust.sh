#!/bin/sh
# What a run says about itself: the certificate in summary, JSON and tables, events, digits that stand, times that are
# not in the run.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > ball.lua << 'LUA'
local e, v = param { "e", 0.8 }, param { "v", 0 }
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = e }
initial { y = 1, [dot(y)] = v }
integrate { h = 1e-3, until_t = 2 }
measure { height = y, hits = times(impact "floor"), late = at(y, { 1, 5 }) }
LUA

# a good run
"$CAROM" run ball.lua > summary
has summary 'trusted    works: forces 0, contacts '
"$CAROM" run ball.lua --events - --certify --json > run.json
has run.json '"certificate":{"trusted":true,"energy":{"initial":9.81'
has run.json '"doubts":[]'
has run.json '"events":[{"t":0.453'
has run.json '"kind":"impact","contact":"floor","rate_before":-4.43'
has run.json '"certify":{"height":{"value":0.26'
has run.json '"late":[0.470196234999995'
grep -q '"late":\[0.4701962[0-9]*,null\]' run.json || fail 'a time after the end has a value'

# a doubtful one
"$CAROM" run ball.lua --h 0.4 > doubtful
has doubtful 'doubtful   works'
has doubtful "doubt      penetration: contact 'floor' is violated by "
"$CAROM" run ball.lua --h 0.4 --json > doubtful.json
has doubtful.json '"trusted":false'

# tables
"$CAROM" run ball.lua --events impacts.csv --quiet
has impacts.csv 't,kind,contact,rate_before,rate_after,impulse,energy_before,energy_after'
[ "$(grep -c ',impact,floor,' impacts.csv)" -eq 3 ] || fail "$(cat impacts.csv)"
"$CAROM" sweep ball.lua --over v=0,1 --csv sweep.csv --quiet
has sweep.csv 'v,status,steps,wall_s,trusted,height'
grep -q '^1,ok,2000,[^,]*,true,' sweep.csv || fail "$(cat sweep.csv)"
"$CAROM" sweep ball.lua --over v=0,1 --h 0.4 --csv coarse.csv --quiet
grep -q '^1,ok,5,[^,]*,false,' coarse.csv || fail "$(cat coarse.csv)"

# times after the end; shown without --json
"$CAROM" run ball.lua --at 0.5 > at.txt
has at.txt '  at t = 0.5'
refused run 2 '--at 5 is after the end of the run, which goes from t = 0 to 2' -- ball.lua --at 5
refused run 2 '--at -1 is before the start of the run, which goes from t = 0 to 2' -- ball.lua --at -1
refused run 2 '--events - puts the events into the JSON' -- ball.lua --events -
sed 's/{ 1, 5 }/{ -1, 1, 5 }/' ball.lua > early.lua
"$CAROM" run early.lua --json > early.json
grep -q '"late":\[null,0.4701962[0-9]*,null\]' early.json || fail 'a time before the start has a value'
"$CAROM" run early.lua > early
grep -q '    late    none 0.47019623 none' early || fail "$(cat early)"

# penalty: a start inside an obstacle loads its spring, the depth of rest does not
for depth in 0.01 9.81e-6; do
    cat > inside.lua << LUA
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = 0.5 }
initial { y = -$depth, gap_tolerance = 0.1 }
integrate { scheme = "penalty", h = 0.01, until_t = 1, n = 1e6 }
LUA
    "$CAROM" run inside.lua > "inside-$depth"
done
has inside-0.01 "doubt      penetration: contact 'floor' begins to push at t = 0 with a gap of -0.01"
if grep -q 'begins to push' inside-9.81e-6; then fail 'rest is doubted'; fi

# A law of impact that is chosen: its work is its own, whatever forces do in the rest of the step.
cat > law.lua << 'END'
local y = coordinates("y")
mass(1)
potential(60 * y)
contact { "floor", gap = y, restitution = 1 }
initial { y = 1 }
integrate { scheme = "moreau-jean", h = 2e-3, until_t = 3, impact_law = "newton" }
END
"$CAROM" run law.lua --json > law.json
python3 - << 'END' || fail 'works of a chosen law of impact'
import json
certificate = json.load(open("law.json"))["certificate"]
assert certificate["trusted"] and abs(certificate["energy"]["contacts"]) < 1e-9 and abs(certificate["energy"]["scheme"]) < 1e-9
END
