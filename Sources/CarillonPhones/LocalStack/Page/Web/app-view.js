// The app, drawn from the view tree that the phone sends. Frames are in the phone's points; touches go back to the
// phone, which finds out itself what they hit.

import { revealFocused } from "./app-focus.js";
import { h, icon, reconcile, setAttribute } from "./dom.js";
import { fitText, linesIn } from "./fit-text.js";
import { phoneIcons } from "./phone-icons.js";

export function createAppView({ touch, reveal, scale }) {
  const root = h("div", { class: "app-root" });
  const element = h("div", { class: "app-screen" }, root);
  sendTouches(element, touch, scale);
  revealFocused(element, reveal);
  return {
    element,
    show(tree) {
      element.classList.toggle("empty", !tree);
      reconcile(root, tree ? [tree] : [], treeRules);
    },
  };
}

/** A press, its moves and its release, in points of the screen. */
function sendTouches(element, touch, scale) {
  let active = null;
  const point = (event) => {
    const box = element.getBoundingClientRect();
    return { x: round((event.clientX - box.left) / scale()), y: round((event.clientY - box.top) / scale()) };
  };
  const finish = (phase) => (event) => {
    if (event.pointerId !== active) return;
    active = null;
    touch({ phase, ...point(event) });
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || active !== null) return;
    active = event.pointerId;
    element.setPointerCapture(active);
    touch({ phase: "began", ...point(event) });
  });
  element.addEventListener("pointermove", (event) => {
    if (event.pointerId === active) touch({ phase: "moved", ...point(event) });
  });
  sendWheel(element, touch, point, () => active !== null);
  element.addEventListener("pointerup", finish("ended"));
  element.addEventListener("pointercancel", finish("cancelled"));
  // A key press counts as a touch in the middle of the control.
  element.addEventListener("keydown", (event) => {
    const control = event.target.closest("[role=button]");
    if (!control || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    const box = control.getBoundingClientRect();
    const center = point({ clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 });
    touch({ phase: "began", ...center });
    touch({ phase: "ended", ...center });
  });
}

/** A wheel is a finger that drags, where the app has something to scroll. */
function sendWheel(element, touch, point, isTouched) {
  let at = null;
  let timer = null;
  const lift = () => {
    if (at) touch({ phase: "ended", ...at });
    at = null;
  };
  element.addEventListener("wheel", (event) => {
    if (isTouched() || !event.target.closest(".clips")) return;
    event.preventDefault();
    if (!at) {
      at = point(event);
      touch({ phase: "began", ...at });
    }
    at = { x: round(at.x - event.deltaX), y: round(at.y - event.deltaY) };
    touch({ phase: "moved", ...at });
    clearTimeout(timer);
    timer = setTimeout(lift, 120);
  }, { passive: false });
}

const round = (value) => Math.round(value * 10) / 10;

const treeRules = {
  key: (node) => node.id,
  create: (node) => h("div", { class: `ui ui-${node.kind}`, data: { view: node.id } }, h("div", { class: "ui-content", dir: "auto" })),
  update: (element, node) => draw(element, node),
};

function draw(element, node) {
  // A view that has not changed is left alone.
  const { children, ...own } = node;
  const drawn = JSON.stringify(own);
  if (element.drawn !== drawn) {
    element.drawn = drawn;
    drawItself(element, node);
  }
  const subviews = element.subviews ?? (element.subviews = element.appendChild(h("div", { class: "ui-subviews" })));
  reconcile(subviews, children, treeRules);
}

function drawItself(element, node) {
  const { style } = element;
  const { x, y, width, height } = node.frame;
  style.left = `${x}px`;
  style.top = `${y}px`;
  style.width = `${width}px`;
  style.height = `${height}px`;
  style.opacity = node.alpha;
  style.background = node.backgroundColor ?? "";
  style.borderRadius = node.cornerRadius ? `${node.cornerRadius}px` : "";
  element.classList.toggle("clips", node.clips && node.kind === "view");
  style.overflow = node.clips ? "clip" : "";
  style.border = node.border ? `${node.border.width}px solid ${node.border.color}` : "";
  style.boxShadow = node.shadow ? shadow(node.shadow) : "";
  style.transform = node.transform ? `matrix(${node.transform.join(", ")})` : "";
  describe(element, node);
  drawContent(element.firstElementChild, node);
}

