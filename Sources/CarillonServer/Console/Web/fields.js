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

/** Marks the field that a problem is about, and shows it where it is folded away; `null` marks none. */
export function markField(form, name) {
  for (const marked of form.querySelectorAll("[aria-invalid]")) marked.removeAttribute("aria-invalid");
  const control = name ? form.elements[name] : null;
  if (!(control instanceof HTMLElement)) return;
  control.closest("details")?.setAttribute("open", "");
  control.setAttribute("aria-invalid", "true");
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
