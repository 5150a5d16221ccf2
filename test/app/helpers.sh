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
# rows FILE INDEX: data lines of a gnuplot block
rows() {
    awk -v wanted="$2" '
        /^# index / { block = $3 + 0; next }
        /^#/ || /^$/ { next }
        block == wanted { count++ }
        END { print count + 0 }' "$1"
}
