#!/bin/sh
# carom continue and carom orbit on a model of one's own, two masses, a wall and a cubic spring: its branch, how it
# ends, where its stability changes, and whether a run says the same.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/orbit_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/orbit_helpers.sh"
write_chain

# From the linear chain at T = 3.6 the branch turns back before eps = 0.5,
# where spec 50 (section 7.7) says that the path is lost, and ends as a motion without impacts.
"$CAROM" continue chain.lua --param eps --from 0 --to 1 --period 3.6 --impacts wall --csv branch.csv --plot pictures/branch.png > out 2> err
has out ' fold'
has out 'stability is lost at eps = 0.01'
has out 'end: linear, impulses vanish'
head -1 branch.csv | grep -qx 'eps,period,energy,multiplier,margin,approach,impacts,stable,fold,admissible,crossing,special,branch,u1,u2,v_u1,v_u2' ||
    fail 'header of the CSV'
awk -F, 'NR > 1 && $1 > 0.21 { bad = 1 } END { exit bad }' branch.csv || fail 'the branch does not turn back'
for kind in svg png gp dat; do
    [ -s "pictures/branch.$kind" ] || fail "no branch.$kind"
done
# two multipliers meet at 1 there and nothing branches off: of all motions with this eps that one has an extremal energy
has out 'stability is lost at eps = 0.0106692548, period 3.6, energy 1.66417679: energy-fold'
for period in 3.59 3.61; do
    "$CAROM" orbit chain.lua --period "$period" --impacts wall --set eps=0.010669254772 --json > "$period.json"
done
awk -v a="$(number 3.59.json '"energy":')" -v b=1.66417679 -v c="$(number 3.61.json '"energy":')" \
    'BEGIN { exit !((a - b) * (c - b) > 0) }' || fail 'the energy is not extremal where the stability changes'
has out 'fold at eps = 0.202480894'
has pictures/branch.gp "title 'energy-fold'"
has pictures/branch.gp "title 'fold'"
# over the period at eps = 0.1: the stability changes at one period, and a run of 100 periods says the same
"$CAROM" continue chain.lua --param period --from 4.25 --to 4.1 --set eps=0.1 --impacts wall --json > out.json
change=$(number out.json '"crossings":[')
near 'change of stability' "$change" 4.1799 1e-3
for side in 0.05:true -0.05:false; do
    period=$(awk -v T="$change" -v d="${side%:*}" 'BEGIN { printf "%.12g", T + d }')
    "$CAROM" orbit chain.lua --period "$period" --set eps=0.1 --impacts wall --verify 100 --json > out.json 2> err &&
        stays=true || stays=false
    [ "$stays" = "${side#*:}" ] || fail "the exit status of orbit does not say whether it stays: ${side#*:}"
    has out.json "\"stable\":${side#*:}"
    has out.json "\"stays\":${side#*:}"
done
