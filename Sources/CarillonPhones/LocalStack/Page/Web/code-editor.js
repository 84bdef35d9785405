// A text area for JSON, with colours and the numbers of its lines: they are drawn under the text area, whose own text is clear.

import { h } from "./dom.js";
import { drawPieceOfJSON, piecesOfJSON } from "./json-view.js";

/** The pieces of a text, line by line. */
export function linesOfJSON(text) {
  const lines = [[]];
  for (const { kind, text: words } of piecesOfJSON(text)) {
    words.split("\n").forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1).push({ kind, text: part });
    });
  }
  return lines;
}

/** Puts a text area into an editor, in its own place; returns a function that draws the area's value after a program has set it. */
export function makeEditor(area) {
  const paint = h("pre", { class: "editor-paint", "aria-hidden": "true" });
  const editor = h("div", { class: "editor" });
  area.replaceWith(editor);
  editor.append(paint, area);
  let drawn = null;
  const draw = () => {
    if (drawn === area.value) return;
    drawn = area.value;
    paint.replaceChildren(...linesOfJSON(drawn).map((pieces) => h("span", { class: "editor-line" }, pieces.map(drawPieceOfJSON))));
  };
  area.addEventListener("input", draw);
  draw();
  return draw;
}
