// JSON as text: laid out and shortened without changing a value, so that big numbers and repeated keys stay as they are.

const token = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The text without the white space between its values. */
export const compact = (text) => (text.match(token) ?? []).join("");

/** The text with a line for each value, indented. */
export function indented(text) {
  let depth = 0;
  let out = "";
  let previous = "";
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const piece of text.match(token) ?? []) {
    const closes = piece === "}" || piece === "]";
    const isEmpty = closes && (previous === "{" || previous === "[");
    if (closes) depth -= 1;
    if (closes ? !isEmpty : previous === "{" || previous === "[" || previous === ",") out += line();
    out += piece === ":" ? ": " : piece;
    if (piece === "{" || piece === "[") depth += 1;
    previous = piece;
  }
  return out;
}

/** The members of an object, as text without its braces; throws an Error that says what is wrong. */
export function members(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`not JSON: ${error.message}`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Error("not an object: it begins with { and ends with }");
  return compact(text).slice(1, -1);
}

/** The size of the text in UTF-8, in bytes. */
export const byteCount = (text) => new TextEncoder().encode(text).length;
