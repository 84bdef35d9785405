// A message through the service: the form, and beside it what is sent, as it changes.

import { h, icon, setText } from "./dom.js";
import { whileBusy } from "./busy.js";
import { copyText } from "./copy-text.js";
import { keepDraft } from "./draft.js";
import { createExampleChips } from "./example-chips.js";
import { choice, fieldsOf, markField, segments, setField, textArea, textField, tick } from "./fields.js";
import { icons } from "./icons.js";
import { byteCount } from "./json-text.js";
import { shellQuoted, showJSON } from "./json-view.js";
import { messageBody, sentPayload } from "./message-body.js";
import { shortID } from "./message-words.js";
import { inFormsWords } from "./problem-words.js";

const payloadLimit = 4096;
/** After the last change, before the service is asked for the size: nobody reads between two keys. */
const measurePause = 250;

const lifetimes = [
  ["", "Never"], ["10", "In 10 seconds"], ["60", "In a minute"], ["3600", "In an hour"],
];

const modes = [
  ["visible", "Visible", "An alert push, also shown after a force-quit."],
  ["silent", "Silent", "A background push: the app itself posts a local notification, or none."],
  ["assured", "Assured", "Silent first; an alert push follows if nothing was shown in time."],
];

const levels = [["", "Active (default)"], ["passive", "Passive: list only"], ["time-sensitive", "Time-sensitive"]];
const dialects = [["", "Carillon’s (default)"], ["pushwoosh", "Pushwoosh: crt, dlt"], ["infobip", "Infobip: internalData"]];

/**
 * @param {object} options `audience`: [[value, label]…] with a `to` for each in `targets`; `categories`: [[id, name]…] of
 *   the app; `examples`: what the form can be filled with, the first at the start: as in example-chips.js, and the fields
 *   that are not left as they are in an empty form, by their names; `tryOut(body)`: what a dry run answers; `send(body, message)`, with the result of message-body.js; `curlKey`: the API key that the copied command line
 *   has; `warning(mode, to)`: why a message of this mode would not be seen, empty where it would; `missed(to)`: to whom it has not gone although it was for them, the end of a sentence, empty where it has gone to all; `measure(body)`: the size of the push with what the
 *   service adds (`bytes`), or why the service refuses it (`problem`); `giveAway`: further buttons, `elements`, and `refresh(isVisible)`; `inspect`: shows what becomes of a payload, where the page can tell: `element`, `show(message)`
 */
export function createCompose({ audience, targets, categories, examples, send, tryOut, curlKey, inspect, measure, giveAway, warning = () => "", missed = () => "" }) {
  const json = h("pre", { class: "json", tabindex: "0", "aria-label": "Request body, as JSON" });
  const size = h("span", { class: "size" });
  const outcome = h("span", { class: "outcome", role: "status" });
  const caution = h("span", { class: "caution", role: "status", hidden: true });
  const button = h("button", { type: "submit", class: "primary" }, icon(icons.send), h("span", { text: "Send" }));
  const trial = h("button", { type: "button", class: "quiet trial", text: "Try" , title: "Says to how many devices it would go, and sends nothing" });
  const chips = createExampleChips(examples, (example) => fill(form, example));
  const condition = textField("where", "Condition", {
    placeholder: "tag:vip and not locale:de* and seen<30d", hint: "On tag, locale, time_zone, version, environment, permission, seen.",
  });
  const named = textArea("named", "Users with their values (a JSON object)", {
    code: true, hint: "Such as {\"u-42\": {\"name\": \"Ada\"}}, for {{name}} in title, subtitle and body.",
  });
  const mode = segments("mode", "Delivery mode", modes);
  const copy = h("button", { type: "button", class: "quiet" }, icon(icons.copy), h("span", { text: "Copy as curl" }));
  const form = h("form", { class: "form compose-form", novalidate: true },
    chips,
    h("div", { class: "row of-three" }, choice("to", "To", [...audience, ["where", "A condition"], ["named", "Users, with values"]]), choice("until", "Expires", lifetimes), mode.group),
    mode.hint, condition, named,
    h("div", { class: "two-up" },
      h("div", { class: "form" }, textField("title", "Title"), textArea("body", "Body")),
      h("div", { class: "aside" }, inspect?.element ?? json)),
    h("div", { class: "disclosures" },
      moreFields(categories),
      inspect ? h("details", { class: "request" }, h("summary", { text: "Request body" }), json) : null),
    h("p", { class: "send-row" }, button, trial, h("span", { class: "send-words" }, outcome, caution), h("span", { class: "send-foot" }, size, copy, giveAway?.elements)));

  const refresh = () => {
    condition.hidden = form.elements.to.value !== "where";
    named.hidden = form.elements.to.value !== "named";
    const message = messageBody(form, targets);
    showJSON(json, message.body);
    showSize(message);
    giveAway?.refresh(form.elements.mode.value === "visible");
    const words = [warning(form.elements.mode.value, form.elements.to.value), pastWords(form.elements.send_at)].filter(Boolean).join(" ");
    caution.hidden = words === "";
    setText(caution, words);
    inspect?.show({ payload: sentPayload(message.payload), mode: form.elements.mode.value });
  };
  let measured = { kind: "" };
  let pending = null;
  /** The payload as it is written, until the service has said how large the push becomes. */
  function showSize(message) {
    const { kind, bytes = byteCount(message.payload), problem } = measured.kind === message.kind ? measured : { kind: "" };
    setText(size, message.problem ?? problem ?? `payload ${bytes} of ${payloadLimit} bytes, as ${kind ? "sent" : "typed"}`);
    size.title = kind ? "Of the largest push, with what the service adds" : "The service adds some bytes of its own";
    size.classList.toggle("too-big", Boolean(message.problem ?? problem) || bytes > payloadLimit);
    if (kind || message.problem || !measure) return;
    clearTimeout(pending);
    pending = setTimeout(async () => {
      const answer = await measure(message.body).catch(() => ({}));
      if (answer.bytes === undefined && !answer.problem) return;
      measured = { kind: message.kind, bytes: answer.bytes ?? undefined, problem: answer.problem ?? undefined };
      showSize(messageBody(form, targets));
    }, measurePause);
  }
  form.addEventListener("input", () => {
    showOutcome("", "");
    refresh();
  });
  for (const event of ["input", "change"]) {
    form.addEventListener(event, ({ target }) => { if (target.name !== "to") chips.dispatchEvent(new Event("edited")); });
  }
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener("change", refresh);
  const attempt = (pressed, body) => whileBusy(pressed, async () => {
    const message = messageBody(form, targets);
    if (message.problem) return showOutcome("bad", message.problem, message.problemField);
    showOutcome("", "");
    try {
      const { kind = "good", words } = await body(message);
      showOutcome(kind, words);
    } catch (error) {
      const { text, field } = inFormsWords(error);
      showOutcome("bad", text, field);
    }
  });
  /** The moment in the past at which somebody wants to send all the same. */
  let wantedPast = "";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { value: moment } = form.elements.send_at;
    if (pastWords(form.elements.send_at) && wantedPast !== moment) {
      wantedPast = moment;
      return showOutcome("warn", "The time under “Send at” has passed. Send it at once? Then press Send again.", "send_at");
    }
    attempt(button, async (message) => {
      const answer = await send(message.body, message);
      outcome.dataset.id = answer.id;
      const word = answer.state === "scheduled" ? "Scheduled" : "Accepted";
      const words = `${word} as ${shortID(answer.id)}`;
      if (word === "Scheduled") return { words };
      const out = answer.devices === 0 ? "for no device: nobody is in its audience." : missed(form.elements.to.value);
      return out ? { kind: "warn", words: `${words}, ${out}` } : { words };
    });
  });
  trial.addEventListener("click", () => attempt(trial, async (message) => ({ words: trialWords(await tryOut(message.trial)) })));
  function showOutcome(kind, text, field = null) {
    outcome.className = `outcome ${kind}`;
    setText(outcome, text);
    markField(form, field);
  }
  if (!keepDraft(form, "message")) fill(form, examples[0]);
  setField(form, "mode", form.elements.mode.value);
  // What expires in ten seconds is ten seconds from when it is looked at.
  setInterval(() => { if (form.elements.until.value !== "" && form.checkVisibility()) refresh(); }, 1000);

  copy.addEventListener("click", () => copyText(copy, curlCommand(curlKey, messageBody(form, targets).body)));
  return {
    element: h("div", {}, form),
    /** To be called when a target has changed. */
    refresh,
    /** Puts values into the fields, by their names; the others become empty. */
    fill(fields) {
      fill(form, fields);
      if (fields.to) setField(form, "to", fields.to);
    },
    submit() {
      wantedPast = form.elements.send_at.value;
      form.requestSubmit();
    },
    /** What is in the fields, by their names. */
    fields: () => fieldsOf(form),
    /** The message, as of message-body.js. */
    message: () => messageBody(form, targets),
  };
}

