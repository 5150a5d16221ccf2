#!/bin/sh
# carom impact from outside: systems, options, messages, exit status, JSON. Numbers are in test_impact_values.sh.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/impact_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/impact_helpers.sh"

# help: here and in the list, with examples
"$CAROM" impact --help > out
has out 'carom impact --masses 1,2,3 --velocity 2,0.5,-1 --law moreau --restitution 0.6'
sed 's|[\\]||g' "$CAROM_SOURCE_DIR/docs/carom.1" > manual
for option in masses balls decorated tapered stepped random wall hertz stiffness-slope wall-stiffness wall-restitution system set \
    variant gap-tolerance velocity restitution stiffness exponent law order seed sweep-once max-collisions tolerance energy-tolerance \
    method dt start max-steps separating allow-gain audit samples approaching plot history plot-history map json quiet; do
    has out "--$option"
    grep -qF -- "--$option" "$CAROM_SOURCE_DIR/docs/command-line.md" || fail "docs/command-line.md lacks --$option"
    has manual "--$option"
done
"$CAROM" help > out
has out 'carom impact'

# the table of one law
"$CAROM" impact --masses 1,2,3 --velocity 2,0.5,-1 --law moreau --restitution 0.6 > out 2> err
[ ! -s err ] || fail "something on stderr: $(cat err)"
has out '3 balls in a row, law moreau: ok'
grep -qE '^ +1 +1 +2 +-1\.2$' out || fail 'no line of ball 1'
grep -qE '^ +2 +0\.6 +-1\.5 +0\.9 +4\.8$' out || fail 'no line of contact 2'
has out 'energy      before 3.75, after 1.35, T+/T- = 0.36'
has out 'momentum    residual '
has out 'residual    '
has out 'flags       kinematic yes, kinetic yes, energetic yes'
"$CAROM" impact chain --masses 1,2,3 --velocity 2,0.5,-1 --restitution 0.6 > again
cmp out again || fail '"chain" is not the same as no word'
"$CAROM" impact --balls 3 --quiet > out 2> err
if [ -s out ] || [ -s err ]; then fail '--quiet is not quiet'; fi
"$CAROM" impact --balls 200 > out
[ "$(wc -l < out)" -lt 60 ] || fail 'a long chain makes a long table'
has out '(184 more)'

# JSON: every key, true JSON
impact 0 -- --masses 1,2,3 --velocity 2,0.5,-1 --law moreau --restitution 0.6
for key in status velocity impulses energy_ratio collisions steps duration flags kinematic kinetic energetic law energy_before energy_after \
    momentum_residual residual gamma_before gamma_after notes; do
    has out.json "\"$key\":"
done
has out.json '"status":"ok"'
near energy_ratio 1e-14 0.36
if command -v python3 > /dev/null && python3 -c 'pass' 2> /dev/null; then
    python3 -m json.tool out.json > /dev/null || fail 'this is no JSON'
fi

# default law
impact 0 -- --balls 3
has out.json '"law":"moreau"'
impact 0 -- --balls 3 --restitution 0.5,1
has out.json '"law":"newton"'

# default velocities; nothing approaches; no energy at all
impact 0 -- --balls 2 --restitution 0
near velocity 1e-15 0.5 0.5
impact 0 -- --balls 2 --wall
near velocity 1e-15 -1 -1
impact 0 -- --balls 3 --velocity 0,1,2
has out.json '"status":"no-impact"'
has err 'no contact approaches'
impact 0 -- --balls 2 --velocity 0,0
has out.json '"energy_ratio":null'

# patterns of masses: the momentum of a still chain that is struck tells them
"$CAROM" impact --balls 4 --decorated 0.5 > out
grep -qE '^ +2 +0\.5 +0 ' out || fail '--decorated: wrong second mass'
"$CAROM" impact --balls 4 --tapered 0.5 > out
grep -qE '^ +3 +0\.25 +0 ' out || fail '--tapered: wrong third mass'
"$CAROM" impact --balls 4 --stepped 3 > out
grep -qE '^ +2 +1 +0 ' out || fail '--stepped: wrong second mass'
grep -qE '^ +3 +3 +0 ' out || fail '--stepped: wrong third mass'
"$CAROM" impact --balls 4 --random 1 > out
grep -qE '^ +2 +0\.6315377[0-9]+ +0 ' out || fail '--random: wrong second mass'
"$CAROM" impact --balls 3 --hertz 203e9,0.3,0.01,7780 > out
grep -qE '^ +2 +0\.03258878[0-9]+ +0 ' out || fail '--hertz: wrong mass'
"$CAROM" impact --balls 3 --hertz 203e9,0.3,0.01,7780 --decorated 2 > out
grep -qE '^ +2 +0\.06517757[0-9]+ +0 ' out || fail '--hertz with a pattern: wrong mass'

