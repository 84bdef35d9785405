// The list of pushes, newest first: one page of it at a time, however many there are.

import { h, reconcile, setAttribute, setText } from "./dom.js";
import { clock, nameOf, outcomeWords, shortToken } from "./push-words.js";

const outcomes = [["", "All"], ["accepted", "Accepted"], ["refused", "Refused"], ["failed", "Faults"]];

/**
 * @param {object} handlers `ask({ search, outcome })`, `open(number)`, `older()`, `newest()`
 */
export function createList(container, handlers) {
  const search = h("input", { type: "search", "aria-label": "Search pushes", placeholder: "Search", autocomplete: "off" });
  const choices = outcomes.map(([value, label]) => h("label", {},
    h("input", { type: "radio", name: "outcome", value, checked: value === "" }), h("span", { text: label })));
  const form = h("form", { class: "inbox-tools", role: "search", on: { submit: (event) => event.preventDefault() } },
    search, h("fieldset", { class: "segments" }, h("legend", { class: "visually-hidden", text: "Outcome" }), h("div", { class: "segment-row" }, choices)));
  const rows = h("ol", { class: "push-rows", "aria-label": "Pushes, newest first" });
  const note = h("p", { class: "empty", role: "status" });
  const newest = h("button", { type: "button", class: "quiet", text: "Newest", on: { click: handlers.newest } });
  const older = h("button", { type: "button", class: "quiet", text: "Older", on: { click: handlers.older } });
  container.append(h("h2", { class: "visually-hidden", text: "Pushes" }), form, rows, note, h("nav", { class: "pager", "aria-label": "Pages" }, newest, older));

  let waiting;
  const ask = () => handlers.ask({ search: search.value.trim(), outcome: form.elements.outcome.value });
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, 150);
  });
  form.addEventListener("change", (event) => { if (event.target !== search) ask(); });

  const create = (push) => {
    const parts = { name: h("span", { class: "push-name", dir: "auto" }), outcome: h("span", { class: "pill push-outcome" }), about: h("span", { class: "push-about" }), time: h("time", { class: "push-time" }) };
    const button = h("button", { type: "button", class: "push-row", on: { click: () => handlers.open(push.number) } },
      parts.name, parts.outcome, parts.about, parts.time);
    const row = h("li", {}, button);
    row.parts = { ...parts, button };
    return row;
  };
  const update = (row, push) => {
    const { name, outcome, about, time, button } = row.parts;
    setText(name, nameOf(push));
    setText(outcome, outcomeWords(push));
    setAttribute(outcome, "data-outcome", push.outcome);
    const words = [push.title ? push.body : null, push.topic, push.token ? push.push_type : null, shortToken(push.token), push.notes ? "with a remark" : null];
    setText(about, words.filter(Boolean).join(" · "));
    setText(time, clock(push.at));
    setAttribute(time, "datetime", push.at);
    setAttribute(button, "aria-current", push.number === shown.chosen ? "true" : null);
  };
  const shown = { pushes: [], chosen: null };
  const draw = () => reconcile(rows, shown.pushes, { key: (push) => push.number, create, update });
  return {
    /** @param {{pushes: object[], older: number | null}} page */
    show(page, { isNewest, isAsked }) {
      shown.pushes = page.pushes;
      draw();
      older.disabled = page.older === null;
      newest.disabled = isNewest;
      setText(note, page.pushes.length > 0 ? "" : page.older !== null ? "Nothing here: go on with Older."
        : isAsked ? "No push matches." : "No push yet. Point a sender here: each request appears at once.");
      note.hidden = page.pushes.length > 0;
    },
    choose(number) {
      shown.chosen = number;
      draw();
    },
    /** The neighbour of the chosen push, for the arrow keys. */
    neighbour(step) {
      const index = shown.pushes.findIndex((push) => push.number === shown.chosen);
      return shown.pushes[index < 0 ? 0 : index + step]?.number;
    },
    focus: () => rows.querySelector("[aria-current]")?.focus(),
  };
}
