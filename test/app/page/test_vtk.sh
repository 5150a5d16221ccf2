#!/bin/sh
# Files of VTK are read back by VTK itself, and agree with the run.
set -eu
cat >ball.lua <<'END'
local x, y = coordinates("x", "y")
kinetic((dot(x)^2 + dot(y)^2)/2)
potential(9.81*y)
contact { "floor", gap = y - 0.1, restitution = 0.5 }
initial { x = 0, y = 1, [dot(x)] = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1 }
draw { disc(x, y, 0.1), spring({ 0, 2 }, { x, y }), wall { { -1, 0 }, { 3, 0 } }, touch("floor", { x, 0 }, { 0, 1 }) }
END
cat >boxes.lua <<'END'
world { gravity = { 0, 0, -9.81 } }
fixed { "floor", shape = plane { normal = { 0, 0, 1 } } }
body { "box", shape = box { 0.4, 0.3, 0.2 }, density = 1000, at = { 0, 0, 0.1 }, velocity = { 1, 0, 0 } }
integrate { h = 1e-3, until_t = 0.2 }
END
"$CAROM" run ball.lua --vtk ball --frame-count 101 --at 0.5 --json >ball.json 2>messages
grep -q 'scene: ball/scene.pvd' messages
"$CAROM" run boxes.lua --vtk boxes --at 0.1 --json >boxes.json 2>messages
if ! /usr/bin/python3 -c 'import vtk' 2>/dev/null; then
    echo "the files are not read back: VTK for Python is missing (Debian: python3-vtk9)"
    exit 0
fi
/usr/bin/python3 - <<'END'
import json, math, vtk
import xml.etree.ElementTree as xml

def read(path):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0, path
    return reader.GetOutput()

def frames(folder):
    sets = xml.parse(folder + "/scene.pvd").getroot().find("Collection").findall("DataSet")
    return {(float(s.get("timestep")), int(s.get("part"))): folder + "/" + s.get("file") for s in sets}

ball = json.load(open("ball.json"))
all_frames = frames("ball")
assert len(all_frames) == 202, len(all_frames)
sample = ball["samples"][0]
shapes = read(all_frames[(sample["t"], 0)])
assert shapes.GetFieldData().GetArray("TimeValue").GetValue(0) == sample["t"]
part = shapes.GetCellData().GetArray("part")
assert part.GetNumberOfTuples() == shapes.GetNumberOfCells() == 3
disc = next(shapes.GetCell(i) for i in range(3) if shapes.GetCellType(i) == vtk.VTK_POLYGON)
points = [disc.GetPoints().GetPoint(i) for i in range(disc.GetNumberOfPoints())]
for axis, name in enumerate("xy"):
    middle = sum(p[axis] for p in points) / len(points)
    assert abs(middle - sample["q"][name]) < 1e-12
assert all(abs(math.hypot(p[0] - sample["q"]["x"], p[1] - sample["q"]["y"]) - 0.1) < 1e-12 for p in points)
pushed = [read(path).GetNumberOfPoints() for (t, p), path in all_frames.items() if p == 1]
assert max(pushed) <= 1
last = frames("boxes")
times = sorted({t for t, p in last})
boxes = json.load(open("boxes.json"))
state = boxes["samples"][0]
shapes = read(last[(state["t"], 0)])
part = shapes.GetCellData().GetArray("part")
velocity = shapes.GetPointData().GetArray("velocity")
corners = {}
for i in range(shapes.GetNumberOfCells()):
    if part.GetValue(i) == 1:
        cell = shapes.GetCell(i)
        for k in range(cell.GetNumberOfPoints()):
            corners[cell.GetPointId(k)] = shapes.GetPoint(cell.GetPointId(k))
assert len(corners) == 8
assert abs(sum(p[0] for p in corners.values()) / 8 - state["q"]["box.x"]) < 1e-12
assert abs(max(p[2] for p in corners.values()) - min(p[2] for p in corners.values()) - 0.2) < 1e-9
assert all(abs(velocity.GetTuple3(i)[0] - state["v"]["box.x"]) < 1e-9 for i in corners)
contacts = read(last[(state["t"], 1)])
impulse = contacts.GetPointData().GetArray("impulse")
weight = 0.4 * 0.3 * 0.2 * 1000 * 9.81 * boxes["h"]
carried = sum(impulse.GetTuple3(i)[2] for i in range(contacts.GetNumberOfPoints()))
assert contacts.GetNumberOfPoints() == 4 and abs(carried - weight) < 1e-6 * weight, (carried, weight)
END
# A model that says nothing about how it looks has no scene.
sed '/^draw/d' ball.lua >plain.lua
status=0
"$CAROM" run plain.lua --vtk plain --quiet 2>messages || status=$?
test $status -eq 2
grep -q 'draw {' messages
