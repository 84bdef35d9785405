// JSON with its keys, texts and numbers told apart.

import { h } from "./dom.js";
import { indented } from "./json-text.js";

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Fills a `<pre>` with the JSON `source` as indented, coloured text. */
export function showJSON(element, source) {
  const text = indented(source);
  if (element.textContent === text) return;
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

/** A shell word that means exactly `text`. */
export const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
