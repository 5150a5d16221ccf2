-- Friction of an orthotropic surface while sliding along a given direction.
experiment {
  title  = "friction against the direction of slip, five surfaces",
  source = "G. de Saxce, The bipotential method for Coulomb's dry friction, 2018, section 8, Table 1",
  doc    = [[
The friction force lies on the ellipse mu_x, mu_y; the direction of slip is normal to the ellipse p_x, p_y of the slip potential through that force. Same ellipse: the associated rule. `case` 1 to 5 are the rows of Table 1; 0: mu_x, mu_y, p_x, p_y as
given. `angle` is that of the slip, `force_angle` that of the force it meets. The run is a block of unit weight pushed along the slip, with the same friction.]],
}

local case  = setting { "case", 3, integer = true, min = 0, max = 5, doc = "row of Table 1; 0: the four numbers below" }
local angle = setting { "angle", 45, min = -360, max = 360, unit = "deg", doc = "direction of slip" }
local mu_x  = setting { "mu_x", 0.3, min = 1e-9, doc = "case 0: friction along x" }
local mu_y  = setting { "mu_y", 0.15, min = 1e-9, doc = "case 0: friction along y" }
local p_x   = setting { "p_x", 0.3, min = 1e-9, doc = "case 0: slip potential along x" }
local p_y   = setting { "p_y", 0.15, min = 1e-9, doc = "case 0: slip potential along y" }

local table_1 = { { .2, .2, .2, .2 }, { .3, .25, .3, .25 }, { .3, .15, .3, .15 }, { .3, .15, .2, .2 }, { .3, .15, .05, .2 } }
local row = table_1[case] or { mu_x, mu_y, p_x, p_y }
local function friction_at(a) return slip_reaction { angle = a, mu_x = row[1], mu_y = row[2], p_x = row[3], p_y = row[4] } end
local found = friction_at(angle)

local c, s = cos(angle * pi / 180), sin(angle * pi / 180)
local h = 1e-4
local x, y, z = coordinates("x", "y", "z")
mass(1)
force { z = -1 }
contact { "table", gap = z, slip = { dot(x), dot(y) }, friction = { ellipse = { row[1], row[2] }, slip_potential = { row[3], row[4] } } }
initial { [dot(x)] = c, [dot(y)] = s }
integrate { scheme = "moreau-jean", h = h, until_t = 0.1 }
-- what slowed the block down in its first step
measure { r_x = found.r[1], r_y = found.r[2], force_angle = found.angle, size = found.size, dissipation = found.dissipation,
          block_r_x = at((dot(x) - c) / h, h), block_r_y = at((dot(y) - s) / h, h) }

local any = compute(function()
  local force, ellipse, loss = {}, {}, {}
  -- directions of slip at equal angles, and those of forces at equal angles, because either may leave the other bare
  local directions = {}
  for k = 0, 360, 3 do
    local turned = atan2(row[2] * sin(k * pi / 180) / row[4]^2, row[1] * cos(k * pi / 180) / row[3]^2) * 180 / pi
    directions[#directions + 1] = k
    if k > 0 and k < 360 then directions[#directions + 1] = turned < 0 and turned + 360 or turned end
  end
  table.sort(directions)
  for _, k in ipairs(directions) do
    local here = friction_at(k)
    force[#force + 1] = { -here.r[1], -here.r[2] }
    ellipse[#ellipse + 1] = { row[3] * cos(k * pi / 180), row[4] * sin(k * pi / 180) }
    loss[#loss + 1] = { k, here.dissipation }
  end
  return { force = force, ellipse = ellipse, loss = loss }
end)
plot { "slip-reaction", title = "Friction against the direction of slip", columns = 2,
  panel { title = "force per unit of pressure", xlabel = "x", ylabel = "y", equal = true, curve { any.force, label = "force, any slip" }, curve { any.ellipse, label = "slip potential", style = "dashed" }, curve { { 0, 0 }, { -found.r[1], -found.r[2] }, label = "against the slip" },
          curve { { 0, 0 }, { 0.3 * c, 0.3 * s }, style = "dotted", label = "slip" } },
  panel { title = "work lost per unit of slip", xlabel = "direction (degrees)", ylabel = "work", curve { any.loss, label = "-r.d" } } }

draw { disc(x, y, 0.002, { name = "block" }), path { x, y } }
