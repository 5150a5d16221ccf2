#!/bin/sh
# carom fit from outside: data files, what is found, tables, JSON, pictures, what is refused.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > ball.lua << 'LUA'
local e = param { "e", 0.7, min = 0, max = 1 }
local g = param { "g", 9.81, min = 1, max = 20 }
local n = param { "n", 1, integer = true }
local y = coordinates("y")
mass(1)
potential(g * y)
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
record { camera = y + 0.004 * sin(1e5 * time()^2), speed = dot(y) }
integrate { scheme = "event-driven", h = 0.0137, until_t = 1.6 }
LUA
"$CAROM" run ball.lua --set e=0.8 --csv drop.csv --quiet

# text: what was found, how well, from how many runs
"$CAROM" fit ball.lua --data drop.csv --map camera=y --params e,q:y > out 2> err
has out 'ball.lua fitted to drop.csv: ok'
has out '95 % interval'
has out 'camera = y: 118 data, rms of the residuals 0.00'
has out 'runs of event-driven'
has out 'exact derivatives'
[ ! -s err ] || fail 'something on stderr'
grep -qE '^  e +0\.(799|80[01])' out || fail 'e is not 0.8'

# JSON: one line with every key; the numbers of the text
"$CAROM" fit ball.lua --data drop.csv --map camera=y --params e,q:y --json > fit.json
[ "$(wc -l < fit.json)" -eq 1 ] || fail 'JSON is not one line'
for key in status experiment scheme params value error low high start determined correlation rms misfit variance data freedom loss \
    jacobian runs failed_runs iterations starts starts_here wall_s columns undetermined warnings residuals; do
    has fit.json "\"$key\":"
done
if grep -qiE '[:,\[](nan|-?inf)' fit.json; then fail 'NaN or infinity in JSON'; fi
number() { # number FILE PYTHON: of the JSON object d
    python3 -c "import json, sys; d = json.load(open('$1')); print($2)"
}
[ "$(number fit.json "d['params']['e']['low'] < 0.8 < d['params']['e']['high']")" = True ] || fail 'e is outside its interval'
[ "$(number fit.json "abs(d['correlation'][0][1] - d['correlation'][1][0]) < 1e-12 and d['correlation'][0][0]")" = 1 ] ||
    fail 'no matrix of correlations'
[ "$(number fit.json "len(d['residuals'][0]['residual']) == d['data']")" = True ] || fail 'not a residual per datum'

# the same for any number of threads, and by differences
"$CAROM" fit ball.lua --data drop.csv --map camera=y --params e,q:y --json --threads 1 > one.json
[ "$(number fit.json "d['params']")" = "$(number one.json "d['params']")" ] || fail 'threads change the result'
"$CAROM" fit ball.lua --data drop.csv --map camera=y --params e,q:y --jacobian differences --json > differences.json
[ "$(number differences.json "d['jacobian']")" = differences ] || fail 'no differences'
[ "$(number differences.json "d['runs'] >= 3 * $(number fit.json "d['runs']")")" = True ] || fail 'differences need few runs'

# a table and a picture
"$CAROM" fit ball.lua --data drop.csv --map camera=y --map speed=dot\(y\) --params e --out table.csv --plot pictures --quiet > out 2> err
[ ! -s out ] || fail '--quiet is not quiet'
[ "$(head -1 table.csv)" = 'file,column,t,data,fit,residual' ] || fail 'another header'
[ "$(wc -l < table.csv)" -eq 237 ] || fail 'not a line per datum'
for file in fit.png fit.svg fit.gp fit.dat; do
    [ -s "pictures/$file" ] || fail "no pictures/$file"
done

# formulas, records, several columns, deviations by number and by column
"$CAROM" fit ball.lua --data drop.csv --map camera='2*y - y + 0*t' --map speed=speed --sigma camera=0.003 --params e --json > fit.json
has fit.json '"sigma":0.0030000000000000001'
awk -F, 'NR == 1 { print $0 ",s"; next } { print $0 ",0.003" }' drop.csv > weighed.csv
"$CAROM" fit ball.lua --data weighed.csv --map camera=y --sigma camera=s --params e --json > fit.json
has fit.json '"sigma":0.0030000000000000001'

# missing cells, other separators, columns by number, comments
{
    echo '# a file of an instrument'
    echo 'when; what'
    awk -F, 'NR > 1 { print $1 "; " (NR % 5 == 0 ? "" : NR % 7 == 0 ? "NaN" : $(NF - 1)) }' drop.csv
} > odd.csv
sed -n '/^when/,$p' odd.csv | sed 1d > bare.csv
"$CAROM" fit ball.lua --data odd.csv --time when --map what=y --params e --json > odd.json
"$CAROM" fit ball.lua --data bare.csv --time 1 --map 2=y --params e --json > bare.json
[ "$(number odd.json "d['params']['e']['value']")" = "$(number bare.json "d['params']['e']['value']")" ] || fail 'names or numbers differ'
[ "$(number odd.json "d['data']")" -lt 118 ] || fail 'missing cells are not missing'

