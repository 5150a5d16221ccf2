#!/bin/sh
# Pages of sweep, converge, fit, orbit, continue, modes, impact, solve and bench hold what the commands' JSON says.
set -eu
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/orbit_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/orbit_helpers.sh"
write_chain
cat >ball.lua <<'END_OF_MODEL'
experiment { title = "Ball" }
local e = param { "e", 0.8, doc = "restitution", min = 0, max = 1 }
local v = param { "v", 1 }
local h = param { "h", 1e-3, min = 0 }
local x = coordinates("x")
kinetic(dot(x)^2/2)
potential(9.81*x)
contact { "floor", gap = x, restitution = e }
initial { x = 1, [dot(x)] = v }
integrate { scheme = "moreau-jean", h = h, until_t = 1 }
measure { bounces = count(impact "floor"), top = maximum(x), last = x }
END_OF_MODEL
"$CAROM_TEST_PROGRAMS/make_contact_files" >/dev/null

# made NAME COMMAND...: NAME.html and NAME.json
made() {
    name=$1
    shift
    "$CAROM" "$@" --report "$name.html" --json >"$name.json" 2>messages || fail "$* failed: $(cat messages)"
    has messages "report: $name.html"
}
made lines sweep ball.lua --over e=0.1,0.5,0.9
made words sweep ball.lua --over scheme=moreau-jean,sweeping --over v=0,1
made map sweep ball.lua --over e=0:1:11 --over v=0:2:9 --measure last
made converge converge ball.lua --h 1e-2,5e-3,2.5e-3 --schemes moreau-jean,event-driven
"$CAROM" run ball.lua --set e=0.7 --scheme event-driven --h 0.02 --csv drop.csv --quiet
made fit fit ball.lua --scheme event-driven --h 0.02 --data drop.csv --map x=x --map v_x='dot(x)' --params e,v --start e=0.8
made orbit orbit linear.lua --period 4.4 --impacts wall
made continue continue linear.lua --param period --from 4.25 --to 3.9 --impacts wall
made further continue oscillators/impact --param w --from 2.6 --to 2.7 --impacts wall --switch flip --depth 1 --locus flip --second e --second-to 0.75
made modes modes linear.lua
made impact impact --masses 1,2,3 --velocity 2,0.5,-1 --law moreau,lzb --restitution 0.6
made solve solve slide.hdf5 plane.hdf5 --solver nsgs
made bench bench slide.hdf5 plane.hdf5 pressed.hdf5 --solvers nsgs,nsn-ac
PYTHONPATH=$CAROM_SOURCE_DIR/test/app/page python3 "$CAROM_SOURCE_DIR/test/app/page/check_command_pages.py"

# A page that cannot be written is refused before anything is computed.
for command in "sweep ball.lua --over e=0.1,0.5" "converge ball.lua --h 1e-2,5e-3" \
    "fit ball.lua --data drop.csv --map x=x --params e" "orbit linear.lua --period 4.4 --impacts wall" \
    "continue linear.lua --param period --from 4.25 --to 3.9 --impacts wall" "modes linear.lua" "impact --masses 1,2" \
    "solve slide.hdf5" "bench slide.hdf5 --solvers nsgs"; do
    status=0
    # shellcheck disable=SC2086 # words
    "$CAROM" $command --report page.txt >out 2>err || status=$?
    [ "$status" -eq 2 ] || fail "$command: exit status $status"
    has err 'its name ends with .html'
done
