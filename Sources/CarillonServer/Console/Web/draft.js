// What is typed into a form is still there after a reload. Each tab has a draft of its own.

import { fieldsOf } from "./fields.js";

/** Keeps the values of a form's named controls under `name`, and puts back what was kept; says whether there was any. */
export function keepDraft(form, name) {
  const key = `draft-${name}`;
  const kept = read(key);
  for (const control of form.elements) {
    const value = kept?.[control.name];
    if (value === undefined || !control.name) continue;
    if (control.type === "checkbox") control.checked = value;
    else if (control.type === "radio") control.checked = control.value === value;
    else if (control.tagName !== "SELECT" || [...control.options].some((option) => option.value === value)) control.value = value;
  }
  const keep = () => write(key, fieldsOf(form));
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  return kept !== null;
}

// A browser may refuse to keep anything: the form then works without.
function read(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null;
  }
}

function write(key, values) {
  try {
    sessionStorage.setItem(key, JSON.stringify(values));
  } catch {
    // Nothing is kept.
  }
}
