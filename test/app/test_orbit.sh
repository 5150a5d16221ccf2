#!/bin/sh
# carom orbit on linear models: closed forms, k impacts, patterns, verdicts, output.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/orbit_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/orbit_helpers.sh"
write_chain
write_ring

# one impact per period (reference values of spec 50, section 7.2): period, impulse, energy, u1, largest multiplier
while read -r period impulse energy u1 largest; do
    "$CAROM" orbit linear.lua --period "$period" --impacts wall --json > out.json
    near "impulse at T = $period" "$(number out.json '"impulse":')" "$impulse" 1e-9
    near "energy at T = $period" "$(number out.json '"energy":')" "$energy" 1e-8
    near "u1 at T = $period" "$(number out.json '"q":{' '"u1":')" "$u1" 1e-9
    near "multiplier at T = $period" "$(number out.json '"largest_multiplier":')" "$largest" 1e-6
    has out.json '"method":"closed form"'
done << 'TABLE'
3.6 1.6077177776 1.6550608217 -0.0044163502 1
4.0 3.4116774611 28.2649595883 4.025271182 4.9920606
4.4 0.8157356551 0.8002692971 0.7587596688 1
4.8 0.3027617612 0.5532242019 0.6231016468 1
TABLE

# two impacts (section 7.3): period, first flight, impulse, energy, largest multiplier. The motion may begin with
# either impact, so that the flight is the shorter one.
while read -r period flight impulse energy largest; do
    "$CAROM" orbit linear.lua --period "$period" --impacts wall,wall --json > out.json
    near "flight at T = $period" "$(number out.json '"flight":')" "$flight" 1e-9
    near "impulse at T = $period" "$(number out.json '"impulse":')" "$impulse" 1e-7
    near "energy at T = $period" "$(number out.json '"energy":')" "$energy" 1e-8
    near "multiplier at T = $period" "$(number out.json '"largest_multiplier":')" "$largest" 2e-5
done << 'TABLE'
3.83 1.033624523950 4.02637652 21.6935168194 2.4602330
8.08 3.424599274588 1.89134337 3.0310378608 1
9.57 4.250662867540 0.30907648 0.7727337492 16.612260
TABLE
# three: searched, and from guessed flights
for guess in '' '--flights 1.5,2.5,1.5'; do
    # shellcheck disable=SC2086
    "$CAROM" orbit linear.lua --period 5.5 --impacts wall,wall,wall $guess --json > out.json
    near 'energy of three impacts' "$(number out.json '"energy":')" 1184.1075 1e-4
    near 'impulse of three impacts' "$(number out.json '"impulse":')" 6.567773 1e-6
done

# the event-driven scheme stays on the stable one and leaves the unstable one at the rate of its multiplier
"$CAROM" orbit linear.lua --period 4.4 --impacts wall --verify 100 --json > out.json
has out.json '"stays":true'
has out.json '{"status":"motion",'
status=0
"$CAROM" orbit linear.lua --period 4 --impacts wall --verify 20 --json > out.json 2> err || status=$?
[ "$status" -eq 1 ] || fail "a motion that leaves: exit status $status"
has out.json '{"status":"leaves",'
has out.json '"stays":false'
has err 'leaves the motion: it is unstable'
"$CAROM" orbit linear.lua --period 4 --impacts wall --verify 20 > out 2> err && fail 'a motion that leaves: exit status 0'
has out 'verdict     a motion; followed, it leaves'
status=0
"$CAROM" orbit linear.lua --period 4.4 --impacts wall --verify 3 --perturb 0.1 --json > out.json 2> err || status=$?
[ "$status" -eq 1 ] || fail "a motion that leaves after a push: exit status $status"
"$CAROM" orbit linear.lua --period 4 --impacts wall --verify 20 --json > out.json 2> err || true
near 'growth' "$(number out.json '"growth":')" 4.992 0.05
"$CAROM" orbit linear.lua --period 4.4 --impacts wall --verify 3 --perturb 1e-4 --json > out.json
near 'deviation of a perturbed motion' "$(number out.json '"deviation":[')" 3e-4 3e-4

# the same motion as a pattern and by shooting
for way in '--impacts wall@0' '--impacts wall --guess linear'; do
    # shellcheck disable=SC2086
    "$CAROM" orbit linear.lua --period 4 $way --json > out.json
    near "energy by $way" "$(number out.json '"energy":')" 28.2649595883 1e-8
    near "multiplier by $way" "$(number out.json '"largest_multiplier":')" 4.9920606 1e-6
done

# rings. Neighbours in turns: closed form (10) of spec 30, and the multiplier of 8.5 for p = 6, k = 5
T=4.71238898038468985769 gamma=0.06481481481481481481
"$CAROM" orbit ring.lua --period $T --set gamma=$gamma --json \
    --impacts wall0@0.5,wall1@0,wall2@0.5,wall3@0,wall4@0.5,wall5@0 > out.json
speed=$(awk -v T=$T -v g=$gamma 'BEGIN { o = sqrt(1 + 4 * g); printf "%.12g", 2 / (sin(o * T / 4) / cos(o * T / 4) / o - cos(T / 4) / sin(T / 4)) }')
near 'speed of neighbours in turns' "$(number out.json '"approach":')" "$speed" 1e-9
near 'multiplier of neighbours in turns' "$(number out.json '"largest_multiplier":')" 4.3440392 1e-6
# one of them strikes: v = -1 / F(T), F the mean of cot(omega_k T / 2) / omega_k; linear growth of rounding errors only
"$CAROM" orbit ring.lua --period $T --set gamma=$gamma --impacts wall3@0 --verify 10 --json > out.json
speed=$(awk -v T=$T -v g=$gamma 'BEGIN { pi = 4 * atan2(1, 1); for (k = 0; k < 6; k++) { s = sin(pi * k / 6); o = sqrt(1 + 4 * g * s * s)
    F += cos(o * T / 2) / sin(o * T / 2) / o / 6 } printf "%.12g", -1 / F }')
