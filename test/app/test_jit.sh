#!/bin/sh
# --jit: the same numbers from compiled code; without a compiler, or without a safe place for it, a line says so.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
mkdir cache nothing

cat > ball.lua << 'LUA'
local e = param { "e", 0.8, min = 0, max = 1 }
local y, a = coordinates("y", "a")
mass { y = 1 + a^2, a = 2 }
potential(9.81 * y + cos(a) + 0.1 * y^2)
force { a = -0.1 * dot(a) + sin(3 * time()) }
contact { "floor", gap = y + 0.1 * sin(a), restitution = e }
initial { y = 1, a = 0.2 }
integrate { scheme = "moreau-jean", h = 0.001, until_t = 1 }
record { height = y * exp(-a) }
measure { highest = maximum(y), late = at(a, { 0.3, 0.9 }) }
LUA

# bits NAME COMMAND ARGUMENTS: what it says with --jit and without is the same
bits() {
    name=$1
    shift
    "$CAROM" "$@" --json > plain.json 2> err
    "$CAROM" "$@" --json --jit > jit.json 2> err
    if grep -q -e --jit err; then fail "$name: $(cat err)"; fi
    for file in plain jit; do sed 's/"wall_s":[^,}]*//g; s/"seconds":[^,}]*//g' $file.json > $file.txt; done
    cmp plain.txt jit.txt || fail "$name: other numbers"
}

if command -v cc > /dev/null; then
    bits ball run ball.lua
    bits explicit run ball.lua --scheme paoli-schatzman
    bits events run ball.lua --scheme event-driven --until 0.5
    bits sweep sweep ball.lua --over e=0.2:0.9:5
    bits sensitivity run ball.lua --sensitivity e,q:y --until 0.3
    for experiment in moreau-1986/trial-04 paoli-2001/bouncing-ball oscillators/impact; do
        bits $experiment run $experiment --no-family
    done
    [ "$(stat -c %a cache/carom)" = 700 ] || fail 'the cache is not private'
    files=$(find cache/carom -type f | wc -l)
    bits again run ball.lua
    [ "$(find cache/carom -type f | wc -l)" = "$files" ] || fail 'what was compiled is compiled again'
    [ -z "$(find cache/carom -name 'work-*')" ] || fail 'a working folder stays'
    for file in cache/carom/*.so; do echo damaged > "$file"; done
    bits damaged run ball.lua
    chmod 777 cache/carom
    "$CAROM" run ball.lua --jit --json > jit.json 2> err
    has err 'nobody else may write'
    sed 's/"wall_s":[^,}]*//g' jit.json > jit.txt
    cmp plain.txt jit.txt || fail 'a folder that is not safe: other numbers'
    rm -rf cache/carom
    ln -s ../nothing cache/carom
    "$CAROM" run ball.lua --jit --quiet 2> err
    has err 'nobody else may write'
fi
# Ctrl-C while a compiler works: it is ended with all that it began
mkdir slow
cat > slow/cc << 'SH'
#!/bin/sh
echo $$ > "$SLOW_PID"
exec sleep 100
SH
chmod +x slow/cc
mkdir fresh
SLOW_PID=$PWD/compiler XDG_CACHE_HOME=$PWD/fresh PATH=$PWD/slow:$PATH "$CAROM" run ball.lua --jit --quiet 2> err &
running=$!
for _ in $(seq 200); do
    [ -s compiler ] && break
    sleep 0.05
done
kill -TERM $running
status=0
wait $running || status=$?
[ "$status" -eq 1 ] || fail "stopped while it compiles: exit status $status"
has err 'interrupted while cc compiles'
if kill -0 "$(cat compiler)" 2> /dev/null; then fail 'the compiler goes on'; fi
[ -z "$(find fresh/carom -name 'work-*')" ] || fail 'a working folder stays'

PATH=$PWD/nothing "$CAROM" run ball.lua --jit --json > out 2> err
has err 'there is no C compiler (cc, gcc or clang): the model is computed as without it'
XDG_CACHE_HOME='' HOME='' "$CAROM" run ball.lua --jit --quiet 2> err
grep -q 'as without it' err || fail 'no place for the cache, and no word about it'
