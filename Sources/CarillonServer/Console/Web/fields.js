// Form controls with their labels.

import { h } from "./dom.js";

let count = 0;

function labelled(label, control, hint) {
  control.id = `field-${(count += 1)}`;
  const help = hint ? h("span", { class: "hint", id: `${control.id}-hint`, text: hint }) : null;
  if (help) control.setAttribute("aria-describedby", help.id);
  return h("p", { class: "field" }, h("label", { for: control.id, text: label }), control, help);
}

export function textField(name, label, { value = "", placeholder = "", hint, type = "text" } = {}) {
  return labelled(label, h("input", { type, name, value, placeholder, autocomplete: "off", spellcheck: "true" }), hint);
}

export function textArea(name, label, { value = "", rows = 2, hint, code = false } = {}) {
  const area = h("textarea", { name, rows, class: code ? "code" : "", spellcheck: code ? "false" : "true" });
  area.value = value;
  return labelled(label, area, hint);
}

export function choice(name, label, options, hint) {
  return labelled(label, h("select", { name }, options.map(([value, text]) => h("option", { value, text }))), hint);
}

export function tick(name, label, checked = false) {
  const box = h("input", { type: "checkbox", name });
  box.checked = checked;
  return h("label", { class: "tick" }, box, h("span", { text: label }));
}

/** A few choices side by side, as radio buttons, and a line that explains the chosen one; `options` are [value, label, explanation]. */
export function segments(name, legend, options) {
  const hint = h("span", { class: "hint", id: `field-${(count += 1)}`, text: options[0][2] });
  const group = h("fieldset", { class: "segments", "aria-describedby": hint.id }, h("legend", { text: legend }),
    h("span", { class: "segment-row" }, options.map(([value, label], index) => {
      const radio = h("input", { type: "radio", name, value });
      radio.checked = index === 0;
      return h("label", {}, radio, h("span", { text: label }));
    })));
  group.addEventListener("change", () => {
    hint.textContent = options.find(([value]) => value === group.querySelector("input:checked").value)?.[2] ?? "";
  });
  return { group, hint };
}

/** Sets a control by name, radio groups included, and tells whoever listens. */
export function setField(form, name, value) {
  const control = form.elements[name];
  if (control instanceof RadioNodeList || control.type !== "checkbox") control.value = value;
  else control.checked = value;
  const element = control instanceof RadioNodeList ? form.querySelector(`[name="${name}"]:checked`) : control;
  element?.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Marks the fields that faults are about, and no others; `isRevealed` shows those that are folded away. */
export function markFields(form, names, isRevealed = false) {
  const wanted = new Set(names.map((name) => form.elements[name]).filter((control) => control instanceof HTMLElement));
  for (const marked of form.querySelectorAll("[aria-invalid]")) if (!wanted.has(marked)) marked.removeAttribute("aria-invalid");
  for (const control of wanted) {
    control.setAttribute("aria-invalid", "true");
    if (isRevealed) control.closest("details")?.setAttribute("open", "");
  }
}

/** Shows what is wrong, a line for each; nothing where all is well. */
export function showFaults(list, texts) {
  list.hidden = texts.length === 0;
  if (list.dataset.faults === JSON.stringify(texts)) return;
  list.dataset.faults = JSON.stringify(texts);
  list.replaceChildren(...texts.map((text) => h("li", { text })));
}

/** Switches a button off while what it would do is known to fail. It keeps the keyboard's focus, and one that is busy stays so. */
export function switchOff(button, isOff) {
  if (button.hasAttribute("aria-busy")) return;
  if (isOff) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

/** The values of a form's named controls, by their names. */
export function fieldsOf(form) {
  const values = {};
  for (const control of form.elements) {
    if (!control.name || (control.type === "radio" && !control.checked)) continue;
    values[control.name] = control.type === "checkbox" ? control.checked : control.value;
  }
  return values;
}