near 'speed of the breather' "$(number out.json '"approach":')" "$speed" 1e-9
near 'velocity of the breather' "$(number out.json '"v":{' '"y3":')" "$speed" 1e-9
has out.json '"method":"pattern"'
has out.json '"stable":true'
has out.json '"stays":true'
# shifting time changes nothing
"$CAROM" orbit ring.lua --period $T --set gamma=$gamma --impacts wall3@0.5 --json > out.json
near 'speed of the shifted breather' "$(number out.json '"approach":')" "$speed" 1e-9

# what is no motion is shown, with exit status 1
refused orbit 1 "NOT a motion: 'wall' penetrates by 0.79" -- linear.lua --period 3.98 --impacts wall
has out 'after it q  u1 = 7.32'
has out "of 'wall' at t = "
refused orbit 1 'T is resonant with mode 1, perturb T' -- linear.lua --period 5.083203692249928 --impacts wall
# omega = sqrt(1 + 4 gamma sin^2(pi / 6)) of the ring mode that is odd about the particle
refused orbit 1 'is resonant with mode' -- ring.lua --impacts wall3@0 --set gamma=0.1 \
    --period "$(awk 'BEGIN { printf "%.17g", 8 * atan2(1, 1) / sqrt(1.1) }')"
has err 'perturb T'
refused orbit 1 'NOT a motion' -- ring.lua --period 6.1 --impacts wall3@0 --json
has out '"status":"no-motion"'

# text, JSON, picture
"$CAROM" orbit linear.lua --period 4 --impacts wall --plot pictures/orbit.svg > out 2> err
for text in 'verdict     a motion' 'found by    closed form' 'unstable: the largest multiplier has modulus 4.99206'; do
    has out "$text"
done
for kind in svg png gp dat; do
    [ -s "pictures/orbit.$kind" ] || fail "no orbit.$kind"
done
[ "$(rows pictures/orbit.dat 2)" -eq 4 ] || fail 'not a point per multiplier'
has pictures/orbit.gp 'circle at 0,0 size first 1'
"$CAROM" orbit linear.lua --period 4 --impacts wall --quiet > out 2> err
if [ -s out ] || [ -s err ]; then fail '--quiet is not quiet'; fi
"$CAROM" orbit linear.lua --period 4 --impacts wall --json --verify 3 > out.json
[ "$(wc -l < out.json)" -eq 1 ] || fail 'JSON is not one line'
if grep -qiE '[:,\[](nan|-?inf)' out.json; then fail 'NaN or infinity in JSON'; fi
if command -v python3 > /dev/null && python3 -c 'pass' 2> /dev/null; then
    python3 -m json.tool out.json > /dev/null || fail 'this is no JSON'
fi
"$CAROM" help orbit > out
has out '--impacts SPEC'

# mistakes
printf 'local x = coordinates("x")\nmass(1)\npotential(x ^ 2)\ninitial { x = 1 }\nintegrate { scheme = "moreau-jean", h = 0.1, until_t = 1 }\n' > free.lua
sed 's/, restitution = e/, slip = dot(u1), friction = 0.3, restitution = e/' linear.lua > rough.lua
sed 's/, restitution = e//' linear.lua > silent.lua
refused orbit 2 'which experiment or model file?' --
refused orbit 2 '--impacts says what is struck' -- linear.lua --period 4
refused orbit 2 '--period says after which time' -- linear.lua --impacts wall
refused orbit 2 '--period needs a finite number above 0' -- linear.lua --impacts wall --period 0
refused orbit 2 'has no contact, so that nothing strikes' -- free.lua --period 4 --impacts wall
refused orbit 2 "contact 'wal' is not known; did you mean 'wall'?" -- linear.lua --period 4 --impacts wal
refused orbit 2 "contact 'wall' has restitution 0.8" -- linear.lua --period 4 --impacts wall --set e=0.8
refused orbit 2 'has no restitution in the model' -- silent.lua --period 4 --impacts wall
refused orbit 2 'has friction' -- rough.lua --period 4 --impacts wall
refused orbit 2 'which the search for periodic motions does not treat' -- mechanisms/four-bar --period 1 --impacts wall
refused orbit 2 'give all of them one, or none' -- linear.lua --period 4 --impacts wall@0,wall
refused orbit 2 'from 0 to below 1' -- linear.lua --period 4 --impacts wall@1
refused orbit 2 "'wall' is struck twice at phase 0.5" -- linear.lua --period 4 --impacts wall@0.5,wall@0.5
refused orbit 2 '4 impacts: guess the times between them' -- linear.lua --period 9 --impacts wall,wall,wall,wall
refused orbit 2 '--flights has 1 value for 2 impacts' -- linear.lua --period 4 --impacts wall,wall --flights 1
refused orbit 2 '--guess is linear or run' -- linear.lua --period 4 --impacts wall --guess nothing
refused orbit 2 '--perturb is for --verify' -- linear.lua --period 4 --impacts wall --perturb 1
refused orbit 2 'needs a name such as orbit.svg' -- linear.lua --period 4 --impacts wall --plot picture
refused orbit 2 'struck at one instant' -- ring.lua --period 4.5 --impacts wall3@0,wall2@0,wall1@0.3
