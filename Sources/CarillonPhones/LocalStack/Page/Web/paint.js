// Draws a part of the page on a canvas, as the browser shows it at this moment. It knows what the phones' screens are made of, and not
// all of CSS: boxes with borders, round corners, gradients and shadows, texts, pictures, and drawings of one path.

import { gradient, letters, listed, shortened } from "./paint-words.js";

/** What somebody sees only who points at it. */
const leftOut = ".edge-top, .note-tools, .visually-hidden, .side-button";

/**
 * @param {CanvasRenderingContext2D} context whose points are the page's pixels, beginning at the window's corner
 * @param {Element} element what is drawn, with all that is in it
 * @param {number} ratio of the canvas's pixels to the page's
 */
export function paint(context, element, ratio) {
  paintElement({ context, ratio }, element, { x: 1, y: 1 }, null);
}

/** `scale`: how much larger the element's parent is on the page than in its own points; `cut`: the box that cuts off its texts. */
function paintElement(canvas, element, parentScale, parentCut) {
  const { context } = canvas;
  const style = getComputedStyle(element);
  if (style.display === "none" || style.opacity === "0" || element.matches(leftOut)) return;
  const matrix = new DOMMatrixReadOnly(style.transform === "none" ? undefined : style.transform);
  const scale = { x: parentScale.x * Math.hypot(matrix.a, matrix.b), y: parentScale.y * Math.hypot(matrix.c, matrix.d) };
  const isVisible = style.visibility === "visible";
  context.save();
  context.globalAlpha *= Number(style.opacity);
  if (style.filter !== "none") context.filter = filterAt(style.filter, scale.x * canvas.ratio);
  const { left, top, width, height } = element.getBoundingClientRect();
  const box = { left, top, width, height };
  if (Math.abs(matrix.b) > 0.01) {
    if (isVisible) paintTurned(context, element, style, box, matrix, scale);
    context.restore();
    return;
  }
  if (isVisible) paintBox(canvas, style, box, scale);
  if (element instanceof SVGElement) {
    if (isVisible) paintPath(context, element, style, box);
    context.restore();
    return;
  }
  if (isVisible) paintContent(context, element, style, box, scale);
  if (style.overflow !== "visible" || style.contain === "strict") {
    outline(context, inner(box, style, scale), cornersOf(style, scale, box));
    context.clip();
  }
  const cut = cutOf(element, style, box) ?? parentCut;
  if (isVisible) paintPseudo(canvas, element, "::before", box, style, scale);
  for (const child of inOrder(element)) {
    if (child instanceof Element) paintElement(canvas, child, scale, cut);
    else if (isVisible) paintText(context, child, style, scale, cut);
  }
  if (isVisible) paintPseudo(canvas, element, "::after", box, style, scale);
  context.restore();
}

/** Children in the order in which they are painted: what is positioned lies above what is not (CSS 2, appendix E). */
function inOrder(element) {
  const rank = (child) => {
    if (!(child instanceof Element)) return 0;
    const { position, zIndex, transform } = getComputedStyle(child);
    const isPlaced = position !== "static";
    if (isPlaced && zIndex !== "auto" && zIndex !== "0") return Number(zIndex);
    return isPlaced || transform !== "none" ? 0.5 : 0;
  };
  return [...element.childNodes].map((child, index) => ({ child, index, rank: rank(child) }))
    .sort((one, other) => one.rank - other.rank || one.index - other.index).map(({ child }) => child);
}

/** On a canvas, the lengths in a filter are in its own pixels. */
const filterAt = (filter, factor) => filter.replace(/([\d.]+)px/g, (_, length) => `${length * factor}px`);

function inner({ left, top, width, height }, style, scale) {
  const side = (name) => parseFloat(style[`border${name}Width`]) * (name === "Left" || name === "Right" ? scale.x : scale.y);
  return {
    left: left + side("Left"), top: top + side("Top"),
    width: Math.max(0, width - side("Left") - side("Right")), height: Math.max(0, height - side("Top") - side("Bottom")),
  };
}

function cornersOf(style, scale, { width, height }) {
  const limit = Math.min(width, height) / 2;
  return ["TopLeft", "TopRight", "BottomRight", "BottomLeft"].map((corner) => {
    const value = style[`border${corner}Radius`].split(" ")[0];
    return Math.min(limit, value.endsWith("%") ? (parseFloat(value) / 100) * width : parseFloat(value) * scale.x);
  });
}

function outline(context, { left, top, width, height }, corners) {
  context.beginPath();
  context.roundRect(left, top, width, height, corners);
}

function paintBox({ context, ratio }, style, box, scale) {
  const corners = cornersOf(style, scale, box);
  paintShadows(context, style, box, corners, scale, ratio);
  outline(context, box, corners);
  if (style.backgroundColor !== "rgba(0, 0, 0, 0)") {
    context.fillStyle = style.backgroundColor;
    context.fill();
  }
  if (style.backgroundImage !== "none") {
    for (const layer of listed(style.backgroundImage).reverse()) paintGradient(context, layer, box, corners);
  }
  paintBorders(context, style, box, corners, scale);
}

