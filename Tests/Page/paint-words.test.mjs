// What a picture is drawn with: lines, ellipses, gradients, the name of its file.

import assert from "node:assert/strict";
import test from "node:test";
import { fileName, gradient, letters, listed, shortened, wrapped } from "./paint-words.js";

/** Every letter is as wide as another. */
const measure = (text) => letters(text).length;

test("a text is broken between words, a word that is wider than a line within it, and no emoji is cut", () => {
  assert.deepEqual(wrapped("one two three", 7, measure), ["one two", "three"]);
  assert.deepEqual(wrapped("abcdefghij k", 4, measure), ["abcd", "efgh", "ij k"]);
  assert.deepEqual(wrapped("a\n\nb", 4, measure), ["a", "", "b"]);
  assert.deepEqual(wrapped("", 4, measure), [""]);
  const family = "👨‍👩‍👧‍👦";
  assert.deepEqual(wrapped(family.repeat(5), 2, measure), [family.repeat(2), family.repeat(2), family]);
  assert.deepEqual(wrapped("abc", 0, measure), ["a", "b", "c"]);
});

test("what has no room ends in an ellipsis", () => {
  assert.equal(shortened("short", 5, measure), "short");
  assert.equal(shortened("much longer", 6, measure), "much…");
  assert.equal(shortened("مرحبا بالعالم", 6, measure), "مرحبا…");
});

test("a list of CSS is parted at its own commas alone", () => {
  assert.deepEqual(listed("radial-gradient(1px, rgb(1, 2, 3)), url(a)"), ["radial-gradient(1px, rgb(1, 2, 3))", "url(a)"]);
  assert.deepEqual(listed(""), []);
});

test("a gradient has the ends and the colours that a browser gives it", () => {
  const { line, stops } = gradient("linear-gradient(180deg, rgb(1, 2, 3), rgb(4, 5, 6) 25%, rgb(7, 8, 9))", 100, 200);
  assert.deepEqual(line.map(Math.round), [50, 0, 50, 200]);
  assert.deepEqual(stops, [[0, "rgb(1, 2, 3)"], [0.25, "rgb(4, 5, 6)"], [1, "rgb(7, 8, 9)"]]);
  assert.deepEqual(gradient("linear-gradient(90deg, red, lime, blue)", 100, 10).stops.map(([at]) => at), [0, 0.5, 1]);
  assert.deepEqual(gradient("linear-gradient(90deg, red, lime, white, blue)", 90, 10).stops.map(([at]) => Math.round(at * 90)), [0, 30, 60, 90]);
  const radial = gradient("radial-gradient(120% 60% at 85% 8%, rgb(168, 83, 47) 0px, rgba(0, 0, 0, 0) 60%)", 100, 200);
  assert.deepEqual(radial, { circle: { x: 85, y: 16, rx: 120, ry: 120 }, stops: [[0, "rgb(168, 83, 47)"], [0.6, "rgba(168, 83, 47, 0)"]] });
  assert.equal(gradient("conic-gradient(red, blue)", 1, 1), null);
  assert.equal(gradient("url(icon.svg)", 1, 1), null);
});

test("a picture's file is named by the title and the time", () => {
  const moment = new Date(2026, 0, 2, 3, 4, 5);
  assert.equal(fileName("Comet over the harbour!", moment), "carillon-comet-over-the-harbour-030405.png");
  assert.equal(fileName("../../Zoë 🛎 / مرحبا", moment), "carillon-zoë-مرحبا-030405.png");
  assert.equal(fileName("", moment), "carillon-phones-030405.png");
  assert.equal(fileName("word ".repeat(60), moment).length, "carillon-".length + 39 + "-030405.png".length);
});
