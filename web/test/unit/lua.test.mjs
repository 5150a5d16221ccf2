import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../load.mjs";

const { tokenize, tokenLines } = await load("report/lua");
const kinds = (text) => tokenize(text).filter((t) => t.kind !== "space").map((t) => `${t.kind}:${t.text}`);

test("words of a model", () => {
  assert.deepEqual(kinds('local e = param { "e", 0.5, min = 1e-3 } -- note'), ["keyword:local", "name:e", "symbol:=", "name:param", "symbol:{", 'string:"e"', "symbol:,", "number:0.5", "symbol:,", "name:min", "symbol:=", "number:1e-3", "symbol:}", "comment:-- note"]);
  assert.deepEqual(kinds("mass { 1 }"), ["statement:mass", "symbol:{", "number:1", "symbol:}"]);
});

test("long strings and comments, of any level, over lines", () => {
  assert.deepEqual(kinds("a = [==[ x ]] \n y ]==]b"), ["name:a", "symbol:=", "string:[==[ x ]] \n y ]==]", "name:b"]);
  assert.deepEqual(kinds("--[[ one\n two ]] x"), ["comment:--[[ one\n two ]]", "name:x"]);
  assert.deepEqual(kinds("--[ not long\nx"), ["comment:--[ not long", "name:x"]);
  assert.deepEqual(kinds("[[ never ends"), ["string:[[ never ends"]);
  assert.deepEqual(kinds("t[i]"), ["name:t", "symbol:[", "name:i", "symbol:]"]);
});

test("quotes, escapes, and quotes that are not closed", () => {
  assert.deepEqual(kinds(`"a\\"b" 'c'`), ['string:"a\\"b"', "string:'c'"]);
  assert.deepEqual(kinds('"open\nx'), ['string:"open', "name:x"]);
  assert.deepEqual(kinds('"ends with \\'), ['string:"ends with \\']);
});

test("numbers", () => {
  assert.deepEqual(kinds("0x1p-4 3. .5 1e+9 0xFF 7"), ["number:0x1p-4", "number:3.", "number:.5", "number:1e+9", "number:0xFF", "number:7"]);
  assert.deepEqual(kinds("x2 = 1..2"), ["name:x2", "symbol:=", "number:1.", "number:.2"]);
});

test("nothing is lost, whatever the text", () => {
  let seed = 7;
  const next = (n) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
  const pieces = ["--", "[[", "]]", "[=[", "]=]", '"', "'", "\\", "\n", "local ", "x", "1e", "0x", ".", "..", " ", "{", "\u00e9", "-", "="];
  for (let k = 0; k < 300; k++) {
    const text = Array.from({ length: next(40) }, () => pieces[next(pieces.length)]).join("");
    assert.equal(tokenize(text).map((t) => t.text).join(""), text);
    assert.equal(tokenLines(text).map((l) => l.map((t) => t.text).join("")).join("\n"), text.replace(/\n$/, ""), JSON.stringify(text));
  }
});
