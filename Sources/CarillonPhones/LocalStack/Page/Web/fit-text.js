// Lines of text as wide as the phone has computed them. The browser's font is another one: where it is wider, its letters are
// made narrower, so that a text has the lines that the phone has made room for.

/** Narrower letters than this are for nobody; the text is then cut off, as the phone itself would cut it. */
const narrowest = 0.74;
const step = 0.02;
const lineHeight = 1.2;

/** The greatest number of lines that a view draws: as many as its frame has room for, and at most its own limit. */
export function linesIn({ frame, fontSize = 17, lineLimit = 1 }) {
  const room = Math.max(1, Math.floor((frame.height + 1) / (fontSize * lineHeight)));
  return lineLimit > 0 ? Math.min(lineLimit, room) : room;
}

const ruler = document.createElement("canvas").getContext("2d");
let family = "";

/** Fits the text of a view to its frame. */
export function fitText(content, node, weight) {
  const { text, frame, fontSize = 17, fontWeight, textAlignment } = node;
  family ||= getComputedStyle(document.documentElement).getPropertyValue("--phone-sans");
  ruler.font = `${fontWeight === undefined ? 400 : weight} ${fontSize}px ${family}`;
  const scale = fitting(text, frame.width, linesIn(node));
  const { style } = content;
  style.transform = scale < 1 ? `scaleX(${scale.toFixed(2)})` : "";
  style.width = scale < 1 ? `${frame.width / scale}px` : "";
  style.right = scale < 1 ? "auto" : "";
  const side = { center: 0.5, right: 1 }[textAlignment] ?? 0;
  style.left = scale < 1 ? `${(frame.width - frame.width / scale) * side}px` : "";
  style.transformOrigin = scale < 1 ? `${side * 100}% 50%` : "";
}

function fitting(text, width, lines) {
  for (let scale = 1; scale >= narrowest; scale -= step) {
    if (linesOf(text, width / scale, lines) <= lines) return scale;
  }
  return 1;
}

/** How many lines the browser makes of the text, at most one more than wanted. */
function linesOf(text, width, wanted) {
  const space = ruler.measureText(" ").width;
  let count = 0;
  for (const paragraph of text.split("\n")) {
    count += 1;
    let x = 0;
    for (const word of paragraph.split(" ")) {
      const wide = ruler.measureText(word).width;
      if (x > 0 && x + wide > width) {
        count += 1;
        x = 0;
      }
      if (wide > width) return wanted + 1;
      x += wide + space;
      if (count > wanted) return count;
    }
  }
  return count;
}