function moreFields(categories) {
  return h("details", {}, h("summary", { text: "More: languages, send at, image, category, thread, own keys, …" }),
    h("div", { class: "more" },
      textField("subtitle", "Subtitle"),
      textField("link", "Link (link_url)"),
      textField("image", "Image address (media_url)", { placeholder: "of a picture, a film or a sound" }),
      textField("thread", "Thread identifier"),
      categories.length > 0 ? choice("category", "Category", [...categories, ["", "None"]]) : null,
      choice("level", "Interruption level", levels),
      choice("dialect", "Dialect", dialects),
      textArea("localized", "Texts in other languages (a JSON object)", { code: true, hint: "Such as {\"de\": {\"title\": \"Neu\"}}: title, subtitle and body by language." }),
      textField("send_at", "Send at", { type: "datetime-local", hint: "Your own time; empty is now." }),
      textField("id", "Message id", { placeholder: "generated by the service", hint: "The same id again replaces the notification." }),
      textArea("custom", "Own keys (a JSON object)", { code: true }),
      h("p", { class: "ticks" }, tick("sound", "Sound", true), tick("badge", "Badge “auto”: count broadcasts too"),
        categories.length > 0 ? tick("replies", "Keep the text of replies", true) : null)));
}

/** What a time in the past means; empty for any other. */
function pastWords({ value }) {
  const moment = value ? Date.parse(value) : NaN;
  return moment <= Date.now() ? "The time under “Send at” has passed: the message goes out at once." : "";
}

/** What a dry run says, in a sentence. */
function trialWords({ devices, variants }) {
  const parts = variants.map(({ locale, devices: count, bytes }) => `${locale ?? "own texts"}: ${count}, ${bytes} bytes`);
  return `${devices} ${devices === 1 ? "device" : "devices"} (${parts.join("; ")})`;
}

const curlCommand = (key, body) =>
  `curl -sS ${location.origin}/v1/notifications -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d ${shellQuoted(body)}`;

/** Whom it is for stays as it is, and the category, which an example seldom says. */
const emptyForm = {
  title: "", subtitle: "", body: "", link: "", image: "", mode: "visible", until: "", thread: "", level: "", dialect: "",
  localized: "", send_at: "", id: "", custom: "", sound: true, badge: false, replies: true,
};

function fill(form, example) {
  for (const [name, value] of Object.entries({ ...emptyForm, ...example })) {
    if (form.elements[name] && name !== "to") setField(form, name, value);
  }
}
