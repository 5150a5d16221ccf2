#!/bin/sh
# carom run --fclib: the contact problems of a run as files; carom solve --all, --sequence and --repeat solve them.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# every N-th problem; each file holds what its step started from
"$CAROM" run bodies/wall --until 0.1 --fclib steps --every 20 --quiet 2> err
count=$(find steps -name 'wall-*.hdf5' | wc -l)
[ "$count" -ge 4 ] || fail "$count problems are kept"
"$CAROM" solve --all steps > cold
"$CAROM" solve --all steps --sequence --repeat 2 > warm
for file in cold warm; do has $file "$count of $count solved"; done
# what stands is solved by the impulses of the step before
"$CAROM" run bodies/pyramid --until 0.01 --fclib standing --quiet
"$CAROM" solve --all standing --sequence > warm
[ "$(awk '/pyramid/ { printf "%s ", ($6 > 0) }' warm)" = '1 0 0 0 0 ' ] || fail "a pyramid that stands: $(cat warm)"
# without guesses each starts from the one before
"$CAROM_TEST_PROGRAMS/make_contact_files"
cp formula.hdf5 again.hdf5
"$CAROM" solve formula.hdf5 again.hdf5 --solver nsgs --sequence > pair
awk '/again/ { exit !($6 == 0) }' pair || fail "the second of two equal files takes iterations: $(cat pair)"

# coordinates: masses on springs that come down on a rough floor, and the corners of a slider
cat > net.lua <<'MODEL'
local n, mu = 25, param { "mu", 0.4 }
local x, y, z, T, V = {}, {}, {}, 0, 0
for i = 1, n do
  x[i], y[i], z[i] = coordinates("x" .. i, "y" .. i, "z" .. i)
  T = T + 0.05 * (dot(x[i])^2 + dot(y[i])^2 + dot(z[i])^2)
  V = V + 0.981 * z[i]
  contact { "c" .. i, gap = z[i], slip = { dot(x[i]), dot(y[i]) }, friction = mu }
  for _, j in ipairs { i - 1, i - 5 } do
    if j >= 1 then V = V + 1e3 * ((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2) end
  end
end
kinetic (T)
potential (V)
local start = {}
for i = 1, n do start["z" .. i] = 1e-3 * ((7 * i) % 5); start[dot(x[i])] = 0.3 + 0.05 * ((3 * i) % 7); start[dot(z[i])] = -0.2 end
initial (start)
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.03 }
MODEL
"$CAROM" run net.lua --fclib net --every 5 --quiet
"$CAROM" solve --all net > cold
has cold '6 of 6 solved'
"$CAROM" run "$CAROM_SOURCE_DIR/bench/examples/slider-crank.lua" --until 0.01 --fclib crank --every 40 --quiet
"$CAROM" solve --all crank --sequence > warm
grep -qE '^([0-9]+) of \1 solved' warm || fail "problems of a slider: $(cat warm)"

# killed, then resumed: all problems, with the numbers that they would have had
"$CAROM" run net.lua --until 20 --fclib whole --every 1000 --quiet
"$CAROM" run net.lua --until 20 --fclib killed --every 1000 --out net.h5 --checkpoint 0.01 > out 2> err &
running=$!
until [ -e "$(find whole -name 'net-002001-*' | sed 's/^whole/killed/')" ]; do sleep 0.01; done
kill -KILL $running
wait $running || true
[ -e net.h5.part ] || fail 'it ended before it was killed'
"$CAROM" resume net.h5 > out 2> err
has err 'begins anew'
has err 'contact problems: 20 in killed'
for file in whole/*; do [ -e "killed/${file#whole/}" ] || fail "no $file of the resumed run"; done

# what is wrong
refused run 2 'contact problems of this run cannot be kept' -- mechanisms/slider-crank-clearance --fclib elsewhere
refused run 2 'contact problems of this run cannot be kept' -- moreau-1986/trial-04 --fclib elsewhere
refused run 2 'is there already' -- bodies/wall --until 0.01 --fclib steps
refused run 2 'nothing moves in a study' -- desaxce-2018/frame --fclib elsewhere
touch plain
refused run 2 'cannot make the directory plain: Not a directory' -- bodies/wall --until 0.01 --fclib plain
mkdir away
refused solve 2 'holds no file whose name ends' -- --all away
refused solve 2 'takes no --guess' -- --all steps --sequence --guess 1
refused solve 2 '--repeat' -- --all steps --repeat 0
