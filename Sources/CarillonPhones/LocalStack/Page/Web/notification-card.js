// One notification, as it lies in a list or slides in as a banner.

import { h, icon, setAttribute, setText } from "./dom.js";
import { dragCard } from "./card-drags.js";
import { createPicture } from "./card-picture.js";
import { activate } from "./gestures.js";
import { phoneIcons } from "./phone-icons.js";
import { justNow, relativeTime, wholeNumber } from "./phone-time.js";
import { said } from "./settings-words.js";

/**
 * @param {object} handlers `open(id)`, `clear(id)`, `act(id, action, text)`, `unfold(thread)`, `fold(thread)`, `clearThread(thread)`,
 *   `region()`, `scale()`
 * @param {"list" | "banner" | "preview"} kind a banner is flicked up, a card in the list to the left; a preview cannot be touched
 */
export function createCard(kind, handlers) {
  const parts = {
    time: h("span", { class: "note-time" }), title: h("strong", { class: "note-title", dir: "auto" }),
    subtitle: h("span", { class: "note-subtitle", dir: "auto" }), body: h("span", { class: "note-body", dir: "auto" }),
    under: h("span", { class: "note-under" }), level: h("span", { class: "note-level", hidden: true }),
  };
  const word = (text) => said(text, handlers.region?.());
  const picture = createPicture();
  const face = h("div", { class: "note-face", role: "button", tabindex: "0", title: "Click to open it, hold it for all of it, drag it aside or away" },
    h("img", { class: "note-icon", src: "icon.svg", alt: "", draggable: "false" }),
    h("span", { class: "note-words" },
      parts.level, h("span", { class: "note-head" }, parts.title, parts.time), parts.subtitle, parts.body, parts.under), picture.thumbnail);
  const tools = h("div", { class: "note-tools" },
    h("button", { type: "button", class: "note-tool", "aria-label": "Show actions", on: { click: () => expand() } }, icon(phoneIcons.more)),
    h("button", { type: "button", class: "note-tool", "aria-label": "Clear notification", on: { click: () => clear() } }, icon(phoneIcons.quit)));
  const actions = h("div", { class: "note-actions", hidden: true });
  const under = h("div", { class: "note-swipe", inert: true },
    h("button", { type: "button", class: "note-option", tabindex: "-1", text: word("Options"), data: { word: "Options" }, on: { click: () => { swipe.close(); expand(true); } } }),
    h("button", { type: "button", class: "note-option", tabindex: "-1", text: word("Clear"), data: { word: "Clear" }, on: { click: () => clear() } }));
  let fold = null;
  const row = h("div", { class: "note-row" }, kind === "list" ? under : null, face, tools);
  const card = h(kind === "list" ? "li" : "div", { class: `note note-${kind}` }, row, picture.large, actions);

  let current = { id: "", actions: [], under: [] };
  /** All that lies here goes at once. */
  const clear = () => [current.id, ...(current.under ?? [])].forEach(handlers.clear);
  const expand = (open = !card.classList.contains("opened")) => {
    if (open) card.dispatchEvent(new Event("opening", { bubbles: true }));
    if (open !== card.classList.contains("opened")) handlers.expand?.(current.id, open);
    card.classList.toggle("opened", open);
    if (open) showActions(actions, current, handlers, word);
    actions.hidden = !open || current.actions.length === 0;
    card.classList.toggle("expanded", !actions.hidden);
    picture.open(open);
    if (!actions.hidden) actions.querySelector("button")?.focus({ preventScroll: true });
  };
  card.rest = () => {
    swipe.close();
    if (card.classList.contains("opened")) expand(false);
  };

  if (kind === "preview") {
    face.removeAttribute("role");
    face.removeAttribute("tabindex");
    face.removeAttribute("title");
    tools.remove();
    card.inert = true;
  }
  const swipe = dragCard(card, face, under, kind, clear, () => expand(true), handlers.scale);
  activate(face, () => (swipe.close() ? undefined : current.under?.length ? handlers.unfold(current.thread) : handlers.open(current.id)));
  face.addEventListener("contextmenu", (event) => { event.preventDefault(); expand(true); });
  face.addEventListener("keydown", (event) => {
    if (event.key === "Delete" || event.key === "Backspace") clear();
    if (event.key === "ArrowDown" || event.key === "ContextMenu") expand(true);
    if (event.key === "Escape") { swipe.close(); expand(false); }
  });

  card.tick = (now) => setText(parts.time, kind !== "list" ? justNow(handlers.region?.()) : relativeTime(current.at, now, handlers.region?.()));
  card.show = (notification, appName, now) => {
    current = notification;
    if (card.dataset.id !== notification.id) card.dataset.id = notification.id;
    if (card.dataset.level !== notification.level) card.dataset.level = notification.level;
    if (card.dataset.thread !== notification.thread) card.dataset.thread = notification.thread ?? "";
    setText(parts.title, notification.title || appName);
    setText(parts.subtitle, notification.subtitle ?? "");
    setText(parts.body, notification.body ?? "");
    card.tick(now);
    const count = notification.under?.length ?? 0;
    card.classList.toggle("stacked", count > 0);
    setText(parts.under, count > 0 ? word("%n more").replace("%n", wholeNumber(count, handlers.region?.())) : "");
    parts.level.hidden = notification.level !== "time-sensitive";
    setText(parts.level, parts.level.hidden ? "" : word("Time Sensitive"));
    if (notification.isHead && !fold) {
      fold = foldRow({ fold: () => handlers.fold(current.thread), clear: () => handlers.clearThread(current.thread) });
      card.prepend(fold.element);
    }
    const option = under.lastElementChild;
    if (option.dataset.word !== (count > 0 ? "Clear All" : "Clear")) {
      option.dataset.word = count > 0 ? "Clear All" : "Clear";
      setText(option, word(option.dataset.word));
    }
    fold?.show(notification.isHead, appName, word);
    picture.show(notification.attachment);
    setAttribute(tools.firstElementChild, "aria-label", notification.actions.length > 0 ? "Show actions" : "Show all of it");
    const spoken = [parts.level.textContent, notification.title, notification.subtitle, notification.body, parts.under.textContent].filter(Boolean).join(", ");
    setAttribute(face, "aria-label", `Notification: ${spoken}`);
    if (!actions.hidden) showActions(actions, notification, handlers, word);
  };
  return card;
}