# several motions, each with its own start; starts of their own from a column; fitted for each
"$CAROM" run ball.lua --set e=0.8 --set g=9.81 --csv high.csv --quiet
sed 's/y = 1 }/y = 0.6 }/' ball.lua > low.lua
"$CAROM" run low.lua --set e=0.8 --csv low.csv --quiet
"$CAROM" fit ball.lua --data high.csv --data low.csv:q:y=0.6 --map camera=y --params e --json > fit.json
[ "$(number fit.json "abs(d['params']['e']['value'] - 0.8) < 0.002")" = True ] || fail 'two motions: e'
"$CAROM" fit ball.lua --data high.csv:q:y=y,v:y=0 --data low.csv:q:y=y --map camera=y --params e --each q:y --json > fit.json
has fit.json '"q:y (low.csv)":'
[ "$(number fit.json "abs(d['params']['q:y (low.csv)']['value'] - 0.6) < 0.003")" = True ] || fail 'two motions: the second start'

# times of impacts
"$CAROM" run ball.lua --set e=0.8 --until 3.5 --events all.csv --quiet
awk -F, 'NR == 1 || $2 == "impact"' all.csv > clicks.csv
"$CAROM" fit ball.lua --data clicks.csv --events floor --params e,g > out
has out 'impacts of floor: '
grep -qE '^  e +0\.80' out || fail 'e from clicks is not 0.8'
"$CAROM" fit ball.lua --data clicks.csv --events floor --sigma floor=1e-3 --params e --out clicks-table.csv --plot clicks --quiet
[ "$(head -1 clicks-table.csv)" = 'file,column,impact,data,fit,residual' ] || fail 'another header'

# outliers
awk -F, -v OFS=, 'NR > 1 && NR % 10 == 0 { for (i = 2; i <= NF; i++) if (i == NF - 1) $i += 0.4 } { print }' drop.csv > rubbish.csv
for loss in huber cauchy soft-l1; do
    "$CAROM" fit ball.lua --data rubbish.csv --map camera=y --params e --loss $loss --json > fit.json
    [ "$(number fit.json "abs(d['params']['e']['value'] - 0.8) < 0.003")" = True ] || fail "$loss does not bear outliers"
done

# time stepping: differences, and the advice to locate impacts
"$CAROM" fit ball.lua --data drop.csv --map camera=y --params e --scheme moreau-jean --h 1e-3 > out
has out 'With --scheme event-driven it is smooth'

# what cannot be told apart
cat > spring.lua << 'LUA'
local k, m = param { "k", 30, min = 1 }, param { "m", 2, min = 0.1 }
local x = coordinates("x")
mass(m)
potential(k * x^2 / 2)
initial { x = 0.1 }
integrate { scheme = "moreau-jean", h = 0.01, until_t = 3 }
LUA
"$CAROM" run spring.lua --set k=36 --csv spring.csv --quiet
refused fit 1 'only k/m is determined' -- spring.lua --data spring.csv --map x=x --params k,m --json
has out '"status":"undetermined"'
"$CAROM" fit spring.lua --data spring.csv --map x=x --params k --set m=2 --json > fit.json
[ "$(number fit.json "abs(d['params']['k']['value'] - 36) < 1e-3")" = True ] || fail 'k is not 36'

