// JSON with its keys, texts and numbers told apart; and how many bytes it is.

import { h } from "./dom.js";

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Fills a `<pre>` with `value` as indented, coloured JSON. */
export function showJSON(element, value) {
  const text = JSON.stringify(value, null, 2);
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    pieces.push(text.slice(end, match.index));
    const [whole, string, colon, word] = match;
    const kind = string ? (colon ? "key" : "text") : word ? "word" : "number";
    pieces.push(h("span", { class: `json-${kind}`, text: string ?? whole }));
    if (colon) pieces.push(colon);
    end = match.index + whole.length;
  }
  pieces.push(text.slice(end));
  element.replaceChildren(...pieces);
}

/** The size of `value` as compact JSON in UTF-8: what APNs counts. */
export const byteCount = (value) => new TextEncoder().encode(JSON.stringify(value)).length;

/** A shell word that means exactly `text`. */
export const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
