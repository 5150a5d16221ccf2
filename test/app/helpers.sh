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
# rows FILE INDEX: data lines of a gnuplot block
rows() {
    awk -v wanted="$2" '
        /^# index / { block = $3 + 0; next }
        /^#/ || /^$/ { next }
        block == wanted { count++ }
        END { print count + 0 }' "$1"
}
