#!/bin/sh
# Files of data beside a model: read from there only, carried by run files and journals, errors with file and line.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/beside_model.sh
. "$CAROM_SOURCE_DIR/test/app/beside_model.sh"

mkdir -p models/data elsewhere
awk 'BEGIN { print "# shaken"; print "t,a,v"; for (i = 0; i <= 10000; i++) printf "%.4f,%.9f,x\n", i * 2e-4, sin(i * 4e-3) }' \
    > models/data/quake.csv
cat > models/shaken.lua << 'LUA'
local n = setting { "n", 1, integer = true }
local k = param { "k", 50 }
local a = table_of { file = "data/quake.csv", time = "t", column = "a", outside = "zero" }
local x = coordinates("x")
mass(1)
potential(k * x^2 / 2)
force { x = -a(time()) }
contact { "stop", gap = 0.01 - x, restitution = 0.5 }
integrate { h = 1e-3, until_t = a.to }
measure { speed = a:integral(time()), hits = count(impact "stop"), twice = n * x }
LUA

# from any directory: the file is found beside the model
"$CAROM" run models/shaken.lua --json > one.json
(cd models && "$CAROM" run shaken.lua --json > ../two.json)
(cd elsewhere && "$CAROM" run ../models/shaken.lua --json > ../three.json)
has one.json '"speed":0.0833'
same_measures one.json two.json three.json

# what reads the model again needs no data: runs again, pictures, sweeps over settings, resumed runs
"$CAROM" run models/shaken.lua --out run.h5 --csv one.csv --quiet
"$CAROM" sweep models/shaken.lua --over n=1,2,3 --csv sweep.csv > /dev/null 2>&1
[ "$(grep -c ',ok,' sweep.csv)" -eq 3 ] || fail 'a sweep over a setting'
sed -i 's/until_t = a.to/until_t = 40 * a.to/' models/shaken.lua
read_without_files models/shaken.lua

# never from outside of the folder
echo '0,1' > outside.csv
ln -s data/quake.csv models/inside.csv
refuse() { # refuse FILE TEXT: of a table of this file
    printf 'local a = table_of { file = "%s" }\nmeasure { one = 1 }\n' "$1" > models/bad.lua
    refused_at 1 "$2"
}
refuse_outside outside.csv
refuse data 'not a plain file'
refuse data/none.csv 'No such file'
printf 'local a = table_of { file = "inside.csv" }\nmeasure { one = a(0) }\n' > models/good.lua
"$CAROM" run models/good.lua > /dev/null || fail 'a link inside of the folder is refused'

# bad data: file and line, what stands there
printf 't,a\n0,1\n1,x\n' > models/d.csv
refuse d.csv "table_of: d.csv:3: 'x' in column 2 is not a finite number"
printf 't,a\n0,1\n0,2\n' > models/d.csv
refuse d.csv 'table_of: d.csv:3: 0 is not larger than 0 before it: column 1 must grow'
printf 't,a\n0,1\n' > models/d.csv
refuse d.csv 'two points at least; it has 1'
printf '\033]0;title\007\n' > models/d.csv
refuse d.csv 'd.csv:1: no numbers follow the names'
no_control_characters
: > models/d.csv
refuse d.csv 'd.csv: the file holds no numbers'
