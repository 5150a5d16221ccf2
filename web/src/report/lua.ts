// The words of a Lua text by what they are, for its colours. Every character of the text is in exactly one token.

export type TokenKind = "comment" | "string" | "number" | "keyword" | "statement" | "name" | "symbol" | "space";

export interface Token {
  kind: TokenKind;
  text: string;
}

const KEYWORDS = new Set("and break do else elseif end false for function goto if in local nil not or repeat return then true until while".split(" "));

/** Long bracket [[ ... ]] or [=[ ... ]=] that begins at i: its end, or -1 where there is none. */
function longBracket(text: string, i: number): number {
  let level = 0;
  let k = i + 1;
  while (text[k] === "=") {
    level++;
    k++;
  }
  if (text[i] !== "[" || text[k] !== "[") return -1;
  const end = text.indexOf(`]${"=".repeat(level)}]`, k + 1);
  return end < 0 ? text.length : end + level + 2;
}

function quoted(text: string, i: number): number {
  const quote = text[i];
  let k = i + 1;
  while (k < text.length && text[k] !== quote && text[k] !== "\n") k += text[k] === "\\" ? 2 : 1;
  return Math.min(text.length, text[k] === quote ? k + 1 : k);
}

const NUMBER = /0[xX][0-9a-fA-F]*(\.[0-9a-fA-F]*)?([pP][-+]?[0-9]+)?|([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SPACE = /\s+/y;

function match(pattern: RegExp, text: string, i: number): number {
  pattern.lastIndex = i;
  const found = pattern.exec(text);
  return found ? i + found[0].length : i;
}

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let i = 0;
  let fresh = true; // at the beginning of a line, where statements stand
  while (i < text.length) {
    const c = text[i];
    let end = match(SPACE, text, i);
    let kind: TokenKind = "space";
    if (end === i) {
      if (c === "-" && text[i + 1] === "-") {
        kind = "comment";
        end = text[i + 2] === "[" ? longBracket(text, i + 2) : -1;
        if (end < 0) {
          end = text.indexOf("\n", i);
          if (end < 0) end = text.length;
        }
      } else if (c === '"' || c === "'") {
        kind = "string";
        end = quoted(text, i);
      } else if (c === "[" && longBracket(text, i) > 0) {
        kind = "string";
        end = longBracket(text, i);
      } else if ((end = match(NUMBER, text, i)) > i) kind = "number";
      else if ((end = match(NAME, text, i)) > i) {
        const word = text.slice(i, end);
        kind = KEYWORDS.has(word) ? "keyword" : fresh && /^\s*[{("]/.test(text.slice(end, end + 40)) ? "statement" : "name";
      } else {
        kind = "symbol";
        end = i + 1;
      }
    }
    const piece = text.slice(i, end);
    tokens.push({ kind, text: piece });
    if (kind === "space") fresh = fresh || piece.includes("\n");
    else fresh = false;
    i = end;
  }
  return tokens;
}

/** The tokens line by line; those that go over several lines are cut. */
export function tokenLines(text: string): Token[][] {
  const lines: Token[][] = [[]];
  for (const { kind, text: piece } of tokenize(text.replace(/\r\n?/g, "\n")))
    piece.split("\n").forEach((part, k) => {
      if (k) lines.push([]);
      if (part) lines[lines.length - 1].push({ kind, text: part });
    });
  if (lines.length > 1 && !lines[lines.length - 1].length) lines.pop();
  return lines;
}
