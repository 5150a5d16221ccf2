#!/bin/sh
# Bad model files and bad options: exit status 2, nothing on stdout, a message that names place and cure.
set -u
failures=0
cases=0

# refused NAME 'text that must be in the message'... -- arguments of carom
refused() {
    name=$1
    shift
    : > wanted
    while [ "$1" != -- ]; do
        printf '%s\n' "$1" >> wanted
        shift
    done
    shift
    cases=$((cases + 1))
    "$CAROM" "$@" > out 2> err
    status=$?
    if [ "$status" -ne 2 ]; then
        echo "$name: exit status $status instead of 2"
        cat err
        failures=$((failures + 1))
    fi
    if [ -s out ]; then
        echo "$name: something on stdout"
        failures=$((failures + 1))
    fi
    while IFS= read -r text; do
        if ! grep -qF -- "$text" err; then
            echo "$name: the message lacks '$text':"
            cat err
            failures=$((failures + 1))
        fi
    done < wanted
}

# model 'line' ...: writes bad.lua from a good model and these lines put in at the end
good_head() {
    cat << 'LUA'
local x, y = coordinates("x", "y")
kinetic((dot(x)^2 + dot(y)^2) / 2)
potential(9.81 * y)
LUA
}
good_tail() {
    cat << 'LUA'
initial { x = 0, y = 1 }
integrate { scheme = "inel", h = 1e-2, until_t = 0.1 }
LUA
}
model() {
    { good_head; printf '%s\n' "$@"; good_tail; } > bad.lua
}

# --- the command line
refused 'no command' "unknown command 'rum'" "did you mean 'run'" -- rum
refused 'no experiment' "no experiment or model file 'moreau-1986/trial-94'" 'did you mean' -- run moreau-1986/trial-94
refused 'nothing to run' 'which experiment' -- run
refused 'two to run' 'one experiment or model file at a time' -- run a b
refused 'unknown option' "unknown option '--plt'" "did you mean '--plot'" -- run moreau-1986/trial-04 --plt x
refused 'option without value' 'option --set needs a value' -- run moreau-1986/trial-04 --set
refused 'set without =' '--set needs name=value' -- run moreau-1986/trial-04 --set av
refused 'unknown parameter' "'omega'" 'omega0' -- run moreau-1986/trial-04 --set omega=3
refused 'value not a number' "'av'" 'fast' -- run moreau-1986/trial-04 --set av=fast
refused 'value NaN' "'av'" -- run moreau-1986/trial-04 --set av=nan
refused 'value out of range' 'h' '-0.1' -- run moreau-1986/trial-04 --set h=-0.1
refused 'step zero' 'h' '0' -- run moreau-1986/trial-04 --h 0
refused 'step not a number' "--h needs a number; got 'x'" -- run moreau-1986/trial-04 --h x
refused 'end before start' 'end time' '-1' -- run moreau-1986/trial-04 --until -1
refused 'unknown scheme' "'elastic'" 'elast' -- run moreau-1986/trial-04 --scheme elastic
refused 'scheme that cannot' 'friction' 'moreau-friction' -- run moreau-1986/trial-10 --scheme inel
refused 'unknown scheme option' 'guard' 'av' -- run moreau-1986/trial-04 --option wrong=1
refused 'bad choice' 'correction' 'off' 'on' -- run moreau-1986/trial-08 --option correction=maybe
refused 'bad time list' "--at needs times" -- run moreau-1986/trial-04 --at 0.1,,2
refused 'bad variant' "no variant 'plate-99'" 'plate-15' -- run moreau-1986/trial-10 --variant plate-99
refused 'unwritable run file' 'no/such/dir/run.h5' -- run moreau-1986/trial-04 --out no/such/dir/run.h5
refused 'unwritable CSV' 'no/such/dir/run.csv' -- run moreau-1986/trial-04 --csv no/such/dir/run.csv
refused 'list what' 'experiments, schemes, solvers or laws' -- list schemas
refused 'no run file' 'missing.h5' -- plot missing.h5
printf 'this is not HDF5' > text.h5
refused 'not a run file' 'text.h5' -- plot text.h5
"$CAROM" run moreau-1986/trial-04 --no-family --out whole.h5 --quiet || failures=$((failures + 1))
head -c 5000 whole.h5 > half.h5
refused 'truncated run file' 'half.h5' -- plot half.h5

