# shellcheck shell=sh
# For the tests of derivatives of steps: sourced by them, never run.

# agrees FILE [UNTIL]: the derivatives of a model file, by all its parameters and initial values, and differences of whole runs.
agrees() {
    if [ $# -gt 1 ]; then set -- "$1" - "$2"; fi
    "$CAROM_TEST_PROGRAMS/make_sensitivities" "$@" > out || {
        cat out
        fail "$*"
    }
    if grep -q 'up to t =\|not judged' out; then
        cat out
        fail "$*: it has breaks, or differences do not converge"
    fi
}
