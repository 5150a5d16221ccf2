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

# By patterns: the same ends and changes of stability as by shooting
"$CAROM" continue linear.lua --param period --from 4.25 --to 3.9 --impacts wall --pattern --json > pattern.json
has pattern.json '"end":"junction"'
has pattern.json '"method":"pattern"'
near 'period of the junction by patterns' "$(number pattern.json '"patterns":[{' '"to":')" 3.9952583 1e-7
near 'change of stability by patterns' "$(number pattern.json '"crossings":[')" "$change" 1e-6
near 'energy by patterns' "$(number pattern.json '"points":[{' '"energy":')" "$(number down.json '"points":[{' '"energy":')" 1e-9
"$CAROM" continue linear.lua --param k --from 2 --to 1 --period 4.4 --impacts wall --json > shot.json
"$CAROM" continue linear.lua --param k --from 2 --to 1 --period 4.4 --impacts wall --pattern --json > pattern.json
near 'stiffness of the junction' "$(number pattern.json '"patterns":[{' '"to":')" "$(sed 's/.*"parameter":\([^,]*\),.*/\1/' shot.json)" 1e-7
near 'stiffness of the change' "$(number pattern.json '"crossings":[')" "$(number shot.json '"crossings":[')" 1e-6
"$CAROM" continue ring.lua --param gamma --from 0.19 --to 0.3 --period 4.71238898038468985769 --impacts wall3 --pattern --json > pattern.json
has pattern.json '"end":"linear"'
near 'coupling at the end by patterns' "$(number pattern.json '"patterns":[{' '"to":')" 0.194444444 1e-6
# two at one instant: each point is the motion that carom orbit finds
"$CAROM" continue ring.lua --param period --from 4.7 --to 2.5 --impacts wall2@0,wall3@0 --pattern --csv pairs.csv > out
has out 'end: energy, the energy grows without bound at parameter 3.0039127'
sed -n 20p pairs.csv | tr , ' ' > point
read -r period _ energy multiplier rest < point
[ -n "$rest" ] || fail 'a short line of CSV'
"$CAROM" orbit ring.lua --period "$period" --impacts wall2@0,wall3@0 --json > out.json
near 'energy of two at one instant' "$energy" "$(number out.json '"energy":')" 1e-9
near 'multiplier of two at one instant' "$multiplier" "$(number out.json '"largest_multiplier":')" 1e-7
# the second long-wave branch of a ring of 30 (spec 30, 8.4): five changes of pattern, T over that of the first mode
sed 's/p, names, m, V = 6/p, names, m, V = 30/; s/"gamma", 0.1/"gamma", 1/' ring.lua > long.lua
"$CAROM" continue long.lua --param period --from 6.11947421260748 --to 4.3051577375128 --step 0.024600901357216 \
    --impacts wall15@0,wall0@0.5 --pattern --switches 5 --json > long.json
sed 's/.*"patterns":\[//; s/\],"points".*//; s/{"impacts":/\n/g' long.json | sed 1d > patterns
[ "$(wc -l < patterns)" -eq 6 ] || fail 'not six patterns'
line=0
for end in 0.9907204 0.9825921 0.9649138 0.8491270 0.8358624 0.8090208; do
    line=$((line + 1))
    sed -n "${line}p" patterns > stretch
    near "end of pattern $line" "$(number stretch '"to":' | awk '{ printf "%.12g", $1 / 6.150225339304 }')" $end 1e-7
    [ "$(number stretch '"end":')" = touch ] || fail "pattern $line ends in another way"
done
has stretch '"wall9@0,wall11@0,wall12@0,wall13@0,wall14@0,wall15@0,wall16@0,wall17@0,wall18@0,wall19@0,wall21@0,wall0@0.5,'

# output
"$CAROM" continue linear.lua --param k --from 2 --to 2.2 --period 4.4 --impacts wall --points 4 > out 2> err
has out 'end: points, 4 points were followed'
has err 'the branch goes on'
"$CAROM" continue linear.lua --param k --from 2 --to 2.2 --period 4.4 --impacts wall --points 4 --json > out 2> err
has out '"status":"limit"'
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
refused continue 2 'two contacts are struck at one instant' -- ring.lua --param gamma --from 0 --to 0.5 --period 4.4 --impacts wall3@0,wall4@0 --through
refused continue 2 '--switches is for --pattern' -- ring.lua --param gamma --from 0 --to 0.5 --period 4.4 --impacts wall3 --switches 2
refused continue 2 '--pattern goes without --through' -- ring.lua --param gamma --from 0 --to 0.5 --period 4.4 --impacts wall3 --pattern --through
refused continue 2 '--pattern is for linear models; chain.lua is not one' -- chain.lua --param eps --from 0 --to 1 --period 4.4 --impacts wall --pattern
refused continue 2 'impacts are at 0 and half the period' -- ring.lua --param gamma --from 0 --to 0.5 --period 4.4 --impacts wall3@0,wall4@0.3 --pattern
refused continue 1 'at the start, gamma = 0.25: NOT a motion' -- ring.lua --param gamma --from 0.25 --to 0.5 --period 4.71238898038468985769 --impacts wall3@0 --pattern
refused continue 2 'both want stdout' -- linear.lua --param k --from 2 --to 3 --impacts wall --period 4 --json --csv -
refused continue 1 'at the start, period = 3.98: NOT a motion' -- linear.lua --param period --from 3.98 --to 3.9 --impacts wall