# --- model files
refused 'directory' "." -- run .
: > empty.lua
refused 'empty file' 'empty.lua' 'is empty' -- run empty.lua
printf 'local x = \000 1\n' > zero.lua
refused 'zero bytes' 'zero.lua' 'not a text' -- run zero.lua
model 'kinetic(('
refused 'syntax' 'bad.lua:6:' "')' expected" -- run bad.lua
model 'if x > 0 then potential(x) end'
refused 'branch on a symbol' 'bad.lua:4:' 'select' -- run bad.lua
model 'potential(cosine(x))'
refused 'unknown function' 'bad.lua:4:' "unknown name 'cosine'" -- run bad.lua
model 'potential(sin(x, y))'
refused 'wrong arity' 'bad.lua:4:' 'sin takes 1 argument; got 2' -- run bad.lua
model 'local z = coordinates("x")'
refused 'defined twice' 'bad.lua:4:' "'x' is defined twice" 'bad.lua:1' -- run bad.lua
model 'while true do end'
refused 'endless loop' 'bad.lua:4:' 'endless' -- run bad.lua
model 'local t = {} for i = 1, 1e9 do t[i] = { i } end'
refused 'memory' 'bad.lua' 'memory' -- run bad.lua
model 'potential(x * (0 / 0))'
refused 'NaN' 'bad.lua:4:' 'NaN' -- run bad.lua
model 'local p = param { "p", -1, min = 0 }'
refused 'default out of range' 'bad.lua:4:' "'p'" '[0, inf]' -- run bad.lua
model 'contact { "floor", gap = y, restituton = 0.5 }'
refused 'misspelt key' 'bad.lua:4:' "did you mean 'restitution'" -- run bad.lua
model 'contact { "floor", gap = y, friction = 0.3 }'
refused 'friction without slip' 'bad.lua:4:' 'slip' -- run bad.lua
model 'contact { "floor", gap = y, restitution = 1.5 }'
refused 'restitution' 'bad.lua:4:' 'restitution 1.5 is outside [0, 1]' -- run bad.lua
model 'contact { "floor", gap = y, slip = dot(x), friction = -0.3 }'
refused 'negative friction' 'bad.lua:6:' "'floor'" '-0.3' -- run bad.lua --scheme moreau-friction
model 'contact { "floor", gap = y - 1.5 }'
refused 'initial violation' 'bad.lua:5:' "contact 'floor'" '-0.5' 'gap_tolerance' -- run bad.lua
model 'contact { "floor", gap = dot(y) }'
refused 'gap of velocity' 'bad.lua:4:' "'floor'" 'position and time' -- run bad.lua
model 'kinetic(-2 * dot(y)^2)'
refused 'negative mass' 'bad.lua:4:' "'y'" 'positive definite' -- run bad.lua
model 'io.write("hello")'
refused 'io' 'bad.lua:4:' "'io' is not available" -- run bad.lua
model 'local f = load("return 1")'
refused 'load' 'bad.lua:4:' "'load' is not available" -- run bad.lua
model 'force { z = 1 }'
refused 'unknown coordinate' 'bad.lua:4:' "no coordinate 'z'" -- run bad.lua
{ good_head; echo 'initial { x = 1 / 0 }'; echo 'integrate { scheme = "inel", h = 0.1, until_t = 1 }'; } > bad.lua
refused 'infinite start' 'bad.lua:4:' "'x'" -- run bad.lua
good_head > bad.lua
refused 'no integrate' 'bad.lua' 'integrate' -- run bad.lua
{ good_head; echo 'integrate { scheme = "inel", h = x, until_t = 1 }'; } > bad.lua
refused 'h of the motion' 'bad.lua:4:' 'h must be a number or an expression of parameters' -- run bad.lua
{ good_head; echo 'integrate { scheme = "inell", h = 0.1, until_t = 1 }'; } > bad.lua
refused 'scheme in file' 'bad.lua:4:' "'inell'" 'inel' -- run bad.lua
model 'family { speed = { 1, 2 } }'
refused 'family of what' 'bad.lua:4:' "'speed' is not a parameter" -- run bad.lua
model 'local n = param("n", 3) for i = 1, n do end'
refused 'loop to a symbol' 'bad.lua:4:' 'setting' -- run bad.lua
refused 'two for stdout' 'stdout' -- run moreau-1986/trial-04 --json --csv -

# A beam and its obstacles.
beam=dumont-paoli-2008/convex
refused 'one element' 'convex.lua:24: J = 1: a beam needs at least 2 elements' -- run $beam --set J=1
refused 'no step' "'dt'" '> 0' -- run $beam --set dt=0
refused 'beta' 'beta' '0.6' 'from 0 to 0.5' -- run $beam --set beta=0.6
refused 'crossed walls' 'convex.lua:24: obstacle at node' 'lower = 0.008125 > upper = -0.008125' -- run $beam --set gap=-0.1
refused 'unstable step' 'kappa = 2.596037e+08' 'must not exceed' '0.0001603' 'h = 0.001' -- run $beam --set beta=0.1
refused 'first step into the wall' "contact 'lower_26' at x = 6.5" 'by 5.41375' -- \
    run dumont-paoli-2008/energy --set v_scale=1000 --no-family
pipe=paoli-2001/guided-pipe
refused 'empty gap' 'empty guide gap' "'guide'" 'lower = 0.01 > upper = 0.001' -- run $pipe --set gap_lower=0.01
refused 'restitution of the pipe' "'e' = 1.5" -- run $pipe --set e=1.5
refused 'guide beyond the end' "'guide': x = 1.7 is outside the beam" -- run $pipe --set x_guide=1.7
refused 'guide at the clamp' "'guide': x = 0 is at the left end" -- run $pipe --set x_guide=0
refused 'gap without the start' "'guide_lower': gap = -0.0001" -- run $pipe --set gap_lower=0.0001
cat > bad.lua << 'LUA'
local u = beam { "u", length = 10, elements = 7, k2 = 282, stops = { { "s", x = 5, lower = -0.1 } } }
integrate { h = 1e-3, until_t = 1 }
LUA
refused 'stop between nodes' 'bad.lua:1:' "'s': x = 5 is not a node" 'x = 4.285714286' 'choose J' -- run bad.lua

echo "$cases cases, $failures failures"
[ "$failures" -eq 0 ]
