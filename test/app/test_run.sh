#!/bin/sh
# The program from outside: JSON, CSV, run files, pictures, failures that keep what was computed.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# one JSON object, one line, with every key of the contract
"$CAROM" run moreau-1986/trial-04 --at 0.5,1 --json > run.json 2> err
[ ! -s err ] || fail 'messages on stderr'
[ "$(wc -l < run.json)" -eq 1 ] || fail 'JSON is not one line'
for key in status experiment scheme h t_end steps wall_s final energy contacts measures params samples family; do
    has run.json "\"$key\":"
done
has run.json '"status":"ok"'
if grep -qiE '[:,\[](nan|-?inf)' run.json; then fail 'NaN or infinity in JSON'; fi

# --h sets the parameter the model uses
"$CAROM" run moreau-1986/trial-04 --h 0.0025 --no-family --json > run.json
has run.json '"steps":400'
has run.json '"h":0.0025000000000000001,"omega0"'

# works from any directory, and with a model of one's own
mkdir -p elsewhere/models
cat > elsewhere/models/ball.lua << 'LUA'
local e = param { "e", 0.8, min = 0, max = 1 }
local x, y = coordinates("x", "y")
kinetic((dot(x)^2 + dot(y)^2) / 2)
potential(9.81 * y)
contact { "floor", gap = y, slip = dot(x), restitution = e, friction = 0.3 }
initial { x = 0, y = 1, [dot(x)] = 1 }
integrate { h = 1e-3, until_t = 2 }
measure { bounces = count(impact "floor"), height = maximum(y, { from = 1 }) }
print("a message")
LUA
(cd elsewhere && "$CAROM" run models/ball.lua --json --set e=0.5 > ../ball.json 2> ../ball.err)
has ball.json '"e":0.5'
has ball.err 'a message'

# the same run twice gives the same bytes; CSV has a header and a line per output
"$CAROM" run elsewhere/models/ball.lua --csv one.csv --out one.h5 --quiet 2> /dev/null
"$CAROM" run elsewhere/models/ball.lua --csv two.csv --out two.h5 --quiet 2> /dev/null
cmp one.csv two.csv || fail 'CSV differs between two runs'
cmp one.h5 two.h5 || fail 'run file differs between two runs'
[ "$(wc -l < one.csv)" -eq 2002 ] || fail 'CSV does not have 2001 rows'
has one.csv 't,x,y,v_x,v_y,energy,floor.gap,floor.impulse'
"$CAROM" run elsewhere/models/ball.lua --csv - --every 100 2> /dev/null | wc -l | grep -qx ' *22' || fail '--every'

# a run is reproduced from its own file, options and all
"$CAROM" run elsewhere/models/ball.lua --set e=0.6 --h 2e-3 --option theta=0.6 --csv first.csv --out first.h5 --quiet 2> /dev/null
rm -r elsewhere
"$CAROM" run first.h5 --csv again.csv --quiet 2> /dev/null
cmp first.csv again.csv || fail 'a run file does not reproduce its run'

# pictures: from the run and from its file
"$CAROM" run moreau-1986/trial-08 --out bar.h5 --plot pictures --quiet
for kind in png svg gp dat; do
    [ -s "pictures/trial-08.$kind" ] || fail "no pictures/trial-08.$kind"
done
"$CAROM" plot bar.h5 -o again > plotted
has plotted 'again/trial-08.png'
cmp pictures/trial-08.svg again/trial-08.svg || fail 'the picture of the run file differs'

# a step that fails ends with status 1, says where, and keeps what was computed
cat > blowup.lua << 'LUA'
local x = coordinates("x")
kinetic(dot(x)^2 / 2)
force { x = sqrt(1 - x) }
initial { x = 0 }
integrate { scheme = "inel", h = 1e-2, until_t = 5 }
LUA
status=0
"$CAROM" run blowup.lua --json --out blowup.h5 --csv blowup.csv > blowup.json 2> err || status=$?
[ "$status" -eq 1 ] || fail "a failed run exits with $status"
has blowup.json '"status":"failed"'
has err 't ='
[ "$(wc -l < blowup.csv)" -gt 50 ] || fail 'the rows before the failure are lost'
"$CAROM" plot blowup.h5 -o partial > /dev/null
[ -s partial/motion.png ] || fail 'no picture of the part that was computed'

# an interrupted run keeps what was computed
"$CAROM" run moreau-1986/trial-04 --no-family --set h=1e-8 --every 1000 --out long.h5 --json > long.json 2> err &
pid=$!
hears $pid
sleep 1
kill -INT $pid
status=0
wait $pid || status=$?
[ "$status" -eq 1 ] || fail "an interrupted run exits with $status"
has long.json '"status":"interrupted"'
"$CAROM" plot long.h5 -o long > /dev/null || fail 'the run file of an interrupted run does not read'

# energy that grows by itself is doubted, once; energy that does not is not
"$CAROM" run moreau-1986/trial-02 --scheme billiard --json > billiard.json
has billiard.json '"warnings":[]'
has billiard.json '"doubts":["energy: the '
"$CAROM" run moreau-1986/trial-02 --scheme elast --json > elast.json
has elast.json '"warnings":[]'

# show, list, check, help
"$CAROM" show moreau-1986/trial-10-plate-15 --json > show.json
has show.json '"name":"CR","default":-200'
"$CAROM" show moreau-1986/trial-10 > show.txt
has show.txt 'plate-16'
"$CAROM" show bodies/pyramid > show.txt # what pairs of bodies say, not the contact
has show.txt 'b1_1/floor         isotropic friction 0.5'
"$CAROM" show bodies/wall > show.txt
has show.txt 'ball/all           isotropic friction 0.6'
"$CAROM" show dumont-paoli-2008/flat --json > flat.json # obstacles on one side only
has flat.json '"schemes":["paoli-schatzman","sweeping","newmark-contact"]'
"$CAROM" list experiments > list.txt
has list.txt 'moreau-1986/trial-09-plate-12'
"$CAROM" list --json > list.json
has list.json '"schemes":['
for trial in 01 02 03 04 05 06 07 08 09 10; do
    "$CAROM" check moreau-1986/trial-$trial > check.txt || fail "check of trial-$trial"
    has check.txt 'the derivatives are right'
done
"$CAROM" help run | grep -q -- '--plot' || fail 'help run'
"$CAROM" run moreau-1986/trial-04 --until 1 --help | grep -q -- '--plot' || fail 'help after other words'
"$CAROM" --version | grep -q '^carom [0-9]' || fail 'version'
echo 'all as it should be'