# what is wrong is said, with what would be right
refused impact 2 'which system?' --
refused impact 2 "unknown option '--mases'; did you mean '--masses'?" -- --mases 1,1
refused impact 2 "did you mean '--plot-history'" -- --balls 3 --plot-histroy a.svg
refused impact 2 'mass of ball 2 must be positive and finite (got 0)' -- --masses 1,0,1
refused impact 2 'mass of ball 3 must be positive and finite' -- --masses 1,1,inf
refused impact 2 '--masses needs numbers' -- --masses 1,two
refused impact 2 '--velocity: expected 3 values, one per ball; got 2' -- --masses 1,1,1 --velocity 1,2
refused impact 2 'velocity of ball 2 must be finite (got inf)' -- --masses 1,1,1 --velocity 1,inf,0
refused impact 2 '--restitution: expected 1 or 2 values, one per contact (3 balls in a row have 2); got 3' -- --masses 1,1,1 --restitution 1,1,1
refused impact 2 '--restitution: expected 1 or 3 values, one per contact (3 balls and a wall have 3); got 2' -- --masses 1,1,1 --wall --restitution 1,1
refused impact 2 '--stiffness: expected 1 or 2 values' -- --masses 1,1,1 --stiffness 1,1,1
refused impact 2 '--exponent: expected 1 or 2 values' -- --masses 1,1,1 --exponent 1,1,1
refused impact 2 'restitution of contact 2 must lie in [0, 1] (got 1.2)' -- --masses 1,1,1 --restitution 0,1.2 --law newton
refused impact 2 'stiffness of contact 1 must be positive and finite (got 0)' -- --masses 1,1,1 --stiffness 0 --law moreau
refused impact 2 'exponent of contact 2' -- --masses 1,1,1 --exponent 1,0 --law moreau
refused impact 2 'nothing to compute' -- --balls 1
refused impact 2 'whole number of at least 1' -- --balls 0
refused impact 2 'whole number of at least 1' -- --balls 2.5
refused impact 2 'at most 1000000' -- --balls 2000000
refused impact 2 'leave one of them out' -- --balls 3 --masses 1,1
refused impact 2 'both say what the masses are' -- --masses 1,1 --tapered 2
refused impact 2 'both say what the masses are' -- --balls 3 --tapered 2 --stepped 3
refused impact 2 'both say what the masses are' -- --masses 1,1 --hertz 1,0.3,1,1
refused impact 2 '--hertz needs E,NU,RADIUS' -- --balls 2 --hertz 1,0.3
refused impact 2 '--hertz needs E,NU,RADIUS' -- --balls 2 --hertz 1,0.7,1
refused impact 2 'both say how stiff contacts are' -- --balls 2 --hertz 1,0.3,1 --stiffness 1
refused impact 2 'both say how stiff contacts are' -- --balls 2 --stiffness-slope 1 --stiffness 1
refused impact 2 'is for --wall' -- --balls 2 --wall-stiffness 1
refused impact 2 "impact law 'nwton' is not known; did you mean 'newton'?" -- --balls 3 --law nwton
refused impact 2 "names 'newton' twice" -- --balls 3 --law newton,newton
refused impact 2 'one restitution for all contacts' -- --balls 3 --law moreau --restitution 0.5,1
refused impact 2 '--seed is for law binary' -- --balls 3 --seed 2
refused impact 2 '--order is for law binary' -- --balls 3 --order lr
refused impact 2 '--method is for law lzb' -- --balls 3 --method time
refused impact 2 '--history is for law lzb' -- --balls 3 --history h.csv
refused impact 2 '--tolerance is for law binary or lzb' -- --balls 3 --tolerance 1
refused impact 2 '--order is one of lr, rl, random' -- --balls 3 --law binary --order up
refused impact 2 '--method is one of events, time, impulse, implicit' -- --balls 3 --law lzb --method best
refused impact 2 '--start is for --method time' -- --balls 3 --law lzb --start half
refused impact 2 '--start is one of half, exact' -- --balls 3 --law lzb --method time --start third
refused impact 2 '--dt needs a finite number above 0' -- --balls 3 --law lzb --dt 0
refused impact 2 '--separating is one of keep, project' -- --balls 3 --separating drop
refused impact 2 '--samples is for --audit' -- --balls 3 --samples 5
refused impact 2 '--approaching is for --audit' -- --balls 3 --approaching
refused impact 2 'cannot be used with --audit' -- --balls 3 --audit --plot a.svg
refused impact 2 '--plot needs a name such as impact.svg' -- --balls 3 --plot picture
refused impact 2 'two contacts; this system has 3' -- --balls 4 --map m.svg
refused impact 2 'is for models' -- --balls 4 --set a=1
refused impact 2 "cannot write 'no/such.csv'" -- --balls 3 --law lzb --history no/such.csv
refused impact 2 'one system at a time' -- chain twice
refused impact 2 'no/such.lua' -- no/such.lua

