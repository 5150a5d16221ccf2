# What the tests of carom-mpi share. Ranks that hang are ended by a timeout, which is a failure of the test.
# shellcheck shell=sh

. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# More ranks than cores, in containers as root too; several ranks that share cores must not be bound to one.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMP_WAIT_POLICY=passive

# ranks N PROGRAM ARGUMENTS...
ranks() {
    count=$1
    shift
    timeout --kill-after=5 "${MPI_TIMEOUT:-900}" mpirun --oversubscribe -n "$count" "$@"
}

# exits STATUS COMMAND...: its output goes to out and err. Where mpirun of Open MPI 4 takes a rank that ended well for one that did
# not (open-mpi/ompi#7833: "exiting improperly"), nothing is known of carom: once more, twice at most.
exits() {
    wanted=$1
    shift
    for attempt in 1 2 3; do
        got=0
        "$@" > out 2> err || got=$?
        if [ $attempt -eq 3 ] || ! grep -q 'exiting improperly' err; then break; fi
    done
    [ "$got" -eq "$wanted" ] || fail "exit status $got instead of $wanted: $* ($(head -5 err))"
}

# once PATTERN: in err, on one line
once() {
    [ "$(grep -cF -- "$1" err)" -eq 1 ] || fail "'$1' stands $(grep -cF -- "$1" err) times in: $(cat err)"
}

same() {
    cmp "$1" "$2" || fail "$1 and $2 differ"
}

cat > ball.lua << 'LUA'
local e = param { "e", 0.9, min = 0, max = 1 }
local stop = param { "T", 3, min = 0 }
local start = setting { "start", "high", choices = { "high", "low" } }
local y, x = coordinates("y", "x")
mass { { 1, 0 }, { 0, 1 } }
potential(9.81 * y + (x - y) ^ 2 + x ^ 4)
contact { "floor", gap = y, restitution = e }
initial { y = start == "high" and 1 or 0.5, x = 0.2 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = stop }
measure { impacts = count(impact "floor"), highest = maximum(y), late = at(x, every(0.5)), hits = times(impact "floor") }
LUA
