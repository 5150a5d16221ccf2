# shellcheck shell=sh
# One motion in several units. The models here have parameters L, T and M: units of length, time and mass.
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

up=1048576            # 2^20
down=9.5367431640625e-07
high=1099511627776    # 2^40
low=9.094947017729282e-13

# Units of length, time and mass: even powers of two, alone and mixed.
cat > units << EOF
$up 1 1
1 $up 1
1 1 $up
$down 1 1
1 $down 1
1 1 $down
$up $down $high
$low $up $down
EOF

# compare_units TOLERANCE LEFT_OUT COMMAND...: COMMAND is called with L T M as well and writes JSON to its standard output. Numbers have
# the same significand in all units, to TOLERANCE; keys of LEFT_OUT are not compared.
compare_units() {
    tolerance=$1
    left_out=$2
    shift 2
    "$@" 1 1 1 > unit.json || fail "$1 fails in units of 1"
    while read -r length time mass; do
        "$@" "$length" "$time" "$mass" > other.json || fail "$1 fails in units $length $time $mass"
        # shellcheck disable=SC2086
        python3 "$CAROM_SOURCE_DIR/test/app/units/significands.py" "$tolerance" unit.json other.json $left_out > why 2>&1 ||
            fail "$1 in units $length $time $mass: $(cat why)"
    done < units
}
