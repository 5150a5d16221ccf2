# shellcheck shell=sh
# For the tests of carom impact: sourced by them, never run.

# impact STATUS -- arguments: runs carom impact --json into out.json and wants this exit status
impact() {
    wanted=$1
    shift 2
    status=0
    asked=$*
    "$CAROM" impact "$@" --json > out.json 2> err || status=$?
    [ "$status" -eq "$wanted" ] || fail "impact $*: exit status $status instead of $wanted: $(cat err)"
    [ "$(wc -l < out.json)" -eq 1 ] || fail "impact $*: JSON is not one line"
    if grep -qiE '[:,\[](nan|-?inf)' out.json; then fail "impact $*: NaN or infinity in JSON"; fi
}
# values KEY FILE: the first number or list of numbers of that key, one per line
values() {
    sed -n "s/^.*\"$1\":\(\[[^]]*\]\|[-0-9.e+]*\).*/\1/p" "$2" | tr -d '[]' | tr ',' '\n'
}
# near KEY TOLERANCE NUMBER...: the key of out.json holds these numbers
near() {
    key=$1
    tolerance=$2
    shift 2
    values "$key" out.json > got
    echo "$@" | tr ' ' '\n' > wanted
    paste got wanted | awk -v tolerance="$tolerance" '
        NF != 2 { exit 1 }
        { d = $1 - $2; if (d < 0) d = -d; if (!(d <= tolerance)) { print $1, "instead of", $2; exit 1 } }
        END { if (NR == 0) exit 1 }' ||
        fail "impact $asked: $key is $(tr '\n' ' ' < got), wanted $*"
}