function shadow({ x, y, radius, opacity, color }) {
  // A CSS blur is about twice as wide as the radius of a layer's shadow.
  return `${x}px ${y}px ${radius * 2}px color-mix(in srgb, ${color} ${opacity * 100}%, transparent)`;
}

/** What a screen reader is told: what takes a tap is a button, named by its label or by the texts on it. */
function describe(element, node) {
  // A view that is labelled as a whole, such as a row of a list, is reached as a whole too.
  const isWhole = node.kind === "view" && node.accessibilityLabel !== undefined;
  const isButton = node.isEnabled && node.frame.height < 200 && (node.isTappable || isWhole);
  setAttribute(element, "role", isButton ? "button" : null);
  setAttribute(element, "tabindex", isButton ? "0" : null);
  setAttribute(element, "aria-disabled", node.isTappable && !node.isEnabled ? "true" : null);
  setAttribute(element, "aria-label", isButton ? node.accessibilityLabel ?? null : null);
  setAttribute(element, "data-identifier", node.accessibilityIdentifier ?? null);
}

function drawContent(content, node) {
  content.hidden = !node.text && !node.symbol;
  if (content.hidden) return;
  if (node.symbol && !node.text) {
    if (content.dataset.symbol !== node.symbol) {
      content.dataset.symbol = node.symbol;
      delete content.dataset.text;
      content.className = "ui-content ui-symbol";
      content.replaceChildren(symbolIcon(node.symbol));
    }
    content.style.color = node.textColor ?? "";
    return;
  }
  drawText(content, node);
  const { style } = content;
  style.fontSize = node.fontSize ? `${node.fontSize}px` : "";
  style.fontWeight = node.fontWeight === undefined ? "" : cssWeight(node.fontWeight);
  style.color = node.textColor ?? "";
  style.textAlign = alignments[node.textAlignment] ?? (node.kind === "button" ? "center" : "start");
  // As on iOS, a text that has more lines than there is room for is cut at the end of the last one.
  const isOne = (node.lineLimit ?? 1) === 1;
  content.className = `ui-content ${isOne ? "one-line" : "many-lines"}`;
  const lines = node.symbol ? linesIn(node) : fitText(content, node, style.fontWeight);
  content.lastElementChild.style.webkitLineClamp = isOne ? "" : lines;
}

/** A text, after a symbol where there is one, as in the way back of a navigation bar. */
function drawText(content, { text, symbol = "" }) {
  if (content.dataset.symbol === symbol && content.dataset.text === text) return;
  Object.assign(content.dataset, { symbol, text });
  content.replaceChildren(...(symbol ? [symbolIcon(symbol)] : []), h("span", { class: "ui-text", text }));
}

const alignments = { left: "left", center: "center", right: "right", justified: "justify" };

/** From UIFont.Weight (−1…1) to CSS (100…900). */
function cssWeight(weight) {
  const steps = [[-0.7, 100], [-0.5, 200], [-0.2, 300], [0.1, 400], [0.26, 500], [0.35, 600], [0.5, 700], [0.6, 800]];
  return steps.find(([limit]) => weight <= limit)?.[1] ?? 900;
}

/** The drawings for SF Symbols, by Apple's names; any other symbol is drawn as a dot. */
const symbols = {
  newspaper: phoneIcons.news, mic: phoneIcons.mic, "mic.fill": phoneIcons.mic, bell: phoneIcons.bell, "bell.fill": phoneIcons.bell,
  "chevron.left": phoneIcons.back, xmark: phoneIcons.quit, ellipsis: phoneIcons.more,
};

const symbolIcon = (name) => icon(symbols[name] ?? phoneIcons.dot);
