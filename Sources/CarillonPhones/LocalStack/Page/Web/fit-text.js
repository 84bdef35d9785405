// Lines of text as wide as the phone has computed them. The browser's font is another one: where it is wider, its letters are
// made narrower, so that a text has the lines that the phone has made room for. Where that is not enough, as for wide letters and
// emoji, a text that may have any number of lines is drawn smaller: an iPhone would have given it more room, and cuts nothing off.

/** Narrower letters than this are for nobody, and so are smaller ones; the text is then cut off, as the phone itself would cut it. */
const narrowest = 0.74;
const smallest = 0.5;
const step = 0.02;
const lineHeight = 1.2;

/** The greatest number of lines that a view draws: as many as its frame has room for, and at most its own limit. */
export function linesIn({ frame, fontSize = 17, lineLimit = 1 }) {
  const room = Math.max(1, Math.floor((frame.height + 1) / (fontSize * lineHeight)));
  return lineLimit > 0 ? Math.min(lineLimit, room) : room;
}

const ruler = document.createElement("canvas").getContext("2d");
let family = "";

/** Fits the text of a view to its frame; returns how many lines it may have there. */
export function fitText(content, node, weight) {
  const { text, frame, fontSize = 17, fontWeight, textAlignment } = node;
  family ||= getComputedStyle(document.documentElement).getPropertyValue("--phone-sans");
  ruler.font = `${fontWeight === undefined ? 400 : weight} ${fontSize}px ${family}`;
  const { scale, size, lines } = fitting(node, text, frame.width);
  const { style } = content;
  if (size < 1) style.fontSize = `${(fontSize * size).toFixed(2)}px`;
  style.transform = scale < 1 ? `scaleX(${scale.toFixed(2)})` : "";
  style.width = scale < 1 ? `${frame.width / scale}px` : "";
  style.right = scale < 1 ? "auto" : "";
  const side = { center: 0.5, right: 1 }[textAlignment] ?? 0;
  style.left = scale < 1 ? `${(frame.width - frame.width / scale) * side}px` : "";
  style.transformOrigin = scale < 1 ? `${side * 100}% 50%` : "";
  return lines;
}

/** How narrow and how small a text is drawn, as parts of 1, and in at most how many lines. */
function fitting(node, text, width) {
  const room = linesIn(node);
  for (let scale = 1; scale >= narrowest; scale -= step) {
    if (linesOf(text, width / scale, room) <= room) return { scale, size: 1, lines: room };
  }
  for (let size = 1 - step; (node.lineLimit ?? 1) === 0 && size >= smallest; size -= step) {
    const lines = linesIn({ ...node, fontSize: (node.fontSize ?? 17) * size });
    if (linesOf(text, width / narrowest / size, lines) <= lines) return { scale: narrowest, size, lines };
  }
  return { scale: 1, size: 1, lines: room };
}

/** How many lines the browser makes of the text, at most one more than wanted. */
function linesOf(text, width, wanted) {
  const [space, letter] = [" ", "W"].map((one) => ruler.measureText(one).width);
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
      // A word that is wider than a line is broken, and each of its lines has room for a letter less.
      const further = wide > width ? Math.ceil(wide / Math.max(1, width - letter)) - 1 : 0;
      count += further;
      x += wide - further * (width - letter) + space;
      if (count > wanted) return count;
    }
  }
  return count;
}
