-- Points of curves, to draw them.
--
--   draw { wall(arc(0, 0, R)) }                  solid outside: seen along it, the solid is on the right
--   draw { wall(arc(0, 0, R, 2 * pi, 0)) }       the other way round: solid inside
--
-- `fail` raises an error at the line of the model file.
local fail = ...

function arc(x, y, r, from, to)
  if r == nil then fail("arc takes a centre and a radius: arc(x, y, r) or arc(x, y, r, from, to)") end
  local first = from or 0
  local last = to or first + 2 * pi
  local points, steps = {}, 96
  for i = 0, steps do
    local angle = first + (last - first) * (i / steps)
    points[i + 1] = { x + r * cos(angle), y + r * sin(angle) }
  end
  return points
end
