#!/bin/sh
# carom continue: branches over the period and parameters, their ends, changes of stability, output.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/orbit_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/orbit_helpers.sh"
write_chain
write_ring

# The linear chain over the period: the junction at T = 3.9952583, E = 35.737363 (spec 50, section 7.2; the energy
# changes by 1800 per unit of T there)
"$CAROM" continue linear.lua --param period --from 4.25 --to 3.9 --impacts wall --json > down.json
has down.json '"end":"junction"'
near 'period of the junction' "$(sed 's/.*"period":\([^,]*\),.*/\1/' down.json)" 3.9952583 1e-7
near 'energy of the junction' "$(sed 's/.*"energy":\([^,]*\),.*/\1/' down.json)" 35.737363 1e-3
# a change of stability: the closed form is stable on one side and not on the other
change=$(number down.json '"crossings":[')
for side in 1e-4:true -1e-4:false; do
    period=$(awk -v T="$change" -v d="${side%:*}" 'BEGIN { printf "%.12g", T + d }')
    "$CAROM" orbit linear.lua --period "$period" --impacts wall --json > out.json
    has out.json "\"stable\":${side#*:}"
done
# upwards: the linear mode that grazes, T = 2 pi / (sqrt 5 - 1), E = 0.5278640450
"$CAROM" continue linear.lua --param period --from 4.9 --to 5.5 --impacts wall --json > up.json
has up.json '"end":"linear"'
near 'period of the linear mode' "$(sed 's/.*"period":\([^,]*\),.*/\1/' up.json)" 5.083203692 1e-6
near 'energy of the linear mode' "$(sed 's/.*"energy":\([^,]*\),.*/\1/' up.json)" 0.527864045 1e-6

# The ring: one particle strikes until its coupling is that of the out-of-phase mode with period T,
# ((2 pi / T)^2 - 1) / 4 = 0.19444 for T = 3 pi / 2
"$CAROM" continue ring.lua --param gamma --from 0.19 --to 0.3 --period 4.71238898038468985769 --impacts wall3 --json > out.json
has out.json '"end":"linear"'
near 'coupling at the end' "$(sed 's/.*"parameter":\([^,]*\),.*/\1/' out.json)" 0.194444444 1e-6

# output
"$CAROM" continue linear.lua --param k --from 2 --to 2.2 --period 4.4 --impacts wall --points 4 > out 2> err
has out 'end: points, 4 points were followed'
[ ! -s err ] || fail 'something on stderr'
"$CAROM" continue linear.lua --param k --from 2 --to 2.2 --period 4.4 --impacts wall --step 0.01 --csv - > table.csv
[ "$(wc -l < table.csv)" -gt 15 ] || fail '--step does not bound the steps'
# k and T come together as k T^2: the energy is k / 2 times that of k = 2 at the period T sqrt(k / 2)
tail -1 table.csv | tr , ' ' > last
read -r k period energy rest < last
[ -n "$rest" ] || fail 'a short line of CSV'
"$CAROM" orbit linear.lua --period "$(awk -v k="$k" -v T="$period" 'BEGIN { printf "%.15g", T * sqrt(k / 2) }')" --impacts wall --json > out.json
near 'energy at the other stiffness' "$energy" "$(number out.json '"energy":' | awk -v k="$k" '{ printf "%.12g", $1 * k / 2 }')" 1e-8
[ "$(wc -l < down.json)" -eq 1 ] || fail 'JSON is not one line'
for file in down.json up.json; do
    if grep -qiE '[:,\[](nan|-?inf)' $file; then fail 'NaN or infinity in JSON'; fi
    if command -v python3 > /dev/null && python3 -c 'pass' 2> /dev/null; then
        python3 -m json.tool $file > /dev/null || fail 'this is no JSON'
    fi
done

# mistakes
refused continue 2 '--param says what changes' -- linear.lua --from 1 --to 2 --period 4 --impacts wall
refused continue 2 '--to says where' -- linear.lua --param k --from 1 --period 4 --impacts wall
refused continue 2 '--period says after which time' -- linear.lua --param k --from 2 --to 3 --impacts wall
refused continue 2 'leave out --period' -- linear.lua --param period --from 4 --to 3 --impacts wall --period 4
refused continue 2 'a period is above 0' -- linear.lua --param period --from 4 --to -3 --impacts wall
refused continue 2 'nothing to follow' -- linear.lua --param k --from 2 --to 2 --impacts wall --period 4
refused continue 2 "unknown parameter 'nothing'" -- linear.lua --param nothing --from 2 --to 3 --impacts wall --period 4
refused continue 2 "'k' is in --set and in --param" -- linear.lua --param k --from 2 --to 3 --impacts wall --period 4 --set k=3
refused continue 2 "the restitution of 'wall' becomes 0.5" -- linear.lua --param e --from 1 --to 0.5 --impacts wall --period 4.4
refused continue 2 'two contacts are struck at one instant' -- ring.lua --param gamma --from 0 --to 0.5 --period 4.4 --impacts wall3@0,wall4@0
refused continue 2 'both want stdout' -- linear.lua --param k --from 2 --to 3 --impacts wall --period 4 --json --csv -
refused continue 1 'at the start, period = 3.98: NOT a motion' -- linear.lua --param period --from 3.98 --to 3.9 --impacts wall
