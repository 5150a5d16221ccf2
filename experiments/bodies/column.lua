-- A column of grains collapses.
experiment {
  title  = "collapse of a granular column",
  source = "G. Lube, H.E. Huppert, R.S.J. Sparks, M.A. Freundt, Collapses of two-dimensional granular columns, Physical Review E 72, 2005: scaling of the run-out",
  doc    = [[
Grains, polygons of five to seven corners that do not roll like discs, stand between two walls as a column; at the time `release` the right wall is pulled up, and the column flows out. Published for sand: the run-out
over the first width is 1.2 a for columns of an aspect a (height over width) below 1.8.]],
}

local columns = setting { "columns", 6, integer = true, min = 2, max = 200, doc = "grains side by side" }
local aspect  = setting { "aspect", 1, min = 0.1, max = 20, doc = "height over width of the column" }
local mu      = param { "mu", 0.5, doc = "friction coefficient", min = 0 }
local e       = param { "e", 0, doc = "restitution coefficient", min = 0, max = 1 }
local release = param { "release", 0.2, unit = "s", doc = "when the wall is pulled up", min = 0 }
local h       = param { "h", 2e-4, unit = "s", doc = "time step", min = 1e-9 }
local t_end   = param { "t_end", 0.9, unit = "s", doc = "end time" }
variant { "tall", doc = "three times as high as wide", aspect = 3 }

local r = 0.01
local pitch, width = 2.02 * r, 2.02 * r * columns
local rows = math.ceil(aspect * columns * 1.1)
-- A regular polygon, turned by some angle.
local function grain(radius)
  local corners, turn, points = 5 + math.floor(3 * math.random()), math.random(), {}
  for k = 1, corners do
    local angle = 2 * math.pi * (k + turn) / corners
    points[k] = { radius * math.cos(angle), radius * math.sin(angle) }
  end
  return polygon(points)
end
world { gravity = { 0, -9.81 } }
pair  { friction = mu, restitution = e }
fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
fixed { "left", shape = plane { normal = { 1, 0 }, offset = 0 } }
driven { "gate", shape = box { 2 * r, 4 * aspect * width }, at = { width + r, 2 * aspect * width }, material = "gate",
         velocity = { 0, select(time() - release, 20 * aspect * width, 0) } }
pair { "gate", "default", friction = 0 }
local front, top, lowest, kinetic = 0, 0, 1, 0
for row = 1, rows do
  for i = 1, columns do
    local radius = r * (0.85 + 0.15 * math.random())
    local d = body { "d" .. row .. "_" .. i, shape = grain(radius), density = 2500, at = { pitch * (i - 0.5), pitch * (row - 0.5) } }
    front   = max(front, d.x)
    top     = max(top, d.y)
    lowest  = min(lowest, d.y)
    kinetic = kinetic + d:kinetic()
  end
end
integrate { scheme = "moreau-jean", h = h, until_t = t_end, tolerance = 1e-6 }
measure {
  run_out      = front / width - 1,            -- of the foremost grain, over the first width
  height_start = at(top / width, release),     -- aspect of the settled column
  height_end   = top / width,
  lowest       = minimum(lowest),
  kinetic_end  = kinetic,
}
plot { "column", title = "Collapse of a column", columns = 2,
  panel { title = "released", equal = true, xrange = { -0.02, 3 * width }, yrange = { -0.01, 1.2 * aspect * width }, scene { at = release } },
  panel { title = "0.1 s later", equal = true, xrange = { -0.02, 3 * width }, yrange = { -0.01, 1.2 * aspect * width }, scene { at = release + 0.1 } },
  panel { title = "end", equal = true, xrange = { -0.02, 3 * width }, yrange = { -0.01, 1.2 * aspect * width }, scene {} },
  panel { title = "front", xlabel = "t in s", ylabel = "x in m", line { time(), front } } }
