#!/bin/sh
# Studies: model files that have nothing that moves.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > study.lua << 'LUA'
experiment { title = "partial sums" }
local n = setting { "n", 4, integer = true, min = 1, max = 100 }
local a = param { "a", 2 }
local sum, curve = 0, { label = "sum" }
for i = 1, n do
  sum = sum + 0.5^i
  curve[i] = { i, sum }
end
measure { sum = sum, scaled = a * sum, list = { sum, a }, above = sum > 2 and sum or false, nothing = {} }
plot { "sums", xlabel = "n", ylabel = "sum", outline(curve) }
LUA

"$CAROM" run study.lua --set n=3 > out
has out '  study      computed in '
has out 'sum      0.875'
has out 'scaled   1.75'
has out 'list     0.875 2'
has out 'above    none'
has out 'nothing  none'
if grep -q 'energy\|scheme' out; then fail 'a study tells of a motion'; fi
"$CAROM" run study.lua --at 0 --json > run.json
has run.json '"scheme":"none","h":0,"t_end":0,"steps":0'
has run.json '"q":{}'
has run.json '"above":null,"list":[0.9375,2],"nothing":[]'
has run.json '"sum":0.9375'
"$CAROM" run study.lua --plot pictures 2> err
[ -s pictures/sums.png ] || fail 'no picture'
has pictures/sums.dat '0.9375'

# parameters and settings can be swept
"$CAROM" sweep study.lua --over n=1:3:3 --over a=1,4 --measure scaled > out 2> err
has out '3        0.875          3.5'

# run files: again, with a change, and their pictures
"$CAROM" run study.lua --out study.h5 > out
"$CAROM" run study.h5 --set n=1 --set a=6 > out
has out 'scaled   3'
"$CAROM" plot study.h5 -o again > out
[ -s again/sums.png ] || fail 'no picture of the run file'

# show and check
"$CAROM" show study.lua > out
has out 'a study: nothing moves, carom run computes it'
if grep -q 'schemes' out; then fail 'a study has schemes'; fi
"$CAROM" show study.lua --json > out
has out '"schemes":[]'
"$CAROM" check study.lua > out
has out 'a study with 5 measures'

# what needs a motion is refused
for option in '--scheme inel' '--h 0.1' '--until 2' '--option av=0'; do
    # shellcheck disable=SC2086
    refused run 2 'it takes no scheme, step, end or options' -- study.lua $option
done
refused converge 2 'there is no run to look at' -- study.lua --h 0.1,0.05
refused orbit 2 'there is no run to look at' -- study.lua --period 1 --impacts wall
refused modes 2 'there is no run to look at' -- study.lua
refused impact 2 'there is no run to look at' -- study.lua --law newton
refused sweep 2 'it takes no scheme' -- study.lua --over a=1,2 --scheme inel

# half a model is not a study
echo 'measure { one = 1 } integrate { h = 0.1, until_t = 1 }' > half.lua
refused run 2 'the model has no coordinates' -- half.lua
echo 'local k = param { "k", 1 }' > empty.lua
refused run 2 'the model has no coordinates' -- empty.lua
