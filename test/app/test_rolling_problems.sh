#!/bin/sh
# Contact problems with rolling friction: carom run --fclib writes them, solve and show take them.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# rolling friction: in the plane, in space, with torsion; by bodies and by W; what is written is solved
cat > balls.lua <<'MODEL'
local torsion = setting { "torsion", 0 }
world { gravity = { 0, 0, -9.81 } }
pair { friction = 0.5, rolling = 0.004, torsion = torsion }
fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
for i = 0, 11 do
  body { "b" .. i, shape = sphere { 0.05 }, density = 1000, at = { 0.105 * (i % 2) + 0.01 * (i // 4), 0.105 * (i // 2 % 2), 0.05 + 0.104 * (i // 4) },
    spin = { 0, 1, 3 } }
end
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.15 }
MODEL
"$CAROM" run bodies/heap --until 0.2 --fclib plane --every 100 --quiet
"$CAROM" run balls.lua --fclib space --every 40 --quiet
"$CAROM" run balls.lua --set torsion=0.004 --fclib twist --every 40 --quiet
for kind in plane space twist; do
    for solver in '' '--solver auto' '--solver nsgs'; do
        # shellcheck disable=SC2086
        "$CAROM" solve --all $kind $solver --write "$kind-solved" --force --max-seconds 20 > out
        grep -qE '^([0-9]+) of \1 solved' out || fail "rolling friction, $kind $solver: $(cat out)"
    done
    last=$(find "$kind-solved" -name '*.hdf5' | sort | tail -1)
    "$CAROM" solve "$last" --json > out
    has out '"rolling":true'
    awk -F'"stored_error":' '{ split($2, a, ","); exit !(a[1] <= 1e-8) }' out || fail "what was written is no solution: $(cat out)"
    "$CAROM" show "$last" > out
    has out 'global, with rolling friction'
    has out 'rolling friction: mu_r from'
done
"$CAROM" solve --all space --sequence > warm
grep -qE '^([0-9]+) of \1 solved' warm || fail "a sequence with rolling friction: $(cat warm)"
"$CAROM" solve --all space --direct > out
grep -qE '^([0-9]+) of \1 solved' out || fail "--direct with rolling friction: $(cat out)"
"$CAROM_TEST_PROGRAMS/make_contact_files"
"$CAROM" solve rolling.hdf5 > out # of make_contact_files: a disc that rolls, by W
has out 'local, with rolling friction'
has out '0 open, 0 sliding, 1 sticking'

# what is wrong
refused solve 2 'mu_r[0] = -0.5; friction coefficients must be >= 0' -- negative-rolling.hdf5
refused solve 2 'vectors/mu_r: entry 0 is NaN' -- nan-rolling.hdf5
refused solve 2 'orthotropic' -- rolling.hdf5 --solver uzawa-bipotential --option ratio=0.5
refused solve 2 'local problem' -- rolling.hdf5 --direct
