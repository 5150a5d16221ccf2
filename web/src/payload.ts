// From the text of the page to the data: base64, zlib, JSON, arrays.
import type { ArrayEntry, Numbers, Page } from "./format";

/** A fault of the data, in words that the page shows. */
export class PayloadError extends Error {}

const MAGIC = "caromrp1";
const SIZES = { f8: 8, f4: 4, u4: 4, u2: 2, u1: 1 } as const;

export function fromBase64(text: string): Uint8Array {
  const clean = text.trim();
  try {
    const quick = (Uint8Array as unknown as { fromBase64?: (s: string) => Uint8Array }).fromBase64;
    if (quick) return quick.call(Uint8Array, clean);
    const raw = atob(clean);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return bytes;
  } catch {
    throw new PayloadError("The data of this page are damaged: they are not base64.");
  }
}

export async function inflate(packed: Uint8Array): Promise<ArrayBuffer> {
  if (typeof DecompressionStream === "undefined")
    throw new PayloadError(
      "This browser cannot unpack the data of this page (it lacks DecompressionStream). Chromium and Edge 80, Firefox 113, Safari 16.4 and later can.",
    );
  try {
    const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate"));
    return await new Response(stream).arrayBuffer();
  } catch {
    throw new PayloadError("The data of this page are damaged: they cannot be unpacked. The file may have been cut off; write the page again.");
  }
}

/** Coding `delta`: four planes of bytes, lowest first, of bit patterns that are differences from those one stride before. */
export function undelta(bytes: Uint8Array, count: number, stride: number): Float32Array {
  const bits = new Uint32Array(count);
  for (let i = 0; i < count; i++)
    bits[i] = bytes[i] | (bytes[count + i] << 8) | (bytes[2 * count + i] << 16) | (bytes[3 * count + i] << 24);
  for (let i = stride; i < count; i++) bits[i] = (bits[i] + bits[i - stride]) | 0;
  return new Float32Array(bits.buffer);
}

function readArray(buffer: ArrayBuffer, base: number, entry: ArrayEntry, k: number): Numbers {
  const size = SIZES[entry.type];
  const { count, offset } = entry;
  const bad = (what: string) => new PayloadError(`The data of this page are damaged: array ${k} ${what}.`);
  if (!size) throw bad(`has the unknown type '${String(entry.type)}'`);
  if (!Number.isSafeInteger(count) || count < 0 || !Number.isSafeInteger(offset) || offset < 0 || offset % 8) throw bad("has a wrong place or length");
  if (base + offset + count * size > buffer.byteLength) throw bad("is cut off");
  const at = base + offset;
  if (entry.coding === "delta") {
    if (entry.type !== "f4") throw bad(`is coded 'delta', which is for f4 only, not ${entry.type}`);
    const stride = entry.stride ?? 1;
    if (!Number.isSafeInteger(stride) || stride < 1) throw bad(`has the stride ${String(stride)}`);
    return undelta(new Uint8Array(buffer, at, 4 * count), count, stride);
  }
  if (entry.coding) throw bad(`has the unknown coding '${String(entry.coding)}'`);
  switch (entry.type) {
    case "f8":
      return new Float64Array(buffer, at, count);
    case "f4":
      return new Float32Array(buffer, at, count);
    case "u4":
      return new Uint32Array(buffer, at, count);
    case "u2":
      return new Uint16Array(buffer, at, count);
    default:
      return new Uint8Array(buffer, at, count);
  }
}

/** Replaces every `{"a": k}` by the array k. */
function fill(value: unknown, arrays: Numbers[]): unknown {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (typeof value[i] === "object") value[i] = fill(value[i], arrays);
    return value;
  }
  if (value === null || typeof value !== "object") return value;
  const object = value as { [key: string]: unknown };
  const keys = Object.keys(object);
  if (keys.length === 1 && keys[0] === "a" && typeof object.a === "number") {
    const found = arrays[object.a];
    if (!found) throw new PayloadError(`The data of this page are damaged: there is no array ${object.a}.`);
    return found;
  }
  for (const key of keys) if (typeof object[key] === "object") object[key] = fill(object[key], arrays);
  return object;
}

/** The unpacked bytes as data of a page. */
export function parse(buffer: ArrayBuffer): Page {
  const bytes = new Uint8Array(buffer);
  const ascii = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (bytes.length < 12 || ascii(0, 7) !== MAGIC.slice(0, 7)) throw new PayloadError("The data of this page are damaged: they do not begin as those of a report page do.");
  if (ascii(0, 8) !== MAGIC) throw new PayloadError("The data of this page have a form that this page does not know.");
  const length = new DataView(buffer).getUint32(8, true);
  if (12 + length > bytes.length) throw new PayloadError("The data of this page are damaged: the text is cut off.");
  let page: Page & { arrays?: ArrayEntry[] };
  try {
    page = JSON.parse(new TextDecoder().decode(bytes.subarray(12, 12 + length)));
  } catch {
    throw new PayloadError("The data of this page are damaged: their text is not JSON.");
  }
  if (page.format !== 1) throw new PayloadError(`The data of this page have format ${String(page.format)}; this page knows format 1.`);
  const base = Math.ceil((12 + length) / 8) * 8;
  const arrays = (page.arrays ?? []).map((entry, k) => readArray(buffer, base, entry, k));
  delete page.arrays;
  return fill(page, arrays) as Page;
}

export async function decode(text: string): Promise<Page> {
  return parse(await inflate(fromBase64(text)));
}
