#!/bin/sh
# carom impact: pictures, histories, audits.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/impact_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/impact_helpers.sh"

drawn() { # drawn NAME: all files of a picture are there
    for ending in svg png gp dat; do
        [ -s "$1.$ending" ] || fail "no $1.$ending"
    done
}

# velocities: a block per law, as bars or as stems
"$CAROM" impact --balls 5 --law moreau,binary --plot pictures/cradle.svg > out 2> err
has err 'picture: pictures/cradle.png'
drawn pictures/cradle
[ "$(rows pictures/cradle.dat 0)" -eq 5 ] || fail 'not five balls before'
[ "$(rows pictures/cradle.dat 2)" -eq 5 ] || fail 'not five balls of the second law'
has pictures/cradle.dat '# index 2: binary'
has pictures/cradle.gp 'with boxes'
"$CAROM" impact --balls 60 --law moreau,newton --plot many.png --quiet > out 2> err
[ ! -s err ] || fail '--quiet tells of a picture'
drawn many
has many.gp 'with impulses'
"$CAROM" impact --balls 3 --law all --restitution 0.2,0.4 --plot some.png --quiet 2> err
drawn some
if grep -q ': moreau' some.dat; then fail 'a law that refused is drawn'; fi

# two contacts: the square of restitutions. Admissible e2 at e1 = 0.9 of three equal balls: 0.1540259192 to 0.9924708961 (closed form)
"$CAROM" impact --masses 1,1,1 --restitution 0.9 --map map.svg --quiet
drawn map
awk '$1 == "0.9" && NF == 3 { found = ($2 - 0.1540259192)^2 < 1e-18 && ($3 - 0.9924708961)^2 < 1e-18 } END { exit !found }' map.dat ||
    fail 'wrong ends of the monotone restitutions'
awk '$1 == "0" && NF == 3 { found = $2 == 0 && ($3 - sqrt(3) / 2)^2 < 1e-18 } END { exit !found }' map.dat || fail 'wrong ends at e1 = 0'
has map.gp "title 'neither'"
echo '{"M": [[2, 0], [0, 0.5]], "W": [[1, 1], [-0.4, 0.4]]}' > block.json
"$CAROM" impact --system block.json --map block.svg --quiet
drawn block
has block.gp "title 'energy-consistent only'"

# the course of an impact
"$CAROM" impact --balls 3 --law lzb --exponent 1 --history course.csv --plot-history course.svg --json > out.json 2> err
has err 'picture: ./course.png'
drawn course
[ "$(head -1 course.csv)" = 't,E_1,E_2,force_1,force_2,v_1,v_2,v_3' ] || fail "head of the history: $(head -1 course.csv)"
[ "$(wc -l < course.csv)" -gt 50 ] || fail 'a short history'
# unit stiffness, exponent 1: E = force^2 / 2; energy is kept; the end is the outcome
awk -F, 'NR > 1 {
        for (j = 2; j <= 3; j++) { d = $j - $(j + 2)^2 / 2; if (d^2 > 1e-20) exit 1 }
        d = $2 + $3 + ($6^2 + $7^2 + $8^2) / 2 - 0.5; if (d^2 > 1e-14) exit 1
        if (NR > 2 && $1 < last) exit 1
        last = $1 }' course.csv || fail 'the history breaks its own laws'
values velocity out.json > outcome
tail -1 course.csv | cut -d, -f6-8 | tr ',' '\n' | paste - outcome | awk '($1 - $2)^2 > 1e-20 { exit 1 }' || fail 'the history ends elsewhere'
"$CAROM" impact --balls 30 --law moreau,lzb --history long.csv --plot-history long.png --quiet
[ "$(head -1 long.csv | tr ',' '\n' | wc -l)" -eq 71 ] || fail 'not 20 contacts and 30 velocities'
drawn long

# audit: Newton's law with different restitutions creates energy
"$CAROM" impact --masses 1,1,1 --restitution 1,0 --law newton --audit --samples 500 > out 2> err
has out 'audit of law newton: 500 samples, seed 1, contacts approach and separate'
grep -qE '^  kinetic +holds ' out || fail 'kinetic does not hold'
grep -qE '^  energetic +fails ' out || fail 'energetic holds'
grep -qE '^  scaling +holds ' out || fail 'scaling does not hold'
# [[2,-1],[-1,2]] - diag(1,0) [..] diag(1,0) = [[0,-1],[-1,2]]: eigenvalues 1 -+ sqrt(2)
has out 'smallest eigenvalue -0.414214, not copositive'
# the command of the counterexample shows the same
grep -m 1 -A 3 '^energetic fails' out > example
command=$(grep 'carom impact' example | sed 's/^ *carom impact //')
# shellcheck disable=SC2086 # these are words
impact 0 -- $command
has out.json '"energetic":false}'
before=$(sed -n 's/^ *before //p' example)
# shellcheck disable=SC2086
near gamma_before 1e-8 $before
"$CAROM" impact --masses 1,1,1 --restitution 1,0 --law newton --audit --samples 200 --seed 3 --approaching --json > out.json
has out.json '{"audit":{"system":"3 balls in a row","law":"newton","samples":200,"seed":3,"approaching":true,'
has out.json '"kinetic":{"tested":true,"holds":true,'
has out.json '"non-expansive":{"tested":true,"holds":false,'
has out.json '"command":"carom impact --masses 1,1,1 --law newton --restitution 1,0 --velocity '
if grep -qiE '[:,\[](nan|-?inf)' out.json; then fail 'NaN or infinity in JSON'; fi
"$CAROM" impact --balls 3 --wall --restitution 0.5 --law newton,poisson --audit --samples 100 --json > out.json
has out.json '{"audits":[{"system":"3 balls against a wall","law":"newton"'
has out.json '"law":"poisson"'
"$CAROM" impact --balls 3 --wall --restitution 0.5 --law newton --audit --samples 200 > out
command=$(grep -m 1 'carom impact' out | sed 's/^ *carom impact //')
# shellcheck disable=SC2086
impact 0 -- $command
has out.json '"kinematic":false'
# a system without velocities, with a full mass matrix, and redundant contacts
cat > redundant.json << 'JSON'
{"M": [[2, 0.5], [0.5, 1]], "W": [[1, 0, 0.6], [0, 1, 0.8]], "restitution": [0.5, 0.2, 0.8], "rate": 0.1}
JSON
"$CAROM" impact --system redundant.json --law newton --audit --samples 200 --json > out.json
has out.json '"rank":2'
echo "impact: all files as they should be"
