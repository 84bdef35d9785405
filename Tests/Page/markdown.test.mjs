// The guides' Markdown.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { blocksOf, guideOf, piecesOf, slug } from "./markdown.js";

test("blocks are told apart, and a bar in code separates no cells", () => {
  const text = "# A `b`\n\nOne\ntwo\n- x\n  y\n- z\n\n| a | b |\n|---|---|\n| `c | d` | |\n| e \\| f | g |\n\n```sh\n# no heading\n\n|\n```\n";
  assert.deepEqual(blocksOf(text), [
    { kind: "heading", level: 1, text: "A `b`", id: "a-b" },
    { kind: "paragraph", text: "One two" },
    { kind: "list", items: ["x y", "z"], isOrdered: false },
    { kind: "table", head: ["a", "b"], rows: [["`c | d`", ""], ["e | f", "g"]] },
    { kind: "code", text: "# no heading\n\n|" },
  ]);
});

test("pieces of a text nest, and nothing in code is anything else", () => {
  const kinds = (pieces) => pieces.map(({ kind, text, pieces: inside, href }) => [kind, text ?? kinds(inside), ...(href ? [href] : [])]);
  assert.deepEqual(kinds(piecesOf("a **b `c`** [d *e*](f.md#g) `**`")), [
    ["text", "a "], ["strong", [["text", "b "], ["code", "c"]]], ["text", " "], ["link", [["text", "d "], ["em", [["text", "e"]]]], "f.md#g"], ["text", " "], ["code", "**"],
  ]);
  assert.deepEqual(kinds(piecesOf("2 * 3 * 4 < 5")), [["text", "2 * 3 * 4 < 5"]]);
});

test("a link names a guide, a part of it, or an address elsewhere", () => {
  assert.deepEqual(guideOf("texts.md#in-short", "sending"), { guide: "texts", at: "in-short" });
  assert.deepEqual(guideOf("#to-many", "sending"), { guide: "sending", at: "to-many" });
  assert.equal(guideOf("https://example.org/a.md", "sending"), null);
  assert.equal(slug("Apple's page on receiving: `a`!"), "apples-page-on-receiving-a");
});

test("every page of docs/ that the page draws is read whole: each row has no more cells than its head", () => {
  for (const name of ["apple-coverage", "audiences", "glossary", "sending", "texts", "the-five-articles", "why-not-shown"]) {
    const tables = blocksOf(readFileSync(`${process.env.ROOT}/docs/${name}.md`, "utf8")).filter(({ kind }) => kind === "table");
    for (const { head, rows } of tables) for (const row of rows) assert.ok(row.length <= head.length, `${name}: ${row.join(" | ")}`);
  }
});
