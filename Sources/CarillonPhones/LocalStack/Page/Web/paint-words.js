// How texts and gradients are drawn on a canvas: decisions only, so that they are tested without a browser.

/**
 * Breaks a text into lines.
 * @param {string} text
 * @param {number} width of a line
 * @param {(text: string) => number} measure how wide a text is
 * @returns {string[]} the lines; a word that is wider than a line is broken
 */
export function wrapped(text, width, measure) {
  const lines = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(" ")) {
      const longer = line ? `${line} ${word}` : word;
      if (measure(longer) <= width) {
        line = longer;
        continue;
      }
      if (line) lines.push(line);
      line = word;
      while (measure(line) > width && letters(line).length > 1) {
        const part = longest(line, width, measure);
        lines.push(part);
        line = line.slice(part.length);
      }
    }
    lines.push(line);
  }
  return lines;
}

/** The text with an ellipsis in the place of what has no room. */
export function shortened(text, width, measure) {
  return measure(text) <= width ? text : `${longest(text, width - measure("…"), measure).trimEnd()}…`;
}

/** The longest beginning of a text that has room; one letter at least. */
function longest(text, width, measure) {
  const all = letters(text);
  let [least, most] = [1, all.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (measure(all.slice(0, middle).join("")) <= width) least = middle;
    else most = middle - 1;
  }
  return all.slice(0, least).join("");
}

/** What a person takes for a letter: an emoji of several characters is one. */
export function letters(text) {
  if (!globalThis.Intl?.Segmenter) return Array.from(text);
  return Array.from(new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text), ({ segment }) => segment);
}

/** The parts of a list of CSS, at the commas that are in no brackets. */
export function listed(css) {
  const parts = [""];
  let depth = 0;
  for (const letter of css) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/**
 * A gradient as a browser computes it (CSS Images 3).
 * @param {string} css such as "linear-gradient(170deg, rgb(1, 2, 3), rgb(4, 5, 6) 75%)", or "radial-gradient(120% 60% at 85% 8%, …)"
 * @param {number} width of the box, in pixels
 * @param {number} height of the box, in pixels
 * @returns {{ line?: number[], circle?: { x: number, y: number, rx: number, ry: number }, stops: [number, string][] } | null} `line`:
 *   x and y of its ends; `null` for what is no such gradient
 */
export function gradient(css, width, height) {
  const [, kind, inside] = /^(linear|radial)-gradient\((.*)\)$/s.exec(css) ?? [];
  if (!kind) return null;
  const parts = listed(inside);
  const isFirst = (pattern) => pattern.test(parts[0]);
  if (kind === "linear") {
    const angle = isFirst(/^-?[\d.]+deg$/) ? parseFloat(parts.shift()) : 180;
    const [sin, cos] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
    const half = (Math.abs(width * sin) + Math.abs(height * cos)) / 2;
    const [x, y] = [width / 2, height / 2];
    return { line: [x - sin * half, y + cos * half, x + sin * half, y - cos * half], stops: stopsOf(parts, half * 2) };
  }
  const [, rx, ry, x, y] = /^([\d.]+)% ([\d.]+)% at ([\d.]+)% ([\d.]+)%$/.exec(parts[0]) ?? [];
  if (!rx) return null;
  parts.shift();
  const circle = { x: (x * width) / 100, y: (y * height) / 100, rx: (rx * width) / 100, ry: (ry * height) / 100 };
  return { circle, stops: stopsOf(parts, circle.rx) };
}

/** Where each colour is, from 0 to 1; colours without a place are spread evenly between the others. */
function stopsOf(parts, length) {
  const stops = parts.map((part) => {
    const [, color, value, unit] = /^(.*?)(?: (-?[\d.]+)(%|px))?$/s.exec(part);
    return { color, at: value === undefined ? null : unit === "%" ? value / 100 : value / length };
  });
  if (stops.length > 0) [stops[0].at, stops.at(-1).at] = [stops[0].at ?? 0, stops.at(-1).at ?? 1];
  stops.forEach((stop, index) => {
    if (stop.at !== null) return;
    const next = stops.slice(index).findIndex(({ at }) => at !== null);
    stop.at = stops[index - 1].at + (stops[index + next].at - stops[index - 1].at) / (next + 1);
  });
  return stops.map(({ color, at }, index) => [Math.min(1, Math.max(0, at)), unseen(color, stops[index - 1] ?? stops[index + 1])]);
}

/** On a canvas, what is transparent must have its neighbour's colour, or the gradient becomes grey on its way. */
function unseen(color, neighbour) {
  if (!/^(transparent|rgba\(0, 0, 0, 0\))$/.test(color) || !neighbour) return color;
  const [, red, green, blue] = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)/.exec(neighbour.color) ?? [];
  return red === undefined ? color : `rgba(${red}, ${green}, ${blue}, 0)`;
}

/** The name of a picture's file: the title in small letters, and the time. */
export function fileName(title, moment = new Date()) {
  const words = title.normalize("NFC").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = letters(words.join("-")).slice(0, 40).join("").replace(/-+$/, "");
  const time = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map((part) => String(part).padStart(2, "0")).join("");
  return `carillon-${name || "phones"}-${time}.png`;
}
