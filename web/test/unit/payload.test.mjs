import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { load } from "../load.mjs";
import { delta, deltaBytes, f4, f8, pack, packBase64, u1, u2, u4 } from "../pack.mjs";

const { decode, fromBase64, parse, undelta } = await load("payload");
const buffer = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);

test("all types come back as they went in, each at a multiple of 8", async () => {
  const page = await decode(packBase64({ format: 1, kind: "run", title: "Größe \u03bc", a: f8([1, -2.5, NaN, 1e-300]), b: f4([0.5, 1e10]), c: u4([0, 4294967295]), d: u2([1, 65535, 7]), e: u1([255]), f: f8([Math.PI]) }));
  assert.equal(page.title, "Größe \u03bc");
  assert.deepEqual([...page.a], [1, -2.5, NaN, 1e-300]);
  assert.deepEqual([...page.b], [0.5, 1e10]);
  assert.deepEqual([...page.c], [0, 4294967295]);
  assert.deepEqual([...page.d], [1, 65535, 7]);
  assert.deepEqual([...page.e], [255]);
  assert.equal(page.f[0], Math.PI);
  assert.equal(page.arrays, undefined);
});

test("coding delta gives the same bits, also of signs, zeros, NaN and infinities", () => {
  const values = Float32Array.from([0, -0, 1, -1, NaN, Infinity, -Infinity, 1e-40, 3.4e38, -3.4e38, 1.0000001, 0.1]);
  for (const stride of [1, 2, 3, 5, 12, 40]) {
    const back = undelta(deltaBytes(values, stride), values.length, stride);
    assert.deepEqual([...new Uint32Array(back.buffer)], [...new Uint32Array(values.buffer)], `stride ${stride}`);
  }
});

test("delta by hand: bits 0x3f800000 then +1", () => {
  // two numbers, stride 1: differences 0x3f800000 and 1; planes of bytes, lowest first
  const back = undelta(Uint8Array.from([0, 1, 0, 0, 0x80, 0, 0x3f, 0]), 2, 1);
  assert.equal(back[0], 1);
  assert.equal(new Uint32Array(back.buffer)[1], 0x3f800001);
});

test("arrays are found at any depth; one array may be used twice", async () => {
  const t = f8([0, 1]);
  const page = await decode(packBase64({ format: 1, clock: { t }, scene: { items: [{ at: [t, 3], pose: delta([1, 2, 3, 4], 2) }] } }));
  assert.equal(page.scene.items[0].at[0], page.clock.t);
  assert.equal(page.scene.items[0].at[1], 3);
  assert.deepEqual([...page.scene.items[0].pose], [1, 2, 3, 4]);
});

test("damaged data are refused in words", async () => {
  const good = pack({ format: 1, a: f8([1, 2, 3]) });
  const base64 = (bytes) => deflateSync(bytes).toString("base64");
  await assert.rejects(decode("%%%"), /not base64/);
  await assert.rejects(decode(Buffer.from("no zlib").toString("base64")), /cannot be unpacked/);
  const whole = packBase64({ format: 1, a: f8(Array.from({ length: 5000 }, Math.random)) });
  await assert.rejects(decode(whole.slice(0, whole.length >> 1 & ~3)), /cannot be unpacked|cut off/);
  await assert.rejects(decode(base64(Buffer.from("something else"))), /do not begin/);
  const other = Buffer.from(good);
  other.write("caromrp2");
  assert.throws(() => parse(buffer(other)), /does not know/);
  assert.throws(() => parse(buffer(good.subarray(0, good.length - 8))), /array 0 is cut off/);
  assert.throws(() => parse(buffer(good.subarray(0, 30))), /cut off/);
  assert.throws(() => parse(buffer(pack({ format: 2 }))), /format 2; this page knows format 1/);
});

test("hostile tables of arrays are refused", () => {
  const make = (entry) => {
    const json = Buffer.from(JSON.stringify({ format: 1, a: { a: 0 }, arrays: [entry] }));
    const all = Buffer.alloc(Math.ceil((12 + json.length) / 8) * 8 + 16);
    all.write("caromrp1");
    all.writeUInt32LE(json.length, 8);
    json.copy(all, 12);
    return buffer(all);
  };
  assert.equal(parse(make({ type: "f8", count: 2, offset: 0 })).a.length, 2);
  for (const bad of [{ type: "f8", count: 3, offset: 0 }, { type: "f8", count: -1, offset: 0 }, { type: "f8", count: 1, offset: 4 }, { type: "f8", count: 1e300, offset: 0 }, { type: "f9", count: 1, offset: 0 }, { type: "u4", count: 1, offset: 0, coding: "delta" }, { type: "f4", count: 1, offset: 0, coding: "delta", stride: 0 }, { type: "f4", count: 1, offset: 0, coding: "zip" }])
    assert.throws(() => parse(make(bad)), /damaged: array 0/, JSON.stringify(bad));
});

test("a reference to no array is refused", () => {
  const json = Buffer.from(JSON.stringify({ format: 1, x: { a: 3 }, arrays: [] }));
  const all = Buffer.alloc(12 + json.length);
  all.write("caromrp1");
  all.writeUInt32LE(json.length, 8);
  json.copy(all, 12);
  assert.throws(() => parse(buffer(all)), /no array 3/);
});

test("base64 may be broken into lines at its ends", () => {
  assert.deepEqual([...fromBase64("\n AQID \n")], [1, 2, 3]);
});
