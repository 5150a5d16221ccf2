# shellcheck shell=sh
# For the tests of the program: sourced by them, never run.
fail() {
    echo "FAILED: $*"
    exit 1
}
has() { # has FILE TEXT
    grep -qF -- "$2" "$1" || fail "$1 lacks '$2'"
}
# refused COMMAND STATUS TEXT -- arguments of carom COMMAND
refused() {
    refused_command=$1
    wanted=$2
    text=$3
    shift 4
    status=0
    "$CAROM" "$refused_command" "$@" > out 2> err || status=$?
    [ "$status" -eq "$wanted" ] || fail "$*: exit status $status instead of $wanted"
    has err "$text"
    if [ "$wanted" -eq 2 ] && [ -s out ]; then fail "$*: something on stdout"; fi
}
# within MEGABYTES PROGRAM ARGUMENTS: runs it with so much memory. One with sanitizers, which reserve terabytes, is not bounded.
within() {
    python3 -c '
import os, resource, sys
size = int(sys.argv[1]) << 20
with open(sys.argv[2], "rb") as program:
    if b"__asan_init" not in program.read():
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
os.execv(sys.argv[2], sys.argv[2:])' "$@"
}
# hears PID: waits until this process has a handler of its own for Ctrl-C, which the shell lets it ignore
hears() {
    for _ in $(seq 600); do
        # signals with a handler, as bits; SIGINT is the second
        case $(sed -n 's/^SigCgt://p' "/proc/$1/status" 2> /dev/null) in *[2367abef]) return ;; esac
        sleep 0.05
    done
    fail "process $1 does not hear Ctrl-C: $(cat err)"
}
# heeds ARGUMENTS: carom, which would take very long with these, ends when it hears Ctrl-C
heeds() {
    "$CAROM" "$@" > out 2> err &
    heeding=$!
    hears $heeding
    kill -INT $heeding
    status=0
    wait $heeding || status=$?
    [ "$status" -eq 1 ] || fail "$*, stopped: exit status $status"
    has err 'interrupted'
}
# stopped_at BYTES SIGNAL OUTPUT PROGRAM ARGUMENTS: runs it until the journal of OUTPUT is so long, when it gets the signal.
# What it says is in `out` and `err`, its exit status in stop_status. It may end, or be at its end and without a journal, before the
# signal reaches it, on a busy machine more often: then all is put back and tried again.
stopped_at() {
    stop_output=$3
    rm -rf before_stop
    mkdir before_stop
    for file in "${stop_output%.*}".*; do # what has its name: run file, table, journal
        if [ -e "$file" ]; then cp "$file" before_stop; fi
    done
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        stop_status=$(python3 "$CAROM_SOURCE_DIR/test/app/stopped.py" "$@")
        if [ -s "$stop_output.part" ]; then return; fi
        rm -f "${stop_output%.*}".*
        for file in before_stop/*; do
            if [ -e "$file" ]; then cp "$file" .; fi
        done
    done
    fail "$*: ended twenty times before it was stopped, the last time with exit status $stop_status: $(cat err)"
}
# rows FILE INDEX: data lines of a gnuplot block
rows() {
    awk -v wanted="$2" '
        /^# index / { block = $3 + 0; next }
        /^#/ || /^$/ { next }
        block == wanted { count++ }
        END { print count + 0 }' "$1"
}
