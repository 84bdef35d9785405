// One notification, as it lies in a list or slides in as a banner.

import { h, icon, setAttribute, setText } from "./dom.js";
import { activate, follow } from "./gestures.js";
import { phoneIcons } from "./phone-icons.js";
import { relativeTime } from "./phone-time.js";

/**
 * @param {object} handlers `open(id)`, `clear(id)`, `act(id, action, text)`, `unfold(thread)`, `scale()`
 * @param {"list" | "banner" | "preview"} kind a banner is flicked up, a card in the list to the left; a preview cannot be touched
 */
export function createCard(kind, handlers) {
  const parts = {
    time: h("span", { class: "note-time" }), title: h("strong", { class: "note-title" }),
    subtitle: h("span", { class: "note-subtitle" }), body: h("span", { class: "note-body" }),
    under: h("span", { class: "note-under" }),
  };
  const face = h("div", { class: "note-face", role: "button", tabindex: "0" },
    h("img", { class: "note-icon", src: "icon.svg", alt: "", draggable: "false" }),
    h("span", { class: "note-words" },
      h("span", { class: "note-head" }, parts.title, parts.time), parts.subtitle, parts.body, parts.under));
  const tools = h("div", { class: "note-tools" },
    h("button", { type: "button", class: "note-tool", "aria-label": "Show actions", on: { click: () => expand() } }, icon(phoneIcons.more)),
    h("button", { type: "button", class: "note-tool", "aria-label": "Clear notification", on: { click: () => clear() } }, icon(phoneIcons.quit)));
  const actions = h("div", { class: "note-actions", hidden: true });
  const card = h(kind === "list" ? "li" : "div", { class: `note note-${kind}` }, face, tools, actions);

  let current = { id: "", actions: [], under: [] };
  /** All that lies here goes at once. */
  const clear = () => [current.id, ...(current.under ?? [])].forEach(handlers.clear);
  const expand = (open = actions.hidden) => {
    if (open !== card.classList.contains("opened")) handlers.expand?.(current.id, open);
    card.classList.toggle("opened", open);
    if (open) showActions(actions, current, handlers);
    actions.hidden = !open || current.actions.length === 0;
    card.classList.toggle("expanded", !actions.hidden);
    handlers.resized?.();
    if (!actions.hidden) actions.querySelector("button")?.focus({ preventScroll: true });
  };

  if (kind === "preview") {
    face.removeAttribute("role");
    face.removeAttribute("tabindex");
    tools.remove();
    card.inert = true;
  }
  activate(face, () => (current.under?.length ? handlers.unfold(current.thread) : handlers.open(current.id)));
  face.addEventListener("contextmenu", (event) => { event.preventDefault(); expand(true); });
  face.addEventListener("keydown", (event) => {
    if (event.key === "Delete" || event.key === "Backspace") clear();
    if (event.key === "ArrowDown" || event.key === "ContextMenu") expand(true);
    if (event.key === "Escape") expand(false);
  });
  dragToClear(face, kind, clear, () => expand(true), handlers.scale);

  card.tick = (now) => setText(parts.time, kind !== "list" ? "now" : relativeTime(current.at, now));
  card.show = (notification, appName, now) => {
    current = notification;
    if (card.dataset.id !== notification.id) card.dataset.id = notification.id;
    if (card.dataset.level !== notification.level) card.dataset.level = notification.level;
    setText(parts.title, notification.title || appName);
    setText(parts.subtitle, notification.subtitle ?? "");
    setText(parts.body, notification.body ?? "");
    card.tick(now);
    const under = notification.under?.length ?? 0;
    card.classList.toggle("stacked", under > 0);
    setText(parts.under, under > 0 ? `${under} more` : "");
    tools.firstElementChild.hidden = notification.actions.length === 0;
    const spoken = [notification.title, notification.subtitle, notification.body, parts.under.textContent].filter(Boolean).join(", ");
    setAttribute(face, "aria-label", `Notification: ${spoken}`);
    if (!actions.hidden) showActions(actions, notification, handlers);
  };
  return card;
}

/** How fast and how far a card must be let go to be gone: a card that is held still goes back unless it is nearly out. */
const gone = { speed: 500, part: .6 };

function dragToClear(face, kind, clear, expand, scale) {
  const axis = kind === "list" ? "x" : "y";
  const list = () => face.closest(".notes");
  follow(face, {
    axis, scale,
    hold: expand,
    move(dx, dy) {
      const offset = axis === "x" ? rubber(dx) : dy < 0 ? dy : Math.pow(dy, 0.7);
      face.style.transform = axis === "x" ? `translateX(${offset}px)` : `translateY(${offset}px)`;
    },
    // A card in a list moves the list: with a mouse, as a finger does by itself.
    across: (dx, dy, sx, sy) => { if (axis === "x" && list()) list().scrollTop -= sy; },
    end(dx, dy, vx, vy) {
      const [way, speed, size] = axis === "x" ? [-dx, -vx, face.offsetWidth] : [-dy, -vy, face.offsetHeight];
      const goes = way > 0 && (speed > gone.speed || (speed > -gone.speed && way > size * gone.part));
      if (axis === "y" && dy > 30) expand();
      face.style.transform = !goes ? "" : axis === "x" ? "translateX(-120%)" : "translateY(-160%)";
      if (goes) clear();
    },
    cancel: () => { face.style.transform = ""; },
  });
}

/** To the left freely, to the right with resistance. */
const rubber = (dx) => (dx < 0 ? dx : Math.pow(dx, 0.6));

function showActions(container, notification, handlers) {
  const signature = JSON.stringify([notification.id, notification.actions]);
  if (container.dataset.signature === signature) return;
  container.dataset.signature = signature;
  container.replaceChildren(...notification.actions.map((action) => actionElement(action, notification, handlers)));
  if (notification.actions.length === 0) container.hidden = true;
}

function actionElement(action, notification, handlers) {
  if (!action.text) {
    return h("button", {
      type: "button", class: `note-action ${action.style}`, text: action.title, data: { action: action.id },
      on: { click: () => handlers.act(notification.id, action.id) },
    });
  }
  const field = h("input", { type: "text", "aria-label": action.title, placeholder: action.text.placeholder || action.title });
  const submit = (event) => {
    event.preventDefault();
    handlers.act(notification.id, action.id, field.value);
  };
  return h("form", { class: "note-reply", data: { action: action.id }, on: { submit } },
    field, h("button", { type: "submit", text: action.text.button || "Send" }));
}
