#!/bin/sh
# carom modes: linear modes, windows with one impact, branches with two and three, picture, mistakes.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/orbit_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/orbit_helpers.sh"
write_chain
write_ring

# spec 50, section 7.1: frequencies sqrt 5 -+ 1 and grazing energies
"$CAROM" modes linear.lua --json > out.json
near 'first frequency' "$(number out.json '"omega":')" 1.2360679775 1e-9
near 'its energy' "$(number out.json '"grazing_energy":')" 0.5278640450 1e-9
sed 's/"omega":/_/' out.json > second.json
near 'second frequency' "$(number second.json '"omega":')" 3.2360679775 1e-9

# section 7.2: windows of periods with one impact, and how they end
sed 's/.*"windows":\[//; s/\],"branches".*//; s/{"from":/\n/g' out.json | sed 1d > windows
[ "$(wc -l < windows)" -eq 4 ] || fail 'not four windows'
line=0
while read -r from how_from to how_to; do
    line=$((line + 1))
    sed -n "${line}p" windows > window
    near "window $line from" "$(number window '"period":')" "$from" 1e-6
    near "window $line to" "$(number window '"to":{' '"period":')" "$to" 1e-6
    [ "$(number window '"end":')" = "$how_from" ] || fail "window $line begins in another way"
    [ "$(number window '"to":{' '"end":')" = "$how_to" ] || fail "window $line ends in another way"
done << 'TABLE'
1.7712135 energy 1.9416110 linear
2.6487479 energy 3.8832221 linear
3.9952583 junction 5.0832037 linear
9.1742553 junction 9.7080552 linear
TABLE

# what ends at a limit of the search is not complete, and says so
has out.json '"complete":true'
"$CAROM" modes linear.lua --impacts 2 --periods 1.5:10 --points 5 --json > few.json
has few.json '"points"]'
has few.json '"complete":false'
"$CAROM" modes linear.lua --impacts 2 --periods 1.5:10 --points 5 > few
has few 'not complete: '

# two and three impacts: branches that pass the motions of section 7.3
"$CAROM" modes linear.lua --impacts 1,2,3 --periods 1.5:10 --json --plot pictures/modes.svg > all.json 2> err
for kind in svg png gp dat; do
    [ -s "pictures/modes.$kind" ] || fail "no modes.$kind"
done
has pictures/modes.gp 'dashtype'
has pictures/modes.gp "title 'junction'"
has err 'picture: pictures/modes.png'
# passes IMPACTS T E: a branch with so many impacts goes by, to 3 % of the energy
passes() {
    sed 's/.*"branches":\[//; s/{"impacts":/\n/g' all.json | sed 1d | grep "^$1," | sed 's/"period":/\n/g' |
        awk -F '[:,]' -v T="$2" -v E="$3" '
            /^[0-9]+,/ { fresh = 1; next }
            { if (!fresh && (t - T) * ($1 - T) <= 0 && $1 != t) { e = energy + (T - t) / ($1 - t) * ($3 - energy)
                  if (e > 0.97 * E && e < 1.03 * E) found = 1 }
              t = $1; energy = $3; fresh = 0 }
            END { exit !found }' || fail "no branch with $1 impacts passes T = $2, E = $3"
}
passes 1 4.4 0.8002692971
passes 2 3.83 21.6935168194
passes 2 8.08 3.0310378608
passes 2 9.57 0.7727337492
passes 3 3.99 37.029898791
passes 3 3.98 23.1363896
"$CAROM" modes linear.lua --impacts 3 --periods 3.9:4.1 > out
has out '3 impacts per period: a branch'
has out 'graze: an impact less'

# one sticking phase per period (section 7.3): durations, energy, the state at release
"$CAROM" modes linear.lua --sticking --json > stick.json
near 'period of the sticking motion' "$(number stick.json '"sticking":[{' '"period":')" 4.0031736062 1e-9
near 'its flight' "$(number stick.json '"sticking":[{' '"flight":')" 2.9773315704 1e-9
near 'its time in contact' "$(number stick.json '"sticking":[{' '"contact":')" 1.0258420358 1e-9
near 'its energy' "$(number stick.json '"sticking":[{' '"energy":')" 35.3681953899 1e-7
near 'its velocity' "$(number stick.json '"velocity":{' '"u1":')" -11.7248787439 1e-8
near 'its displacement' "$(number stick.json '"displacement":{' '"u2":')" 1 1e-9
if grep -q sticking out.json; then fail 'sticking motions that were not asked for'; fi
"$CAROM" modes linear.lua --sticking > out
has out 'one sticking phase per period: 1 motion'
"$CAROM" modes linear.lua --sticking --periods 5:10 > out
has out 'one sticking phase per period: 0 motions'
sed 's/"u1", "u2"/"u2"/; s/local u1, u2/local u2/; s/mass.*/mass(0.5)/; s/u1 ^ 2 + (u2 - u1) ^ 2/u2 ^ 2/; s/u1 = 0, //' linear.lua > single.lua
refused modes 2 'a system of one degree of freedom cannot stick' -- single.lua --sticking

# the picture, the text and the JSON
"$CAROM" modes linear.lua > out
has out 'one impact per period: 4 windows of periods'
has out '3.99525832'
if grep -qiE '[:,\[](nan|-?inf)' all.json; then fail 'NaN or infinity in JSON'; fi
if command -v python3 > /dev/null && python3 -c 'pass' 2> /dev/null; then
    python3 -m json.tool all.json > /dev/null || fail 'this is no JSON'
fi

# mistakes
refused modes 2 'which experiment or model file?' --
refused modes 2 'is not linear: its forces are not linear in the position' -- chain.lua
refused modes 2 'has 6 contacts, modes are of one' -- ring.lua
refused modes 2 "contact 'wall' has restitution 0.9" -- linear.lua --set e=0.9
refused modes 2 '--impacts needs numbers of impacts per period' -- linear.lua --impacts 4
refused modes 2 '--periods needs two periods above 0' -- linear.lua --periods 5:4
sed 's/gap = 1 - u2/gap = -u2/' linear.lua > closed.lua
refused modes 2 "the gap of 'wall' is" -- closed.lua