/** Above the first card of an open stack: the app's name, and what folds the stack or clears it. */
function foldRow({ fold, clear }) {
  const name = h("span", { class: "fold-name" });
  const less = h("button", { type: "button", class: "fold-button", on: { click: fold } });
  const all = h("button", { type: "button", class: "fold-button fold-clear", on: { click: clear } }, icon(phoneIcons.quit));
  const element = h("div", { class: "note-fold", hidden: true }, name, less, all);
  return {
    element,
    show(isHead = false, appName, word) {
      element.hidden = !isHead;
      if (!isHead) return;
      setText(name, appName);
      setText(less, word("Show less"));
      setAttribute(all, "aria-label", word("Clear All"));
    },
  };
}

function showActions(container, notification, handlers, word) {
  const signature = JSON.stringify([notification.id, notification.actions]);
  if (container.dataset.signature === signature) return;
  container.dataset.signature = signature;
  container.replaceChildren(...notification.actions.map((action) => actionElement(action, notification, handlers, word)));
  if (notification.actions.length === 0) container.hidden = true;
}

function actionElement(action, notification, handlers, word) {
  if (!action.text) {
    return h("button", {
      type: "button", class: `note-action ${action.style}`, text: action.title, data: { action: action.id },
      on: { click: () => handlers.act(notification.id, action.id) },
    });
  }
  const field = h("input", { type: "text", dir: "auto", "aria-label": action.title, placeholder: action.text.placeholder || action.title });
  const submit = (event) => {
    event.preventDefault();
    handlers.act(notification.id, action.id, field.value);
  };
  const form = h("form", { class: "note-reply", hidden: true, data: { action: action.id }, on: { submit } },
    field, h("button", { type: "submit", text: action.text.button || word("Send") }));
  const row = h("button", { type: "button", class: `note-action ${action.style}`, text: action.title, "aria-expanded": "false" });
  row.addEventListener("click", () => {
    row.hidden = true;
    form.hidden = false;
    field.focus({ preventScroll: true });
  });
  return h("div", { class: "note-text" }, row, form);
}
