"""Reads NAME.glb by the description of glTF 2.0 and compares with NAME.json, what `carom run --at T --json` printed."""
import json
import math
import struct
import sys

WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
CODE = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}


class Scene:
    def __init__(self, path):
        raw = open(path, "rb").read()
        magic, version, length = struct.unpack("<4sII", raw[:12])
        assert (magic, version, length) == (b"glTF", 2, len(raw)), (magic, version, length)
        size, kind = struct.unpack("<I4s", raw[12:20])
        assert kind == b"JSON" and size % 4 == 0
        self.json = json.loads(raw[20:20 + size])
        rest = raw[20 + size:]
        size, kind = struct.unpack("<I4s", rest[:8])
        assert kind == b"BIN\0" and size % 4 == 0 and len(rest) == 8 + size
        self.data = rest[8:]
        assert len(self.json["buffers"]) == 1 and 0 <= size - self.json["buffers"][0]["byteLength"] < 4

    def accessor(self, number):
        entry = self.json["accessors"][number]
        view = self.json["bufferViews"][entry["bufferView"]]
        width, code = WIDTH[entry["type"]], CODE[entry["componentType"]]
        begin = view.get("byteOffset", 0) + entry.get("byteOffset", 0)
        count = entry["count"] * width
        assert view["byteLength"] >= count * struct.calcsize(code) and begin % struct.calcsize(code) == 0
        flat = struct.unpack_from("<%d%s" % (count, code), self.data, begin)
        rows = [flat[i:i + width] for i in range(0, count, width)]
        for bound, of in (("min", min), ("max", max)):
            for k, value in enumerate(entry.get(bound, [])):
                assert abs(of(row[k] for row in rows) - value) <= 1e-6 * max(1, abs(value)), (number, bound)
        return rows

    def node(self, name):
        return next(i for i, node in enumerate(self.json["nodes"]) if node["name"] == name)

    def channel(self, node, path, t):
        """The value of an animation at a time that it has."""
        animation = self.json["animations"][0]
        channel = next(c for c in animation["channels"] if c["target"] == {"node": node, "path": path})
        sampler = animation["samplers"][channel["sampler"]]
        times = [row[0] for row in self.accessor(sampler["input"])]
        assert all(a < b for a, b in zip(times, times[1:])), "times of an animation grow"
        values = self.accessor(sampler["output"])
        assert len(values) % len(times) == 0
        each = len(values) // len(times)
        frame = min(range(len(times)), key=lambda i: abs(times[i] - t))
        assert abs(times[frame] - t) < 1e-6, (times[frame], t)
        return values[frame * each:(frame + 1) * each]


def states(name):
    run = json.load(open(name + ".json"))
    yield run["samples"][0]["t"], run["samples"][0]["q"]
    yield run["t_end"], run["final"]["q"] if "q" in run["final"] else run["final"]


def near(a, b):
    return abs(a - b) <= 1e-6 * max(1.0, abs(b))


def check_body(scene, body, t, q, space):
    node = scene.node(body)
    place = scene.channel(node, "translation", t)[0]
    turn = scene.channel(node, "rotation", t)[0]  # x, y, z, w
    wanted = [q[body + "." + k] for k in ("xyz" if space else "xy")] + ([] if space else [0.0])
    assert all(near(a, b) for a, b in zip(place, wanted)), (body, t, place, wanted)
    if space:
        wanted = [q[body + ".q" + k] for k in "xyzw"]
    else:
        wanted = [0.0, 0.0, math.sin(q[body + ".phi"] / 2), math.cos(q[body + ".phi"] / 2)]
    assert near(abs(sum(a * b for a, b in zip(turn, wanted))), 1.0), (body, t, turn, wanted)


def check_drawing(scene, t, q):
    """Things that a model draws are one mesh that changes its form."""
    node = scene.node("drawing")
    mesh = scene.json["meshes"][scene.json["nodes"][node]["mesh"]]
    weight = [row[0] for row in scene.channel(node, "weights", t)]
    corners = set()
    for part in mesh["primitives"]:
        points = [list(row) for row in scene.accessor(part["attributes"]["POSITION"])]
        assert len(part["targets"]) == len(weight)
        for w, target in zip(weight, part["targets"]):
            if w:
                for point, change in zip(points, scene.accessor(target["POSITION"])):
                    for k in range(3):
                        point[k] += w * change[k]
        used = [row[0] for row in scene.accessor(part["indices"])]
        assert max(used) < len(points)
        corners.update(tuple(points[i]) for i in used)
    round_it = [p for p in corners if abs(math.hypot(p[0] - q["x"], p[1] - q["y"]) - 0.1) < 1e-6]
    assert len(round_it) >= 24, (t, len(round_it))
    assert any(math.hypot(p[0] - q["x"], p[1] - q["y"]) < 1e-6 for p in corners)  # end of the spring, corner of the polygon
    assert any(math.hypot(p[0] - 3, p[1]) < 1e-6 for p in corners)  # end of the wall


for run in sys.argv[1:]:
    glb = Scene(run + ".glb")
    for time, state in states(run):
        if run == "ball":
            check_drawing(glb, time, state)
        else:
            for moving in {key.split(".")[0] for key in state} - {"floor"}:
                check_body(glb, moving, time, state, run == "boxes")
