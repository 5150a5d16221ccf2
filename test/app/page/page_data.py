"""Reads the data of a report page, by its description in docs/rooms/web.md and nothing else."""
import array
import base64
import json
import re
import struct
import sys
import zlib


def read_array(entry, raw):
    size = {"f8": 8, "f4": 4, "u4": 4, "u2": 2, "u1": 1}[entry["type"]]
    count = entry["count"]
    data = raw[entry["offset"]: entry["offset"] + size * count]
    assert len(data) == size * count, "an array reaches beyond the data"
    if entry.get("coding") == "delta":
        stride = entry["stride"]
        bits = [data[i] | data[count + i] << 8 | data[2 * count + i] << 16 | data[3 * count + i] << 24
                for i in range(count)]
        for i in range(stride, count):
            bits[i] = (bits[i] + bits[i - stride]) & 0xffffffff
        data = struct.pack("<%dI" % count, *bits)
    code = {"f8": "d", "f4": "f", "u4": "I", "u2": "H", "u1": "B"}[entry["type"]]
    return list(struct.unpack("<%d%s" % (count, code), data))


def put_arrays(value, arrays):
    if isinstance(value, dict):
        if list(value) == ["a"]:
            return arrays[int(value["a"])]
        return {key: put_arrays(entry, arrays) for key, entry in value.items()}
    if isinstance(value, list):
        return [put_arrays(entry, arrays) for entry in value]
    return value


def read_page(path):
    text = open(path, encoding="utf-8").read()
    packed = re.search(r'id="carom-data">([A-Za-z0-9+/=]*)</script>', text).group(1)
    raw = zlib.decompress(base64.b64decode(packed, validate=True))
    assert raw[:8] == b"caromrp1", "not the data of a page"
    length = struct.unpack("<I", raw[8:12])[0]
    data = json.loads(raw[12: 12 + length].decode("utf-8"))
    first = (12 + length + 7) // 8 * 8
    entries = data.pop("arrays")
    arrays = [read_array(entry, raw[first:]) for entry in entries]
    return put_arrays(data, arrays)


def at_frame(number, frame):
    """A number of the scene: the same always, or one per frame."""
    return number[frame] if isinstance(number, list) else number
