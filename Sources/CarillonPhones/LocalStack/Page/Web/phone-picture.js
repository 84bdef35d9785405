// A picture of phones with a message's lanes, to be given away: drawn on a canvas from what the page shows, without any request.

import { h } from "./dom.js";
import { paint } from "./paint.js";
import { fileName, shortened, wrapped } from "./paint-words.js";

/** All in pixels of the page. */
const room = { edge: 28, gap: 30, name: 30, card: 18, line: 19, least: 480, dot: 9 };
/** Pixels of the picture for each of the page: a phone's screen should be about so wide. */
const wanted = { screen: 640, least: 2, most: 3 };
/** As long, in ms, a movement on a screen is waited for: a picture shows what stays. */
const movement = 1500;

/**
 * Draws phones, and below them what the timeline says of a message.
 *
 * @param {Element[]} phones as of phone.js
 * @param {Element | null} message as of timeline-message.js
 * @returns {Promise<{ blob: Blob, name: string }>} the picture as PNG, and a name for its file
 */
export async function takePicture(phones, message) {
  await atRest(phones);
  await Promise.allSettled([...phones, message].flatMap((part) => [...part?.querySelectorAll("img") ?? []]).map((image) => image.decode()));
  const bodies = phones.map((phone) => phone.querySelector(".phone-body"));
  const boxes = bodies.map((body) => body.getBoundingClientRect());
  const width = Math.max(room.least, boxes.reduce((sum, box) => sum + box.width, (boxes.length - 1) * room.gap));
  const told = message && accountOf(message, phones.map((phone) => phone.dataset.phone));
  const canvas = h("canvas");
  const context = canvas.getContext("2d");
  const card = told && layOut(context, told, width);
  const tall = Math.max(...boxes.map((box) => box.height));
  const ratio = Math.min(wanted.most, Math.max(wanted.least, wanted.screen / boxes[0].width));
  const height = room.name + tall + (card ? room.gap + card.height : 0);
  Object.assign(canvas, { width: Math.round((width + 2 * room.edge) * ratio), height: Math.round((height + 2 * room.edge) * ratio) });
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  let x = room.edge + (width - boxes.reduce((sum, box) => sum + box.width, (boxes.length - 1) * room.gap)) / 2;
  bodies.forEach((body, index) => {
    const box = boxes[index];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawWords(context, phones[index].querySelector(".phone-name").textContent, x, room.edge + 15, box.width, { weight: 600, size: 14, isCentered: true });
    context.setTransform(ratio, 0, 0, ratio, (x - box.left) * ratio, (room.edge + room.name - box.top) * ratio);
    context.save();
    paint(context, body, ratio);
    context.restore();
    x += box.width + room.gap;
  });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (card) drawCard(context, card, room.edge, room.edge + room.name + tall + room.gap);
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  if (!blob) throw new Error("This browser could not make the picture.");
  return { blob, name: fileName(told?.title ?? "") };
}

/** Waits for the ends of all movements that have one. */
async function atRest(phones) {
  const moving = phones.flatMap((phone) => phone.getAnimations({ subtree: true })).filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  await Promise.race([Promise.allSettled(moving.map(({ finished }) => finished)), new Promise((resolve) => { setTimeout(resolve, movement); })]);
}

/** Hands a file to whoever looks at the page. */
export function saveFile({ blob, name }) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  // The browser reads the file a moment later.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** What the timeline says of a message on some of the phones, in words and colours. */
function accountOf(message, phones) {
  const text = (element, selector) => element.querySelector(selector)?.textContent.trim() ?? "";
  const lanes = [...message.querySelectorAll(".lane")].filter((lane) => phones.includes(lane.dataset.device)).map((lane) => ({
    name: text(lane, ".lane-name"), now: text(lane, ".lane-now"), notes: text(lane, ".lane-notes"),
    steps: [...lane.querySelectorAll(".step")].map((step) => ({
      words: `${text(step, ".step-name")} ${text(step, ".step-detail")}`.trim(), color: getComputedStyle(step.querySelector(".step-name")).color,
    })),
  }));
  return { title: text(message, ".message-title"), about: [text(message, ".message-mode"), text(message, ".pill")].filter(Boolean).join(" · "), lanes };
}

/** The colours of the page, as they are now. */
function colors() {
  const card = getComputedStyle(document.getElementById("history"));
  const soft = document.querySelector(".phone-caption");
  return {
    ink: getComputedStyle(document.body).color, card: card.backgroundColor, line: card.borderTopColor, sans: getComputedStyle(document.body).fontFamily,
    soft: soft ? getComputedStyle(soft).color : card.color,
  };
}

/** Writes one line; returns how wide it is. */
function drawWords(context, text, x, y, width, { size = 13, weight = 400, color, isCentered = false } = {}) {
  const { ink, sans } = colors();
  context.font = `${weight} ${size}px ${sans}`;
  Object.assign(context, { fillStyle: color ?? ink, textAlign: "left", textBaseline: "alphabetic", direction: "ltr" });
  const measure = (words) => context.measureText(words).width;
  const words = shortened(text, width, measure);
  context.fillText(words, isCentered ? x + (width - measure(words)) / 2 : x, y);
  return measure(words);
}

/** Where everything of a card with a message's lanes stands, from the card's corner on. */
function layOut(context, { title, about, lanes }, width) {
  const { soft, sans } = colors();
  const inside = width - 2 * room.card;
  const texts = [];
  const steps = [];
  let y = room.card + 12;
  const put = (text, options) => texts.push({ text, y, options });
  put(title, { size: 15, weight: 620 });
  if (about) {
    y += room.line;
    put(about, { color: soft });
  }
  for (const lane of lanes) {
    y += room.line + 8;
    put(lane.name, { color: soft, size: 12.5 });
    let left = inside;
    context.font = `520 13px ${sans}`;
    for (const { words, color } of lane.steps) {
      const wide = room.dot + 6 + context.measureText(words).width + 14;
      if (left + wide > inside) [left, y] = [0, y + room.line];
      steps.push({ words, color, left, y, width: inside - left });
      left += wide;
    }
    context.font = `400 13px ${sans}`;
    for (const text of wrapped([lane.now, lane.notes].filter(Boolean).join(" "), inside, (words) => context.measureText(words).width)) {
      y += room.line;
      put(text);
    }
  }
  return { texts, steps, width, inside, height: y + room.card };
}

function drawCard(context, { texts, steps, width, inside, height }, x, y) {
  const { card, line } = colors();
  context.beginPath();
  context.roundRect(x, y, width, height, 16);
  Object.assign(context, { fillStyle: card, strokeStyle: line, lineWidth: 1 });
  context.fill();
  context.stroke();
  for (const { text, y: down, options } of texts) drawWords(context, text, x + room.card, y + down, inside, options);
  for (const { words, color, left, y: down, width: wide } of steps) {
    const from = x + room.card + left;
    context.beginPath();
    context.arc(from + room.dot / 2, y + down - 4.5, room.dot / 2, 0, 2 * Math.PI);
    context.fillStyle = color;
    context.fill();
    drawWords(context, words, from + room.dot + 6, y + down, wide - room.dot - 6, { color, weight: 520 });
  }
}
