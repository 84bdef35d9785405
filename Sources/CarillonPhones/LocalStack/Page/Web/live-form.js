// A Live Activity through the service: two examples with a button for each next step, and what each phone has made of it.

import { whileBusy } from "./busy.js";
import { keepDraft } from "./draft.js";
import { choice, switchOff, textField } from "./fields.js";
import { h, reconcile, setText } from "./dom.js";
import { showJSON } from "./json-view.js";
import { endRequest, eventsOf, newRun, nextStep, pathOf, screenWords, shownOn, standingWords, stepRequest, whyNot } from "./live-steps.js";

const storage = "live-run";

/**
 * @param {object} options `examples`: as in live-steps.js, with `label`; `audience`: [[value, label]…], with a `to` for each in `targets`;
 *   `phones`: id and name of each; `stateOf(id)`: a phone's state, if it is known; `usual`: the id of the app that has the Live Activities;
 *   `send(request)`: makes a call to the service; `load(id)`: the timeline of a Live Activity
 */
export function createLiveForm({ examples, audience, targets, phones, stateOf, usual, send, load }) {
  const element = h("div", { class: "form live" });
  let run = read(examples);
  let timeline = null;
  let off = "";
  let isLooking = false;
  const example = () => examples.find(({ label }) => label === run.label);
  const chips = h("div", { class: "examples", role: "group", "aria-label": "Examples of Live Activities" }, examples.map(({ label }) =>
    h("button", { type: "button", class: "chip", text: label, on: { click: () => choose(label) } })));
  const step = h("button", { type: "submit", class: "primary" });
  const end = h("button", { type: "button", class: "quiet", text: "End", title: "It stays on the screen with its last content" });
  const remove = h("button", { type: "button", class: "quiet", text: "End and remove", title: "It leaves the screen at once" });
  const anew = h("button", { type: "button", class: "quiet", text: "Another one", title: "Begins the example anew, under another id" });
  const outcome = h("span", { class: "outcome", role: "status" });
  const line = h("p", { class: "hint live-request" });
  const json = h("pre", { class: "json", tabindex: "0", "aria-label": "Body of the next request, as JSON" });
  const form = h("form", { class: "form", id: "live-form", novalidate: true },
    chips,
    h("div", { class: "row" }, choice("to", "To", audience),
      textField("stale", "Outdated after (s)", { value: "120", hint: "The stale-date of each step; empty for none." })),
    h("div", { class: "send-row" }, step, end, remove, anew, h("div", { class: "send-words" }, outcome)),
    h("details", { class: "request" }, h("summary", { text: "Next request" }), line, json));
  const rows = phones.map(([id, name]) => phoneRow(id, name));
  const makeOnce = () => element.append(form, h("div", { class: "live-phones" }, rows.map((row) => row.element)));

  const options = () => ({ to: targets[form.elements.to.value], stale: Number(form.elements.stale.value) || null, now: Date.now() });
  function draw() {
    for (const chip of chips.children) chip.setAttribute("aria-pressed", String(chip.textContent === run.label));
    const next = nextStep(example(), run);
    setText(step, run.state === "new" ? "Start" : next?.label ?? "No further step");
    const request = options().to ? stepRequest(example(), run, options()) : null;
    switchOff(step, off !== "" || !request);
    for (const button of [end, remove]) switchOff(button, off !== "" || run.state !== "running");
    switchOff(anew, off !== "" || run.state === "new");
    setText(line, request ? `${request.method} /${request.path}` : "");
    showJSON(json, JSON.stringify(request?.body ?? {}));
    for (const row of rows) row.show();
  }
  function become(change) {
    run = { ...run, ...change };
    write(run);
    draw();
  }
  function choose(label) {
    timeline = null;
    run = newRun(examples.find((one) => one.label === label), Date.now());
    say("", "");
    become({});
  }
  const say = (kind, text) => {
    outcome.className = `outcome ${kind}`;
    setText(outcome, text);
  };
  const press = (button, request, change) => whileBusy(button, async () => {
    if (!request) return;
    say("", "");
    try {
      const { devices } = await send(request);
      say("good", `Accepted for ${devices} ${devices === 1 ? "phone" : "phones"}`);
      become(change);
    } catch (error) {
      say("bad", error.message);
    }
  }).then(() => { draw(); look(); });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (step.getAttribute("aria-disabled") === "true") return;
    const isStart = run.state === "new";
    // The id says when it was started.
    if (isStart) run = { ...newRun(example(), Date.now()) };
    press(step, stepRequest(example(), run, options()), isStart ? { state: "running" } : { step: run.step + 1 });
  });
  for (const [button, leaves] of [[end, false], [remove, true]]) {
    button.addEventListener("click", () => press(button, endRequest(run, { leaves, now: Date.now() }), { state: "ended" }));
  }
  anew.addEventListener("click", () => { if (anew.getAttribute("aria-disabled") !== "true") choose(run.label); });
  for (const event of ["input", "change"]) form.addEventListener(event, draw);
  element.addEventListener("reveal", makeOnce, { once: true });
  element.addEventListener("reveal", () => { draw(); look(); });

  /** Asks what has become of it, while somebody sees it. */
  async function look() {
    if (isLooking || run.state === "new" || !element.checkVisibility()) return;
    isLooking = true;
    const { id } = run;
    const found = await load(pathOf(run)).catch(() => null);
    isLooking = false;
    if (id === run.id && found) timeline = found;
    draw();
  }

  function phoneRow(id, name) {
    const standing = h("p", { class: "live-standing" });
    const screen = h("p", { class: "live-screen" });
    const events = h("ol", { class: "live-events", "aria-label": `Events of ${name}` });
    const why = h("p", { class: "live-why", hidden: true });
    const row = h("section", { class: "live-phone", data: { phone: id }, "aria-label": name }, h("h3", { text: name }), screen, standing, events, why);
    return {
      element: row,
      show() {
        const phone = stateOf(id);
        const entry = timeline?.phones.find(({ device }) => device === phone?.app.installation);
        const activity = phone && run.state !== "new" ? shownOn(phone, example(), run.id) : undefined;
        setText(screen, screenWords(activity));
        setText(standing, timeline ? standingWords(entry) : "");
        reconcile(events, timeline ? eventsOf(entry, timeline) : [], {
          key: ({ event }) => event,
          create: ({ event }) => h("li", { data: { event } }),
          update(item, { name: words, at, isNewest }) {
            item.classList.toggle("newest", isNewest);
            setText(item, `${words} ${new Date(at).toLocaleTimeString("en-GB")}`);
          },
        });
        const words = phone && timeline ? whyNot({ phone, entry, timeline, usual, activity }) : "";
        why.hidden = words === "";
        setText(why, words);
      },
    };
  }

  keepDraft(form, "live");
  return {
    element,
    /** To be called when a phone has changed, and every second. */
    look,
    /** Switches sending off, with the reason; an empty text switches it on again. */
    switchOff(words) {
      off = words;
      say(words === "" ? "" : "warn", words);
      draw();
    },
  };
}

function read(examples) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storage));
    if (examples.some(({ label }) => label === kept?.label)) return kept;
  } catch {
    // Nothing was kept.
  }
  return newRun(examples[0], Date.now());
}

function write(run) {
  try {
    sessionStorage.setItem(storage, JSON.stringify(run));
  } catch {
    // Nothing is kept beyond this page.
  }
}
