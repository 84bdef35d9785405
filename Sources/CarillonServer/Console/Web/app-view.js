// The app, drawn from the view tree that the phone sends. Frames are in the phone's points; touches go back to the
// phone, which finds out itself what they hit.

import { h, reconcile, setText } from "./dom.js";

export function createAppView({ touch, scale }) {
  const root = h("div", { class: "app-root" });
  const screen = h("div", { class: "app-screen" }, root);
  sendTouches(screen, touch, scale);
  return {
    element: screen,
    show(tree) {
      screen.classList.toggle("empty", !tree);
      reconcile(root, tree ? [tree] : [], treeRules);
    },
  };

  /** A press, its moves and its release, in points of the screen. */
  function sendTouches(element) {
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
    element.addEventListener("pointerup", finish("ended"));
    element.addEventListener("pointercancel", finish("cancelled"));
    // From the keyboard, a press in the middle of the control.
    element.addEventListener("keydown", (event) => {
      const control = event.target.closest("[role=button]");
      if (!control || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      const box = control.getBoundingClientRect();
      const centre = point({ clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 });
      touch({ phase: "began", ...centre });
      touch({ phase: "ended", ...centre });
    });
  }
}

const round = (value) => Math.round(value * 10) / 10;

const treeRules = {
  key: (node) => node.id,
  create: (node) => h("div", { class: `ui ui-${node.kind}` }, h("div", { class: "ui-content" })),
  update: (element, node) => draw(element, node),
};

function draw(element, node) {
  const [x, y, width, height] = node.frame;
  const style = element.style;
  style.left = `${x}px`;
  style.top = `${y}px`;
  style.width = `${width}px`;
  style.height = `${height}px`;
  style.opacity = node.alpha ?? 1;
  style.display = node.hidden ? "none" : "";
  style.background = node.background ?? "";
  style.borderRadius = node.corner ? `${node.corner}px` : "";
  style.overflow = node.clips ? "hidden" : "";
  style.boxShadow = node.shadow ? "0 8px 24px rgb(0 0 0 / .22)" : "";
  style.border = node.border ? `${node.border.width}px solid ${node.border.color}` : "";
  style.transitionDuration = `${node.animation ?? 0}s`;
  describe(element, node);
  drawContent(element, node);
  const content = element.firstElementChild;
  const children = element.subviews ?? (element.subviews = element.appendChild(h("div", { class: "ui-subviews" })));
  const [offsetX, offsetY] = node.offset ?? [0, 0];
  children.style.transform = offsetX || offsetY ? `translate(${-offsetX}px, ${-offsetY}px)` : "";
  content.hidden = !node.text && !node.image;
  reconcile(children, node.children ?? [], treeRules);
}

function describe(element, node) {
  const isButton = node.traits?.includes("button");
  setOrRemove(element, "role", isButton ? "button" : node.traits?.includes("header") ? "heading" : null);
  setOrRemove(element, "aria-level", node.traits?.includes("header") && !isButton ? "3" : null);
  setOrRemove(element, "tabindex", isButton ? "0" : null);
  setOrRemove(element, "aria-label", node.label ?? null);
  setOrRemove(element, "data-identifier", node.identifier ?? null);
}

function drawContent(element, node) {
  const content = element.firstElementChild;
  if (node.image) {
    content.className = "ui-content ui-image-content";
    setText(content, node.image);
    return;
  }
  setText(content, node.text ?? "");
  const style = content.style;
  const font = node.font ?? {};
  style.fontSize = font.size ? `${font.size}px` : "";
  style.fontWeight = font.weight ?? "";
  style.fontStyle = font.italic ? "italic" : "";
  style.color = node.color ?? "";
  style.textAlign = node.alignment ?? "";
  const lines = node.lines ?? 1;
  content.className = `ui-content ${lines === 1 ? "one-line" : "many-lines"}`;
  style.webkitLineClamp = lines > 1 ? lines : "";
}

function setOrRemove(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
