// JSON with its keys, texts and numbers told apart.

import { h } from "./dom.js";
import { indented } from "./json-text.js";

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The pieces of a JSON text as it is, each with its `kind`: `key`, `text`, `word`, `number`, or none. */
export function piecesOfJSON(text) {
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    pieces.push({ text: text.slice(end, match.index) });
    const [whole, string, colon, word] = match;
    pieces.push({ kind: string ? (colon ? "key" : "text") : word ? "word" : "number", text: string ?? whole });
    if (colon) pieces.push({ text: colon });
    end = match.index + whole.length;
  }
  return [...pieces, { text: text.slice(end) }].filter((piece) => piece.text !== "");
}

/** A piece as an element, or as bare text. */
export const drawPieceOfJSON = ({ kind, text }) => (kind ? h("span", { class: `json-${kind}`, text }) : text);

/** Fills a `<pre>` with the JSON `source` as indented, coloured text. */
export function showJSON(element, source) {
  const text = indented(source);
  if (element.textContent === text) return;
  element.replaceChildren(...piecesOfJSON(text).map(drawPieceOfJSON));
}

/** A shell word that means exactly `text`. */
export const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
