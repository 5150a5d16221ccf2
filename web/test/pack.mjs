// Writes the data of a page as docs/rooms/web.md describes them: what the program does in C, for the tests.
import { deflateSync } from "node:zlib";

const SIZES = { f8: 8, f4: 4, u4: 4, u2: 2, u1: 1 };
const MAKE = { f8: Float64Array, f4: Float32Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array };

/** A number list that becomes `{"a": k}`. */
export class Packed {
  constructor(type, values, coding = "", stride = 1) {
    this.type = type;
    this.values = MAKE[type].from(values);
    this.coding = coding;
    this.stride = stride;
  }
}

export const f8 = (values) => new Packed("f8", values);
export const f4 = (values) => new Packed("f4", values);
export const u4 = (values) => new Packed("u4", values);
export const u2 = (values) => new Packed("u2", values);
export const u1 = (values) => new Packed("u1", values);
export const delta = (values, stride) => new Packed("f4", values, "delta", stride);

export function deltaBytes(values, stride) {
  const n = values.length;
  const bits = new Uint32Array(Float32Array.from(values).buffer);
  const bytes = new Uint8Array(4 * n);
  for (let i = 0; i < n; i++) {
    const d = (bits[i] - (i >= stride ? bits[i - stride] : 0)) >>> 0;
    for (let k = 0; k < 4; k++) bytes[k * n + i] = (d >>> (8 * k)) & 255;
  }
  return bytes;
}

export function pack(page) {
  const arrays = [];
  const blobs = [];
  let offset = 0;
  const known = new Map();
  const walk = (value) => {
    if (value instanceof Packed) {
      if (!known.has(value)) {
        const bytes = value.coding === "delta" ? deltaBytes(value.values, value.stride) : new Uint8Array(value.values.buffer);
        const entry = { type: value.type, count: value.values.length, offset, coding: value.coding };
        if (value.coding) entry.stride = value.stride;
        known.set(value, arrays.push(entry) - 1);
        blobs.push([offset, bytes]);
        offset = Math.ceil((offset + value.values.length * SIZES[value.type]) / 8) * 8;
      }
      return { a: known.get(value) };
    }
    if (Array.isArray(value)) return value.map(walk);
    if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, walk(v)]));
    return value;
  };
  const json = Buffer.from(JSON.stringify({ ...walk(page), arrays }));
  const base = Math.ceil((12 + json.length) / 8) * 8;
  const all = Buffer.alloc(base + offset);
  all.write("caromrp1", 0, "latin1");
  all.writeUInt32LE(json.length, 8);
  json.copy(all, 12);
  for (const [at, bytes] of blobs) all.set(bytes, base + at);
  return all;
}

export const packBase64 = (page) => deflateSync(pack(page), { level: 6 }).toString("base64");

/** The page itself: the template with its places filled. Data go in by functions, since `$` means something to replace(). */
export function fillTemplate(template, parts) {
  return template.replace(/<!--carom:(\w+)-->/g, (whole, name) => parts[name] ?? whole);
}
