# shellcheck shell=sh
# For tests of files that stand beside a model in models/: sourced after helpers.sh, never run.

# same_measures FILE...: the measures of these JSON results are those of the first
same_measures() {
    first=$1
    for other in "$@"; do
        [ "$(sed 's/.*"measures"/m/' "$other")" = "$(sed 's/.*"measures"/m/' "$first")" ] || fail "$other differs from $first"
    done
}

# read_without_files ARGUMENTS of a long carom run: what reads the model again needs no files beside it. The run file run.h5
# gives one.csv again, and pictures; a long run that is killed goes on to the same end.
read_without_files() {
    "$CAROM" run "$@" --csv long.csv --every 1000 --quiet
    "$CAROM" run "$@" --out cut.h5 --csv cut.csv --every 1000 --checkpoint 0.01 --quiet &
    pid=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -s cut.h5.part ] && break
        sleep 0.02
    done
    kill -9 "$pid" 2> /dev/null || true
    wait "$pid" 2> /dev/null || true
    mv models moved
    "$CAROM" run run.h5 --csv again.csv --quiet
    cmp one.csv again.csv || fail 'a run file does not reproduce its run'
    "$CAROM" plot run.h5 -o pictures > /dev/null
    if [ -e cut.h5.part ]; then # else it was too fast for us
        "$CAROM" resume cut.h5 --quiet
        cmp long.csv cut.csv || fail 'a resumed run differs'
    fi
    mv moved models
}

# refused_at LINE TEXT: models/bad.lua, for a reason in that line
refused_at() {
    refused run 2 "$2" -- models/bad.lua
    has err "models/bad.lua:$1: "
}

# refuse_outside NAME: with refuse FILE TEXT of the test. NAME beside models/, however it is written, and a link to it
refuse_outside() {
    ln -s "../$1" "models/link-$1"
    refuse "../$1" 'not the name of a data file'
    refuse "$PWD/$1" 'not the name of a data file'
    refuse "link-$1" 'leads out of the folder'
}

# Control characters of a file do not reach the terminal.
no_control_characters() {
    if grep -q "$(printf '\033')" err; then fail 'control characters of a file reach the terminal'; fi
}
