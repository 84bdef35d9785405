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

/** A drawing from its path in a square of 24 by 24, as wide as the text around it is high; decoration only. */
export function icon(path) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Sets text only where it differs, so that screen readers and selections are left in peace. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute only where it differs; `null` removes it. */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
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