function paintGradient(context, css, box, corners) {
  const found = gradient(css, box.width, box.height);
  if (!found) return;
  context.save();
  outline(context, box, corners);
  context.clip();
  context.translate(box.left, box.top);
  const { line, circle, stops } = found;
  const fill = line ? context.createLinearGradient(...line) : context.createRadialGradient(0, 0, 0, 0, 0, circle.rx);
  for (const [at, color] of stops) fill.addColorStop(at, color);
  context.fillStyle = fill;
  if (line) context.fillRect(0, 0, box.width, box.height);
  else {
    const stretch = circle.ry / circle.rx;
    context.translate(circle.x, circle.y);
    context.scale(1, stretch);
    context.fillRect(-circle.x, -circle.y / stretch, box.width, box.height / stretch);
  }
  context.restore();
}

function paintShadows(context, style, box, corners, scale, ratio) {
  if (style.boxShadow === "none") return;
  for (const shadow of listed(style.boxShadow)) {
    const [, color, x, y, blur, spread] = /^(.*\)|\w+) (-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px (-?[\d.]+)px/.exec(shadow) ?? [];
    if (!color) continue;
    context.save();
    if (shadow.endsWith("inset")) {
      // The line above a row is such a shadow.
      context.fillStyle = color;
      if (Number(blur) === 0 && Number(y) > 0) context.fillRect(box.left, box.top, box.width, y * scale.y);
    } else {
      const grow = spread * scale.x;
      Object.assign(context, { shadowColor: color, shadowOffsetX: x * scale.x * ratio, shadowOffsetY: y * scale.y * ratio, shadowBlur: blur * scale.x * ratio });
      context.fillStyle = "#000";
      // Only what lies beside the box: the box itself may be translucent.
      context.beginPath();
      context.rect(box.left - 1e4, box.top - 1e4, box.width + 2e4, box.height + 2e4);
      context.roundRect(box.left, box.top, box.width, box.height, corners);
      context.clip("evenodd");
      outline(context, { left: box.left - grow, top: box.top - grow, width: box.width + 2 * grow, height: box.height + 2 * grow }, corners);
      context.fill();
    }
    context.restore();
  }
}

function paintBorders(context, style, box, corners, scale) {
  const width = (side) => (style[`border${side}Style`] === "none" ? 0 : parseFloat(style[`border${side}Width`]) * scale.x);
  const sides = ["Top", "Right", "Bottom", "Left"].map(width);
  if (sides.every((one) => one === 0)) return;
  if (sides.every((one) => one === sides[0])) {
    const half = sides[0] / 2;
    const middle = { left: box.left + half, top: box.top + half, width: box.width - sides[0], height: box.height - sides[0] };
    outline(context, middle, corners.map((corner) => Math.max(0, corner - half)));
    context.strokeStyle = style.borderTopColor;
    context.lineWidth = sides[0];
    context.stroke();
    return;
  }
  const [top, right, bottom, left] = sides;
  const fill = (color, ...rectangle) => {
    context.fillStyle = color;
    context.fillRect(...rectangle);
  };
  if (top) fill(style.borderTopColor, box.left, box.top, box.width, top);
  if (bottom) fill(style.borderBottomColor, box.left, box.top + box.height - bottom, box.width, bottom);
  if (left) fill(style.borderLeftColor, box.left, box.top, left, box.height);
  if (right) fill(style.borderRightColor, box.left + box.width - right, box.top, right, box.height);
}

/** Something small that is turned, such as the chevron of a row; nothing is in it. */
function paintTurned(context, element, style, { left, top, width, height }, { a, b, c, d }, scale) {
  const [own, tall] = [element.offsetWidth * scale.x, element.offsetHeight * scale.y];
  const size = Math.hypot(a, b);
  context.translate(left + width / 2, top + height / 2);
  context.transform(a / size, b / size, c / size, d / size, 0, 0);
  paintBorders(context, style, { left: -own / 2, top: -tall / 2, width: own, height: tall }, [0, 0, 0, 0], scale);
}

function paintPath(context, element, style, { left, top, width, height }) {
  const path = element.querySelector("path");
  if (!path) return;
  context.translate(left, top);
  context.scale(width / 24, height / 24);
  const shape = new Path2D(path.getAttribute("d"));
  if (style.fill !== "none") {
    context.fillStyle = style.fill;
    context.fill(shape);
  }
  if (style.stroke !== "none") {
    Object.assign(context, { strokeStyle: style.stroke, lineWidth: parseFloat(style.strokeWidth), lineCap: style.strokeLinecap, lineJoin: style.strokeLinejoin });
    context.stroke(shape);
  }
}

