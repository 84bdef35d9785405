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
  face.addEventListener("contextmenu", (event) => { event.preventDefault(); expand(); });
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

function dragToClear(face, kind, clear, expand, scale) {
  const axis = kind === "list" ? "x" : "y";
  follow(face, {
    axis, scale,
    hold: expand,
    move(dx, dy) {
      const offset = axis === "x" ? rubber(dx) : dy < 0 ? dy : Math.pow(dy, 0.7);
      face.style.transform = axis === "x" ? `translateX(${offset}px)` : `translateY(${offset}px)`;
    },
    end(dx, dy, vx, vy) {
      const gone = axis === "x" ? dx < -110 || vx < -750 : dy < -24 || vy < -500;
      if (axis === "y" && dy > 30) expand();
      if (gone) face.style.transform = axis === "x" ? "translateX(-120%)" : "translateY(-160%)";
      else face.style.transform = "";
      if (gone) clear();
    },
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
