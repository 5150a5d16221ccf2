#!/bin/sh
# shellcheck disable=SC2016
# Every text that reaches gnuplot, tried with everything that gnuplot or a shell could obey: commands in backquotes, $(..),
# system(), pipes, macros, ends of quotes and of lines. Nothing runs, and outside of quotes no script has a letter of them.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# Lua texts in long brackets: as they stand here.
texts() {
    cat << 'TEXTS'
`touch pwned`
$(touch pwned)
".system("touch pwned")."
'.system('touch pwned').'
"; system("touch pwned"); x = "
'; !touch pwned
!touch pwned
< touch pwned
|touch pwned
@run ${run} $run
\140touch pwned\140
\"; system 'touch pwned' #\
\
'
"
%n%s%d{/=40 x} a_{b}^c & ~ # comment
TEXTS
}

# scripts DIRECTORY: words that run something stand in quotes or comments, if at all, and quotes are whole
scripts() {
    python3 - "$1" << 'PYTHON' || fail "a script of $1 holds what could run"
import glob, re, sys
files = glob.glob(sys.argv[1] + "/*.gp")
assert files, "there is no script"
for name in files:
    for line in open(name, encoding="utf-8"):
        assert "`" not in line and "@" not in line, (name, line)
        if line.lstrip().startswith("#"):
            assert not line.rstrip("\n").endswith("\\"), (name, line)
            continue
        for quoted in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
            # subscripts and superscripts are carom's own: what stands in their braces is escaped as all the rest
            plain = re.sub(r"[_^]\{([^{}]*)\}", r"\1", quoted.replace("%%", ""))
            assert not re.search(r"['$%#!\[\]{}@`]", plain), (name, line)
        for quoted in re.findall(r"'([^']*)'", line):
            assert not quoted.startswith(("<", "|")), (name, line)
        rest = re.sub(r"'[^']*'", "", re.sub(r'"(?:[^"\\]|\\.)*"', "", line))
        assert "'" not in rest and '"' not in rest, (name, line)
        assert not re.search(r"\b(system|shell|popen|load|call|eval|evaluate|pwned|touch)\b|^\s*!|\$\(", rest), (name, line)
PYTHON
}
nothing_ran() {
    [ -z "$(find . -name 'pwned*')" ] || fail "$* ran a command"
}

count=0
texts > all-texts
while IFS= read -r text; do
    count=$((count + 1))
    cat > model.lua << LUA
local hostile = [==[$text]==]
experiment { title = hostile, source = hostile }
local e = param { "e", 0.8, min = 0, max = 1, unit = hostile, doc = hostile }
local kind = setting { "kind", hostile }
local y = coordinates("y")
mass(1)
potential(9.81*y)
contact { "floor", gap = y, restitution = e }
initial { y = 0, [dot(y)] = -1 }
integrate { h = 1e-2, until_t = 0.3 }
measure { top = maximum(y) }
family { e = { 0.2, 0.8 } }
plot { "r", title = hostile, panel { title = hostile, xlabel = hostile, ylabel = hostile, line { time(), y, label = hostile },
    points { time(), y, label = hostile } }, panel { line { time(), y } } }
LUA
    "$CAROM" run model.lua --plot pictures --quiet > out 2> err || fail "run with '$text': $(cat err)"
    [ -s pictures/r.svg ] || fail "run with '$text': no picture"
    scripts pictures
    nothing_ran "$text"
    [ "$count" -le 5 ] || continue # what could end a quote or run without one, by the other commands, too
    "$CAROM" sweep model.lua --over e=0.2:0.8:3 --plot swept --quiet > out 2> err || fail "sweep with '$text': $(cat err)"
    "$CAROM" sweep model.lua --over "kind=$text,b" --over e=0.5,0.6 --plot words --quiet > out 2> err ||
        fail "sweep over '$text': $(cat err)"
    scripts words
    scripts swept
    nothing_ran "$text"
    # names of files stand in titles, too
    cp model.lua "$text.lua"
    "$CAROM" impact "./$text.lua" --restitution 0.5 --law newton,moreau --plot impacts/i.svg --quiet > out 2> err ||
        fail "impact of '$text.lua': $(cat err)"
    "$CAROM" converge "./$text.lua" --schemes moreau-jean --h 0.02,0.01 --reference fine --plot orders --quiet > out 2> err ||
        fail "converge of '$text.lua': $(cat err)"
    scripts impacts
    scripts orders
    nothing_ran "a file named $text"
    rm -rf pictures swept words impacts orders
done < all-texts
[ "$count" -eq 16 ] || fail "$count texts instead of 16"

# names of contacts in a file, and names that a user gives to pictures
python3 - << 'PYTHON'
import json
names = [line.rstrip("\n") for line in open("all-texts")][:2]
json.dump({"M": [1, 1], "W": [[1, 0], [0, 1]], "velocity": [-1, -1], "restitution": [0.5, 0.5], "names": names}, open("system.json", "w"))
PYTHON
"$CAROM" impact --system system.json --law newton --map maps/m.svg --quiet > out 2> err || fail "names of contacts: $(cat err)"
scripts maps
nothing_ran 'a contact'
refused impact 2 "--plot needs a name such as" -- --balls 3 --plot "'.system('touch pwned').'.svg"
refused impact 2 "--plot needs a name such as" -- --balls 3 --plot '< touch pwned.svg'
nothing_ran 'the name of a picture'
echo "$count texts: nothing ran"