/** A picture, or what is typed into a field. */
function paintContent(context, element, style, box, scale) {
  if (element instanceof HTMLImageElement && element.complete && element.naturalWidth > 0) {
    const { naturalWidth, naturalHeight } = element;
    context.save();
    outline(context, box, cornersOf(style, scale, box));
    context.clip();
    const fits = style.objectFit === "cover" ? Math.max(box.width / naturalWidth, box.height / naturalHeight) : null;
    const [width, height] = fits ? [naturalWidth * fits, naturalHeight * fits] : [box.width, box.height];
    context.drawImage(element, box.left + (box.width - width) / 2, box.top + (box.height - height) / 2, width, height);
    context.restore();
  }
  if (element instanceof HTMLInputElement) {
    setFont(context, style, scale);
    context.textBaseline = "middle";
    const side = parseFloat(style.paddingLeft) * scale.x;
    const words = element.value || element.placeholder;
    context.fillText(shortened(words, box.width - 2 * side, (text) => context.measureText(text).width), box.left + side, box.top + box.height / 2);
  }
}

/** A box that has no element; one that lies among the texts is not drawn. */
function paintPseudo(canvas, element, name, box, parent, scale) {
  const style = getComputedStyle(element, name);
  if (["none", "normal"].includes(style.content) || style.position !== "absolute" || style.display === "none") return;
  const { left, top } = inner(box, parent, scale);
  const matrix = new DOMMatrixReadOnly(style.transform === "none" ? undefined : style.transform);
  const place = {
    left: left + (parseFloat(style.left) + matrix.e) * scale.x, top: top + (parseFloat(style.top) + matrix.f) * scale.y,
    width: parseFloat(style.width) * scale.x, height: parseFloat(style.height) * scale.y,
  };
  if (Object.values(place).every(Number.isFinite)) paintBox(canvas, style, place, scale);
}

/** Whether an element cuts its text off, and after how many lines; `null` if not. */
function cutOf(element, style, box) {
  const clamp = Number(style.webkitLineClamp);
  if (clamp > 0 && element.scrollHeight > element.clientHeight + 1) return { box, lines: clamp };
  return style.textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth ? { box, lines: 1 } : null;
}

function setFont(context, style, scale) {
  context.font = `${style.fontStyle} ${style.fontWeight} ${parseFloat(style.fontSize) * scale.y}px ${style.fontFamily}`;
  context.fillStyle = style.color;
  context.direction = style.direction;
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
}

/** The browser's font may have other figures or spaces than a canvas has: a line is made as wide as it is on the page, within this. */
const stretch = { least: 0.6, most: 1.4 };

function paintText(context, node, style, scale, cut) {
  const lines = linesOf(node);
  if (lines.length === 0) return;
  setFont(context, style, scale);
  const measure = (text) => context.measureText(text).width;
  const shown = cut ? lines.slice(0, cut.lines) : lines;
  shown.forEach(({ text, left, right, top, bottom }, index) => {
    const words = style.textTransform === "uppercase" ? text.toUpperCase() : text;
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText(words);
    const baseline = (top + bottom + ascent - descent) / 2;
    if (cut && index === shown.length - 1) {
      const whole = lines.length > shown.length ? `${words}…` : words;
      const [from, to] = [Math.max(left, cut.box.left), cut.box.left + cut.box.width];
      const end = style.direction === "rtl" ? Math.min(right, to) - cut.box.left : to - from;
      const fitting = shortened(whole, end, measure);
      context.fillText(fitting, style.direction === "rtl" ? Math.min(right, to) - measure(fitting) : from, baseline);
      return;
    }
    const width = measure(words);
    context.save();
    context.translate(left, baseline);
    if (width > 0) context.scale(Math.min(stretch.most, Math.max(stretch.least, (right - left) / width)), 1);
    context.fillText(words, 0, 0);
    context.restore();
  });
}

/** The lines of a text as the browser has broken it, with their places on the page. */
function linesOf(node) {
  if (!node.data?.trim()) return [];
  const lines = [];
  const range = document.createRange();
  let at = 0;
  for (const letter of letters(node.data)) {
    range.setStart(node, at);
    at += letter.length;
    range.setEnd(node, at);
    const boxes = range.getClientRects();
    const box = boxes[boxes.length - 1];
    const line = lines.at(-1);
    if (!box || (box.width === 0 && !letter.trim())) continue;
    if (line && Math.abs(box.top - line.top) < box.height / 2) {
      line.text += letter;
      [line.left, line.right] = [Math.min(line.left, box.left), Math.max(line.right, box.right)];
    } else if (letter.trim()) lines.push({ text: letter, left: box.left, right: box.right, top: box.top, bottom: box.bottom });
  }
  return lines.map((line) => ({ ...line, text: line.text.replace(/\s+/g, " ") }));
}
