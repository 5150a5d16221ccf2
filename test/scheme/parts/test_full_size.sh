#!/bin/sh
# Large models: what needs full matrices is refused in words, and a start with joints needs none where the mass is diagonal.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# chain N JOINT: N masses in a row, of which the first forty are coupled and 1 and 2 may be tied
chain() {
    cat << LUA
local w, T, V = {}, 0, 0
for i = 1, $1 do
  w[i] = coordinates("w" .. i)
  T = T + (1 + i % 3) * dot(w[i])^2 / 2
  V = V + w[i]^2 / 2
  if i > 1 and i <= 40 then V = V + 50 * (w[i] - w[i - 1])^2 end
end
kinetic(T)
potential(V)
$2
contact { "wall", gap = w[3] + 5 }
initial { w1 = 0.2, w2 = 0.1, [dot(w[1])] = 1, w40 = 0.3 }
integrate { scheme = "generalized-alpha", h = 1e-3, until_t = 0.003 }
LUA
}
tie='joint { "tie", w[1] - w[2] + sin(w[2] - w[4]) / 5 }'
outputs='record { a = acceleration(w[1]), b = acceleration(w[5]), r = reaction "tie", x = w[1], u = dot(w[2]) }'

# ---- the start of a large model is that of a small one, beside which masses move for themselves -----------

chain 40 "$tie" > small.lua
chain 200 "$tie" > large.lua
for name in small large; do
    echo "$outputs" >> $name.lua
    "$CAROM" run $name.lua --option initial=project --csv $name.csv > $name.out 2> $name.err
    grep -v '^#' $name.csv | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) for (k = 1; k <= 5; k++) if ($i == substr("abrxu", k, 1)) at[k] = i }
        NR == 2 { for (k = 1; k <= 5; k++) printf "%.12g\n", $(at[k]) }' > $name.start
    [ "$(wc -l < $name.start)" -eq 5 ] || fail "$name.csv has no five columns"
done
cmp small.start large.start || fail "the start of a large model is another one: $(paste small.start large.start)"
awk 'NR == 3 { r = $1 } END { exit !(r > 0.1 || r < -0.1) }' small.start || fail "the joint carries nothing"

# ---- thirty thousand masses --------------------------------------------------------------------------------

chain 30000 "$tie" > tied.lua
"$CAROM" run tied.lua --option initial=project > out 2> err || fail "generalized-alpha: $(cat err)"
has out "3 steps"
refused run 2 "moreau-jean with joint 'tie' needs full matrices of 30000 x 30000 numbers, each of 7.2 GB" -- \
    tied.lua --scheme moreau-jean
has err "take generalized-alpha"
chain 30000 "" > free.lua
refused run 2 "a solver of one's choice needs full matrices of 30000 x 30000 numbers" -- \
    free.lua --scheme moreau-jean --option solver=gauss-seidel
has err "leave the option solver out"
"$CAROM" run free.lua --scheme moreau-jean > out
has out "3 steps"
echo "large models: a start without full matrices, refusals in words"
