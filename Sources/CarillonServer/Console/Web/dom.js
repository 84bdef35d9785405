// Building and updating elements without markup in strings: nothing that arrives can become HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element; `props` are attributes, except `text`, `class`, `on` (listeners) and `data`. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "class") element.className = value;
    else if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** One of the drawings below, as wide as the text around it is high; decoration only. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", drawings[name] ?? drawings.dot);
  svg.append(path);
  return svg;
}

/** Sets text only where it differs, so that screen readers and selections are left in peace. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Makes the children of `parent` match `items`, keeping the element of an item that was there before.
 * An element that goes may first play its leaving animation (`leave` returns a promise).
 */
export function reconcile(parent, items, { key, create, update, leave }) {
  const known = parent.keyed ?? (parent.keyed = new Map());
  const wanted = new Set(items.map(key));
  for (const [id, element] of known) {
    if (wanted.has(id)) continue;
    known.delete(id);
    if (leave) leave(element).then(() => element.remove());
    else element.remove();
  }
  let previous = null;
  for (const item of items) {
    const id = key(item);
    let element = known.get(id);
    if (!element) {
      element = create(item);
      known.set(id, element);
    }
    update?.(element, item);
    const next = previous ? previous.nextSibling : parent.firstChild;
    if (element !== next) parent.insertBefore(element, next);
    previous = element;
  }
}

/** Plays the CSS animation of class `name` to its end; at once where motion is not wanted. */
export async function playOut(element, name = "leaving") {
  element.inert = true;
  element.classList.add(name);
  await Promise.allSettled(element.getAnimations().map((animation) => animation.finished));
}

const drawings = {
  dot: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  bell: "M12 2.5a1.3 1.3 0 0 0-1.3 1.3v.5A6 6 0 0 0 6 10.2v3.3L4.4 16c-.5.8 0 1.8 1 1.8h13.2c1 0 1.5-1 1-1.8L18 13.5v-3.3a6 6 0 0 0-4.7-5.9v-.5A1.3 1.3 0 0 0 12 2.5zM9.7 19a2.4 2.4 0 0 0 4.6 0z",
  lock: "M12 2.5A4.5 4.5 0 0 0 7.5 7v2.5H7A2 2 0 0 0 5 11.5v8a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-8a2 2 0 0 0-2-2h-.5V7A4.5 4.5 0 0 0 12 2.5zm0 1.8A2.7 2.7 0 0 1 14.7 7v2.5H9.3V7A2.7 2.7 0 0 1 12 4.3z",
  unlock: "M16.5 1.5A4.5 4.5 0 0 0 12 6v3.5H5A2 2 0 0 0 3 11.5v8a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-8a2 2 0 0 0-2-2h-1.2V6a2.7 2.7 0 0 1 5.4 0v2.2H21V6a4.5 4.5 0 0 0-4.5-4.5z",
  home: "M12 3 3 10.6V20a1.4 1.4 0 0 0 1.4 1.4H9.5v-6.5h5v6.5h5.1A1.4 1.4 0 0 0 21 20v-9.4z",
  list: "M5 5.5h14a1.5 1.5 0 0 1 0 3H5a1.5 1.5 0 0 1 0-3zm0 5h14a1.5 1.5 0 0 1 0 3H5a1.5 1.5 0 0 1 0-3zm2.5 5h9a1.5 1.5 0 0 1 0 3h-9a1.5 1.5 0 0 1 0-3z",
  plane: "M21 15.5v-1.8l-7.6-4.7V4.2a1.4 1.4 0 0 0-2.8 0V9L3 13.7v1.8l7.6-2.3v4.7l-2.1 1.6V21l3.5-1 3.5 1v-1.5l-2.1-1.6v-4.7z",
  quit: "M6.7 5.3 5.3 6.7 10.6 12l-5.3 5.3 1.4 1.4 5.3-5.3 5.3 5.3 1.4-1.4-5.3-5.3 5.3-5.3-1.4-1.4-5.3 5.3z",
  restart: "M12 4a8 8 0 1 0 7.7 10h-2.1A6 6 0 1 1 12 6c1.6 0 3.1.7 4.2 1.8L13 11h7V4l-2.4 2.4A8 8 0 0 0 12 4z",
  news: "M4 4h13v13.5a1.5 1.5 0 0 0 3 0V8h-2V6h4v11.5a3.5 3.5 0 0 1-3.5 3.5H6A3 3 0 0 1 3 18V5a1 1 0 0 1 1-1zm2.5 3.5v4h8v-4zm0 6v1.5h8v-1.5zm0 3V18h8v-1.5z",
  mic: "M12 2.5a3.5 3.5 0 0 0-3.5 3.5v6a3.5 3.5 0 0 0 7 0V6A3.5 3.5 0 0 0 12 2.5zM5.5 11.5h2a4.5 4.5 0 0 0 9 0h2a6.5 6.5 0 0 1-5.5 6.4V21.5h-2v-3.6a6.5 6.5 0 0 1-5.5-6.400z",
  back: "M15.5 3.5 7 12l8.5 8.5 1.5-1.5-7-7 7-7z",
  send: "M3 4.5v6l11 1.5-11 1.5v6L21.5 12z",
  copy: "M8 3.5h10a2 2 0 0 1 2 2v10h-2v-10H8zm-4 4a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z",
  undo: "M9 4 4 9l5 5v-3.5h5.5a3.5 3.5 0 0 1 0 7H9v2h5.5a5.5 5.5 0 0 0 0-11H9z",
  more: "M6 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm6 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm6 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  wifi: "M12 19.5 15 16a4.5 4.5 0 0 0-6 0zm0-8.7c2.6 0 5 1 6.8 2.7l1.9-2.2a12.8 12.8 0 0 0-17.4 0l1.9 2.2A9.8 9.8 0 0 1 12 10.8zM12 5c4 0 7.7 1.5 10.5 4L24 7.2a18 18 0 0 0-24 0L1.5 9A15.6 15.6 0 0 1 12 5z",
  signal: "M2 15h3v5H2zm6-4h3v9H8zm6-4h3v13h-3zm6-4h3v17h-3z",
  battery: "M4.5 7A2.5 2.5 0 0 0 2 9.5v5A2.5 2.5 0 0 0 4.5 17h13a2.5 2.5 0 0 0 2.5-2.5v-5A2.5 2.5 0 0 0 17.5 7zm17 3v4c1-.2 1.7-1 1.7-2s-.7-1.8-1.7-2z",
  torch: "M8 2.5h8v3l-2 4V20a1.5 1.5 0 0 1-1.5 1.5h-1A1.5 1.5 0 0 1 10 20V9.5l-2-4z",
  camera: "M9 4.5 7.5 7H5a2 2 0 0 0-2 2v9a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2V9a2 2 0 0 0-2-2h-2.5L15 4.5zm3 5a4 4 0 1 1 0 8 4 4 0 0 1 0-8z",
};