# a computation that does not end keeps what it has
impact 1 -- --balls 3 --restitution 0.05 --law binary --max-collisions 10
has out.json '"status":"not-converged"'
near collisions 0 10
has err 'after 10 collisions: an approach speed of'
has err 'z = 1.17'
impact 1 -- --balls 5 --law lzb --max-steps 20
has out.json '"status":"not-converged"'
has err 'larger --tolerance'
impact 0 -- --balls 3 --law lzb --tolerance 1e-6 --energy-tolerance 1e-9
impact 0 -- --balls 3 --law lzb --method implicit --dt 1e-3
impact 0 -- --balls 3 --law lzb --method x
impact 0 -- --balls 3 --law lzb --stiffness-slope 2

# several laws
"$CAROM" impact --balls 5 --law all > out 2> err
has out '5 balls in a row, 5 laws'
for word in before moreau newton poisson binary lzb 'T+/T-' 'momentum residual' 'dispersion C_KE' 'gap Phi to lzb' 'good velocities' collisions \
    steps status kinematic; do
    has out "$word"
done
grep -qE '^  5 +0 +0\.4 +0\.4 +0\.4 +1 +0\.98877742$' out || fail 'wrong line of ball 5'
"$CAROM" impact --balls 5 --law binary,moreau --json > out.json
has out.json '"results":[{"law":"binary","status":"ok",'
has out.json ',{"law":"moreau","status":"ok",'
"$CAROM" impact --balls 5 --law moreau,newton > out
if grep -q 'gap Phi' out; then fail 'a gap to lzb without lzb'; fi
# one that refuses the data: a warning with "all", an error when it was asked for by name; the others are there in both cases
"$CAROM" impact --balls 3 --law all --restitution 0.5,1 > out 2> err
has err 'warning: moreau: '
has out 'bad-input'
status=0
"$CAROM" impact --balls 3 --law moreau,newton --restitution 0.5,1 --json > out.json 2> err || status=$?
[ "$status" -eq 2 ] || fail "a law that refuses: exit status $status"
has out.json '{"law":"moreau","status":"bad-input","message":'
has out.json '{"law":"newton","status":"ok"'
# numbers that leave their range are a failure, never ok with nothing in it
impact 1 -- --balls 3 --law lzb --exponent 300
has out.json '"status":"failed","message":"law lzb: the result is not finite'
"$CAROM" impact --balls 3 --law lzb --exponent 300 > out 2> err && fail 'a result that is not finite: exit status 0'
[ ! -s out ] || fail 'a result that is not finite is printed'
has err 'a force K x^300 leaves the range of numbers'
# ... of one law among several
"$CAROM" impact --balls 3 --law newton,lzb --exponent 300 --json > out.json 2> err && fail 'one law failed: exit status 0'
has out.json '{"law":"newton","status":"ok"'
has out.json '{"law":"lzb","status":"failed","message":'
echo "impact: all as it should be"
