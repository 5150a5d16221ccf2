#!/bin/sh
# Derivatives of steps, and exponents made of them, in other units: with even powers of two every number has the same significand.
set -eu

# A slip in two directions, whose impulse and velocities are unknowns of one system.
cat > bowl.lua << 'MODEL'
local m, mu = param { "m", 1 }, param { "mu", 0.3 }
local x, y, z = coordinates("x", "y", "z")
mass      (m)
potential (m * 9.81 * z)
contact   { "bowl", level = z - (x ^ 2 + 2 * y ^ 2) / 2, point = { x, y, z }, friction = mu, restitution = 0.2 }
initial   { x = 0.5, z = 0.3, [dot(y)] = 1 }
integrate { scheme = "moreau-jean", h = 2e-3, until_t = 0.6 }
MODEL

# Two joints and a stop: accelerations, velocities, positions and forces are unknowns of one system.
cat > arm.lua << 'MODEL'
local m, a = param { "m", 1.5 }, param { "a", 0.8 }
local x, y, phi = coordinates("x", "y", "phi")
kinetic   (m * (dot(x) ^ 2 + dot(y) ^ 2) / 2 + m * a ^ 2 * dot(phi) ^ 2 / 6)
potential (m * 9.81 * y)
joint     { "pin_x", x - a * cos(phi) }
joint     { "pin_y", y - a * sin(phi) }
contact   { "stop", gap = y + 0.7, restitution = 0.6 }
initial   { x = a, y = 0, phi = 0 }
integrate { scheme = "generalized-alpha", h = 2e-3, until_t = 1 }
MODEL

# Boxes with moments of friction: lengths beside angles.
cat > boxes.lua << 'MODEL'
local mu, speed = param { "mu", 0.4 }, param { "speed", 1.5 }
world { gravity = { 0, -9.81 } }
pair  { friction = mu, restitution = 0.3, rolling = 0.01 }
fixed { "floor", shape = plane { normal = { 0, 1 } } }
local a = body { "a", shape = box { 0.3, 0.2 }, density = 800, at = { 0, 0.15 }, velocity = { speed, 0 }, rotation = 0.1 }
body  { "b", shape = disc { 0.1 }, density = 500, at = { 0.6, 0.1 } }
local c = body { "c", shape = disc { 0.05 }, density = 500, at = { -0.4, 0.3 }, velocity = { speed, 0 } }
hinge { "pin", a, c, at = { -0.2, 0.2 } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.5 }
MODEL

python3 - "$CAROM" "$CAROM_SOURCE_DIR" << 'PYTHON'
import importlib.machinery, importlib.util, os, sys
carom, source = sys.argv[1:]
loader = importlib.machinery.SourceFileLoader("check", os.path.join(source, "test", "units", "check"))
check = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
loader.exec_module(check)
check.HERE = os.getcwd()
run = ["--json", "--sensitivity"]
tasks = [("slip", ["run", "bowl.lua"] + run + ["m,mu"]), ("joints", ["run", "arm.lua"] + run + ["m,a"]),
         ("joints, rho_inf = 1", ["run", "arm.lua", "--option", "rho_inf=1"] + run + ["m,a"]),
         ("bodies", ["run", "boxes.lua"] + run + ["mu,speed"]),
         ("beam", ["run", "paoli-2001/guided-pipe", "--no-family", "--until", "@T:0.02@"] + run + ["L,E,D_out"]),
         ("differences", ["run", "moreau-1986/trial-08", "--no-family"] + run + ["av"]),
         ("lyapunov", ["lyapunov", "arm.lua", "--time", "@T:2@", "--threads", "1", "--json"])]
wrong = []
for task in tasks:
    rows = check.run_task(carom, task, [check.power(*s) for s in ((0, 0, -40), (0, -20, 0), (-40, 20, -20))], 60.0)
    wrong += [row for row in rows if row[2] != "same"]
    first = check.call(carom, check.ONE.fill(task[1]), 60.0)
    if first["exit"] != 0:
        wrong.append((task[0], first["said"]))
for row in wrong:
    print(*row)
sys.exit(len(wrong) > 0)
PYTHON