# what is refused, with what would be right
refused fit 2 'which experiment or model file' -- --data drop.csv --map camera=y --params e
refused fit 2 '--data names the file' -- ball.lua --map camera=y --params e
refused fit 2 '--map says what a column' -- ball.lua --data drop.csv --params e
refused fit 2 'either by time or times of impacts' -- ball.lua --data drop.csv --map camera=y --events floor --params e
refused fit 2 '--params names what is to be found' -- ball.lua --data drop.csv --map camera=y
refused fit 2 "there is no column 'height'; the first line names t, y, v_y" -- ball.lua --data drop.csv --map height=y --params e
refused fit 2 "there is no column 'when'" -- ball.lua --data drop.csv --time when --map camera=y --params e
refused fit 2 'no-such.csv' -- ball.lua --data no-such.csv --map camera=y --params e
refused fit 2 "parameters to fit: there is no 'f'; there are e, g, n, q:y, v:y" -- ball.lua --data drop.csv --map camera=y --params f
refused fit 2 'whole number' -- ball.lua --data drop.csv --map camera=y --params n
refused fit 2 'It may use y, camera, speed' -- ball.lua --data drop.csv --map camera=z --params e
refused fit 2 "'e' is not among --params" -- ball.lua --data drop.csv --map camera=y --params g --start e=0.5
refused fit 2 'name=low:high' -- ball.lua --data drop.csv --map camera=y --params e --bound e=0.5
refused fit 2 'leave the range of the parameter' -- ball.lua --data drop.csv --map camera=y --params e --bound e=0.5:3
refused fit 2 '--loss is squares, huber, cauchy or soft-l1' -- ball.lua --data drop.csv --map camera=y --params e --loss tukey
refused fit 2 '--scale says where a --loss' -- ball.lua --data drop.csv --map camera=y --params e --scale 1
refused fit 2 '--jacobian is best, exact or differences' -- ball.lua --data drop.csv --map camera=y --params e --jacobian best-of-all
refused fit 2 "'speed' is no column that is fitted" -- ball.lua --data drop.csv --map camera=y --params e --sigma speed=1
refused fit 2 'such as q:y=1.2,v:y=0' -- ball.lua --data drop.csv:q:y=1,v:y --map camera=y --params e
refused fit 2 'a column is one thing' -- ball.lua --data drop.csv --map camera=y --map camera=speed --params e
refused fit 2 "'q:y' is given twice" -- ball.lua --data drop.csv:q:y=1,q:y=2 --map camera=y --params e
refused fit 2 "drop.csv: there is no 'q:z'" -- ball.lua --data drop.csv:q:z=1 --map camera=y --params e
refused fit 2 'need bounds' -- ball.lua --data drop.csv --map camera=y --params v:y --starts 3
refused fit 2 "contact 'ceiling'" -- ball.lua --data clicks.csv --events ceiling --params e
printf 't,x\n0,1\n0.1,abc\n' > word.csv
refused fit 2 "word.csv:3: 'abc' in column 2 is not a finite number" -- ball.lua --data word.csv --map x=y --params e
printf 't,x\n0,1\n0.2,1\n0.1,1\n' > back.csv
refused fit 2 'back.csv:4: 0.10000000000000001 is not larger than' -- ball.lua --data back.csv --map x=y --params e
printf 't,x\n0,1\n' > one.csv
refused fit 2 '1 data for 1 parameters' -- ball.lua --data one.csv --map x=y --params e
printf 't,x\n0,1\n0.1,0.95\n0.2,0.8\n' > early.csv
refused fit 2 "nothing that was measured depends on 'e'" -- ball.lua --data early.csv --map x=y --params e
refused fit 2 'drop.csv' -- ball.lua --data drop.csv --map camera=y --params e --out drop.csv
refused fit 2 'would destroy the data' -- ball.lua --data drop.csv:q:y=1 --map camera=y --params e --out drop.csv

# killed, then resumed, from another directory, too: nothing is computed twice, and the result is the same
slowly='--data drop.csv --map camera=y --params e,g,q:y --bound q:y=0.5:1.5 --starts 6 --no-times'
# shellcheck disable=SC2086
"$CAROM" fit ball.lua $slowly --json --out whole.csv > whole.json
# shellcheck disable=SC2086
stopped_at 30001 KILL killed.csv "$CAROM" fit ball.lua $slowly --json --out killed.csv
mkdir elsewhere
(cd elsewhere && "$CAROM" resume ../killed.csv > ../killed.json)
cmp whole.csv killed.csv || fail 'the resumed table is another one'
sed 's/killed.csv/whole.csv/' killed.json | cmp - whole.json || fail 'the resumed result is another one'
[ ! -e killed.csv.part ] || fail 'the journal is left'

# Motions of differences side by side and one after the other: the same bytes, also with failures on the way and two threads.
cat > rattle.lua <<'END'
local e = param { "e", 0.6, min = 0, max = 1 }
local w = param { "w", 2, min = 0.1, max = 5 }
local k = param { "k", 1, min = 0.1, max = 10 }
local x = coordinates("x")
mass      (1)
force     { x = -k * x + cos(w * time()) + 1e-9 * sqrt(3 - w) }
contact   { "wall", gap = x, restitution = e }
initial   { x = 0.5 }
integrate { scheme = "moreau-jean", h = 0.01, until_t = 20 }
END
"$CAROM" run rattle.lua --set e=0.8 --set w=2.2 --every 20 --csv rattle.csv --events all.csv --quiet
for data in '--map x=x' '--events wall'; do
    [ "$data" = '--map x=x' ] || awk -F, 'NR == 1 { print "t" } $2 == "impact" { print $1 }' all.csv > rattle.csv
    # shellcheck disable=SC2086
    for how in '--threads 1 --alone' '--threads 1' '--threads 2' '--threads 2 --alone'; do
        "$CAROM" fit rattle.lua --data rattle.csv $data --params e,w --bound w=1:3 --starts 3 --no-times --json $how \
            > "beside$how.json" 2> "beside$how.err" || true
        cmp "beside--threads 1 --alone.json" "beside$how.json" || fail "fit $data $how: another result"
        cmp "beside--threads 1 --alone.err" "beside$how.err" || fail "fit $data $how: other words"
    done
    grep -q '"params"' 'beside--threads 1.json' || fail "fit $data: no result"
done

# Ctrl-C within a motion that is long: in steps of the user, and where they are the scheme's own
sed 's/^potential.*/&\nforce { y = sin(1e9 * time()) }/' ball.lua > shaken.lua
heeds fit ball.lua --scheme moreau-jean --h 1e-10 --data drop.csv --map camera=y --params e
heeds fit shaken.lua --scheme event-driven --data drop.csv --map camera=y --params e
