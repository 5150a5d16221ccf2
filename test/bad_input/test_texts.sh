#!/bin/sh
# shellcheck disable=SC2016
# Texts of a model file are shown and drawn as texts: no shell, no terminal and no gnuplot obeys them.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

model() { # model LINE...: model.lua, a ball with these lines at its end
    {
        cat << 'LUA'
local e = param { "e", 0.8, min = 0, max = 1 }
local y = coordinates("y")
mass(1)
potential(9.81*y)
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
integrate { h = 1e-2, until_t = 0.5 }
LUA
        printf '%s\n' "$@"
    } > model.lua
}
no_escape() { # no_escape FILE...: bytes that a terminal obeys
    if LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$@"; then fail "control bytes in $*"; fi
}

# --- names
# The first is what ran a command of the shell through the script of gnuplot.
for name in 'x\nsystem("touch pwned")\n#' 'a b' '' '2x' 'x\27[31m' 'x/../y' 'x`id`' '../../x' "x'" '\xff' 'x\0y'; do
    for statement in "measure { ['$name'] = y }" "record { ['$name'] = y }" "param { '$name', 1 }" \
        "contact { '$name', gap = y }" "plot { '$name', x = time(), y = y }" "variant { '$name', e = 1 }" \
        "setting { '$name', 1 }"; do
        [ "$name" != "x'" ] || statement=$(echo "$statement" | sed "s/'x''/\"x'\"/")
        model "$statement"
        refused run 2 'model.lua:8: ' -- model.lua
        has err 'name'
        no_escape err
    done
done
model "coordinates('x y')"
refused run 2 "model.lua:8: coordinates: 'x y' is not a name" -- model.lua
model "measure { $(printf '%064d' 0 | tr 0 a) = y }"
refused run 2 'up to 63 letters' -- model.lua
model "measure { $(printf '%063d' 0 | tr 0 a) = y }"
"$CAROM" run model.lua --quiet > out 2> err || fail "a name of 63 letters"
model 'measure { ["x\nsystem(\"touch pwned\")\n#"] = y }'
refused sweep 2 'model.lua:8: measure: ' -- model.lua --over e=0:1:3 --plot pictures
if [ -e pwned ] || [ -e pictures/pwned ]; then fail "a measure ran a command"; fi

# --- what a terminal would obey
model 'experiment { title = "\27]0;x\7" }'
refused show 2 'model.lua:8: the text' -- model.lua
no_escape err
model 'print("\27[31m red \xff \u{9b}2J ü")'
"$CAROM" run model.lua > out 2> err || fail "a model that prints"
has err '\x1b[31m red \xff \xc2\x9b2J ü'
no_escape out err
model 'error("\27[2J")'
refused run 2 '\x1b[2J' -- model.lua
no_escape err
model 'measure { top = maximum("\27[2J") }'
refused run 2 'model.lua:8' -- model.lua
no_escape err
model 'unknown_\27'
refused run 2 'model.lua:8' -- model.lua
no_escape err
cp model.lua "$(printf 'a\033[2J.lua')"
refused run 2 'a\x1b[2J.lua' -- "$(printf 'a\033[2J.lua')"
no_escape err
refused run 2 'b\x1b[2J.lua' -- "$(printf 'b\033[2J.lua')"
no_escape err
status=0
"$CAROM" "$(printf 'ru\033[2J')" 2> err || status=$?
[ "$status" -eq 2 ] || fail "an unknown command"
no_escape err
cat > system.json << 'JSON'
{ "M": [1], "W": [[1]], "velocity": [-1], "restitution": [0.5], "names": ["\u001b[2J"] }
JSON
refused impact 2 'control characters' -- --system system.json --law newton
no_escape err

# --- what gnuplot would obey
model 'plot { "p", title = "'"'n roll \`touch pwned\` @x \\\"q\\\" \\\\n {/=30 big} a_b^2 & ~ %d \$x # %\\nsecond ü }"'",' \
    '    x = time(), y = y, xlabel = "`touch pwned`", ylabel = "\x27.system(\x27touch pwned\x27).\x27" }' \
    'plot { "q", title = "\x27", x = time(), y = y, label = "\x27\x27" }' \
    'plot { "r", title = "rock\x27\x27n roll", panel { line { time(), y, label = "\\" } }, panel { line { time(), y } } }'
"$CAROM" run model.lua --plot pictures --quiet > out 2> err || fail "titles with marks: $(cat err)"
if [ -e pwned ] || [ -e pictures/pwned ]; then fail "a title ran a command"; fi
python3 - << 'PYTHON' || fail "titles are not drawn as they are"
import html, re
def texts(name):
    svg = open(f"pictures/{name}.svg", encoding="utf-8").read()
    return [html.unescape(re.sub("<[^>]*>", "", t)).strip() for t in re.findall(r"<text>(.*?)</text>", svg, re.S)]
for name, wanted in (("p", "'n roll `touch pwned` @x \"q\" \\n {/=30 big} ab2 & ~ %d $x # % second ü }"), # b and 2 are lowered and raised
                     ("p", "`touch pwned`"), ("p", "'.system('touch pwned').'"), ("q", "'"), ("q", "''"),
                     ("r", "rock''n roll"), ("r", "\\")):
    assert wanted in texts(name), (name, wanted, texts(name))
PYTHON
# Words of an axis are formats of numbers for gnuplot.
model 'local kind = setting { "kind", "%d%s%n`touch pwned`" }' 'measure { top = maximum(y) }'
"$CAROM" sweep model.lua --over 'kind=%d%s%n`touch pwned`,b%' --plot words --quiet > out 2> err ||
    fail "words of an axis: $(cat err)"
if [ -e pwned ] || [ -e words/pwned ]; then fail "a word ran a command"; fi
has words/sweep.svg '%d%s%n`touch pwned`'
echo "texts of models are texts"
