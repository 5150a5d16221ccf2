# shellcheck shell=sh
# For the tests of periodic motions: sourced by them, never run. Models, and numbers out of JSON.

# number FILE PATH: the first number (or word) after these keys, one after the other: number out.json '"q":{' '"u1":'
number() {
    number_file=$1
    shift
    awk -v first="$1" -v second="${2:-}" '{
        i = index($0, first); if (!i) exit
        rest = substr($0, i + length(first))
        if (second != "") { i = index(rest, second); if (!i) exit; rest = substr(rest, i + length(second)) }
        sub(/[,}\]].*/, "", rest); gsub(/"/, "", rest); print rest }' "$number_file"
}
# near WHAT FOUND WANTED TOLERANCE
near() {
    awk -v a="$2" -v b="$3" -v tol="$4" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a != "" && a != "null" && d <= tol) }' ||
        fail "$1 is $2 instead of $3 (to $4)"
}

# The unit chain of two masses against a wall; `eps` makes the spring between them stiffer.
write_chain() {
    cat > chain.lua << 'LUA'
local eps = param { "eps", 0, min = 0 }
local u1, u2 = coordinates("u1", "u2")
mass { { 0.5, 0 }, { 0, 0.5 } }
potential(u1 ^ 2 + (u2 - u1) ^ 2 + eps / 4 * (u2 - u1) ^ 4)
contact { "wall", gap = 1 - u2, restitution = 1 }
initial { u1 = 0, u2 = 0.5 }
integrate { scheme = "event-driven", h = 0.01, until_t = 10 }
LUA
    cat > linear.lua << 'LUA'
local e = param { "e", 1, min = 0, max = 1 }
local k = param { "k", 2, min = 0 }
local u1, u2 = coordinates("u1", "u2")
mass { { 0.5, 0 }, { 0, 0.5 } }
potential(k / 2 * (u1 ^ 2 + (u2 - u1) ^ 2))
contact { "wall", gap = 1 - u2, restitution = e }
initial { u1 = 0, u2 = 0.5 }
integrate { scheme = "event-driven", h = 0.01, until_t = 10 }
LUA
}

# Six equal oscillators in a ring, each above an obstacle at -1.
write_ring() {
    cat > ring.lua << 'LUA'
local gamma = param { "gamma", 0.1, min = 0 }
local p, names, m, V = 6, {}, {}, 0
for n = 0, p - 1 do names[n + 1] = "y" .. n end
local y = { coordinates(table.unpack(names)) }
for n = 1, p do
    V = V + y[n] ^ 2 / 2 + gamma / 2 * (y[n % p + 1] - y[n]) ^ 2
    contact { "wall" .. n - 1, gap = y[n] + 1, restitution = 1 }
    m[n] = {}
    for k = 1, p do m[n][k] = k == n and 1 or 0 end
end
mass(m)
potential(V)
initial { y3 = 1.2 }
integrate { scheme = "event-driven", h = 0.01, until_t = 10 }
LUA
}
