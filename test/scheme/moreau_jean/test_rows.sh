#!/bin/sh
# Bins and stacks written with body2d, every pair a contact: contacts that change between sticking and slipping with
# the rows that depend on them, impacts of many at once. Each of these runs ended with "the velocity did not converge"
# or "the impulses did not converge" once.
# shellcheck disable=SC2086 # $shorter is two words or none
set -eu

cat > bin.lua <<'LUA'
local e = setting { "e", 0.2 }
local seed = setting { "seed", 4 }
local w = setting { "w", 0.3 }
local n, r = 20, 0.05
local state = seed * 7919 + 17
local function random()
  state = (state * 16807) % 2147483647
  return state / 2147483647 - 0.5
end
local discs, per_row = {}, math.floor(w / (2.2 * r))
for i = 1, n do
  local row, column = (i - 1) // per_row, (i - 1) % per_row
  local x, y = (column + 0.5) * w / per_row + 0.004 * random(), r + 0.02 + row * 2.3 * r + 0.004 * random()
  local d = body2d { "d" .. i, mass = 1, inertia = 0.5 * r * r, at = { x, y, 0 }, gravity = 9.81,
                     velocity = { 0.5 * random(), 0.5 * random(), 0 } }
  local function on(name, from, to)
    contact { name .. i, disc_line { d, radius = r, from = from, to = to }, restitution = e, friction = 0.3 }
  end
  on("floor", { 0, 0 }, { w, 0 })
  on("left", { 0, 10 }, { 0, 0 })
  on("right", { w, 0 }, { w, 10 })
  for j = 1, i - 1 do
    contact { "pair" .. j .. "_" .. i, disc_disc { discs[j], d, radius = r }, restitution = e, friction = 0.3 }
  end
  discs[i] = d
end
integrate { scheme = "moreau-jean", h = 1e-3, until_t = setting { "until_t", 0.5 } }
LUA

cat > stack.lua <<'LUA'
local n, a = setting { "n", 10 }, 0.2
local below
for i = 1, n do
  local b = body2d { "b" .. i, mass = 1, inertia = a * a / 6, gravity = 9.81, at = { 0.01 * (i % 2), (i - 0.5) * a + 0.002 * i, 0 } }
  for k, side in ipairs { -1, 1 } do
    local on_floor = corner_line { b, { side * a / 2, -a / 2 }, from = { 0, 0 }, to = { 1, 0 } }
    local on_box = below and corner_line { b, { side * a / 2, -a / 2 }, from = { -a / 2, a / 2 }, to = { a / 2, a / 2 }, on = below }
    contact { "c" .. i .. "_" .. k, on_box or on_floor, restitution = 0.2, friction = 0.5 }
  end
  below = b
end
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.6 }
LUA

fail() {
    echo "$*" >&2
    exit 1
}

# "key": number of the JSON
number() {
    sed -n "s/.*\"$2\": *\([-0-9.e+]*\).*/\1/p" "$1" | head -n 1
}

# the run ends where it should, each problem solved; energy does not grow
run() {
    "$CAROM" run "$@" --json --quiet > out.json || fail "$* failed: $(cat out.json)"
    grep -q '"status": *"ok"' out.json || fail "$*: $(cat out.json)"
    [ "$(number out.json unsolved_steps)" = 0 ] || fail "$*: $(number out.json unsolved_steps) steps unsolved"
    awk "BEGIN { exit !($(number out.json worst_solver_error) <= 1e-10) }" || fail "$*: error above the tolerance"
}

# sanitizers take several times longer
shorter=${CAROM_SANITIZED:+--set until_t=0.4}
run bin.lua $shorter
fixed=$(number out.json fixed_rows_steps)
run bin.lua --option rows=predicted $shorter
[ "$(number out.json fixed_rows_steps)" = 0 ] || fail "rows=predicted is a choice, not a fall-back"
run bin.lua --set e=0.5 --set seed=6 $shorter
fixed=$((fixed + $(number out.json fixed_rows_steps)))
[ "$fixed" -gt 0 ] || fail "no step needed other rows: this test shows nothing"
run stack.lua
run stack.lua --option rows=predicted

# what it says of itself
"$CAROM" run bin.lua --set e=0.5 --set seed=6 $shorter > text
grep -q "rows  *[0-9]* steps* with the contact rows of the predicted position" text || fail "the summary does not say it: $(cat text)"

# a solver that is cut off: the run goes on, and says so; one that is useless ends it with advice
"$CAROM" run bin.lua --until 0.25 --option rows=predicted --max-iterations 400 --solver nsgs --json --quiet > out.json || true
grep -q '"status": *"ok"' out.json || fail "a contact problem that misses its tolerance a little ended the run: $(cat out.json)"
[ "$(number out.json unsolved_steps)" -gt 0 ] || fail "400 sweeps were enough: this test shows nothing"
grep -q "contacts: .* went on with a contact problem that was not solved" out.json || fail "no doubt: $(cat out.json)"
if "$CAROM" run stack.lua --option rows=predicted --max-iterations 1 --solver nsgs --json --quiet > out.json; then
    fail "one sweep for a stack is of no use, and was believed"
fi
grep -q "nothing can be believed; another solver may do it" out.json || fail "no advice: $(cat out.json)"
