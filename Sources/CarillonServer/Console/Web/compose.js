// A message through the service: the form, and beside it what is sent, as it changes.

import { h, icon, setText } from "./dom.js";
import { whileBusy } from "./busy.js";
import { copyText } from "./copy-text.js";
import { keepDraft } from "./draft.js";
import { createExampleChips } from "./example-chips.js";
import { choice, fieldsOf, markFields, segments, setField, showFaults, switchOff, textArea, textField, tick } from "./fields.js";
import { icons } from "./icons.js";
import { byteCount } from "./json-text.js";
import { shellQuoted, showJSON } from "./json-view.js";
import { messageBody, sentPayload } from "./message-body.js";
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
 *   service adds (`bytes`), or why the service refuses it (`problem`, and the `pointer` of the member); `giveAway`: further buttons, `elements`, and `refresh(isVisible)`; `inspect`: shows what becomes of a payload, where the page can tell: `element`, `show(message)`; `predictions`: says what will happen, where the page can tell: as in example-chips.js, `about(example, to)`, `begin(to)`, which returns a function for the id
 */
export function createCompose({ audience, targets, categories, examples, send, tryOut, curlKey, inspect, measure, giveAway, predictions, warning = () => "", missed = () => "" }) {
  const json = h("pre", { class: "json", tabindex: "0", "aria-label": "Request body, as JSON" });
  const size = h("span", { class: "size" });
  const outcome = h("span", { class: "outcome", role: "status" });
  const faults = h("ul", { class: "faults", role: "status", "aria-label": "What keeps it from being sent", hidden: true });
  const caution = h("span", { class: "caution", role: "status", hidden: true });
  const button = h("button", { type: "submit", class: "primary" }, icon(icons.send), h("span", { text: "Send" }));
  const trial = h("button", { type: "button", class: "quiet trial", text: "Try" , title: "Says to how many devices it would go, and sends nothing" });
  let chosen = null;
  const chips = createExampleChips(examples, (example) => fill(form, example), { predictions, chosen(example) {
    chosen = example;
    predictions?.about(example, form.elements.to.value);
  } });
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
    h("div", { class: "send-row" }, button, trial, h("div", { class: "send-words" }, outcome, faults, caution), h("span", { class: "send-foot" }, size, copy, giveAway?.elements)));

  const refresh = () => {
    condition.hidden = form.elements.to.value !== "where";
    named.hidden = form.elements.to.value !== "named";
    predictions?.about(chosen, form.elements.to.value);
    chips.dispatchEvent(new Event("addressed"));
    const message = messageBody(form, targets);
    showJSON(json, message.body);
    showSize(message);
    giveAway?.refresh(form.elements.mode.value === "visible");
    showKnown(message);
    const words = [off || warning(form.elements.mode.value, form.elements.to.value), pastWords(form.elements)].filter(Boolean).join(" ");
    caution.hidden = words === "";
    setText(caution, words);
    inspect?.show({ payload: sentPayload(message.payload), mode: form.elements.mode.value });
  };
  let measured = { kind: "" };
  /** Why nothing can be sent, whatever the form holds; empty where it can. */
  let off = "";
  /** What is known to be wrong with a message: all that the form sees itself, or else what the service has said of it. */
  const faultsOf = ({ faults: own, kind }) => (own.length > 0 ? own : measured.kind === kind && measured.fault ? [measured.fault] : []);
  function showKnown(message, isRevealed = false) {
    const known = faultsOf(message);
    showFaults(faults, known.map(({ text }) => text));
    if (known.length > 0 && outcome.textContent !== "") showOutcome("", "");
    markFields(form, known.length > 0 ? known.map(({ field }) => field) : refused, isRevealed);
    for (const control of [button, trial]) switchOff(control, known.length > 0 || off !== "");
  }
  /** The fields of the service's last answer to what the form still holds. */
  let refused = [];
  let pending = null;
  /** The payload as it is written, until the service has said how large the push becomes. */
  function showSize(message) {
    const { kind, bytes } = measured.kind === message.kind ? measured : { kind: "" };
    const isSent = bytes !== undefined;
    setText(size, `payload ${bytes ?? byteCount(message.payload)} of ${payloadLimit} bytes, as ${isSent ? "sent" : "typed"}`);
    size.title = isSent ? "Of the largest push, with what the service adds" : "The service adds some bytes of its own";
    size.classList.toggle("too-big", (bytes ?? byteCount(message.payload)) > payloadLimit);
    if (kind || message.faults.length > 0 || !measure) return;
    clearTimeout(pending);
    pending = setTimeout(async () => {
      const answer = await measure(message.body).catch(() => ({}));
      if (answer.bytes === undefined && !answer.problem) return;
      const fault = answer.problem ? inFormsWords({ message: answer.problem, pointer: answer.pointer }) : undefined;
      measured = { kind: message.kind, bytes: answer.bytes ?? undefined, fault };
      const now = messageBody(form, targets);
      showSize(now);
      showKnown(now);
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
    showOutcome("", "");
    try {
      const { kind = "good", words } = await body(message);
      showOutcome(kind, words);
    } catch (error) {
      const { text, field } = inFormsWords(error);
      showOutcome("bad", text, field);
      if (error.status === 0) outcome.dataset.silent = "";
      markFields(form, refused, true);
    }
  }).then(refresh);
  /** The moment in the past at which somebody wants to send all the same. */
  let wantedPast = "";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const message = messageBody(form, targets);
    if (faultsOf(message).length > 0) return showKnown(message, true);
    const { value: moment } = form.elements.send_at;
    if (pastWords(form.elements) && wantedPast !== moment) {
      wantedPast = moment;
      return showOutcome("warn", "The time under “Send at” has passed. Send it at once? Then press Send again.", "send_at");
    }
    submitNow();
  });
  const submitNow = () => attempt(button, async (message) => {
    const hasGone = predictions?.begin(form.elements.to.value);
    const answer = await send(message.body, message);
    if (answer.state !== "scheduled") hasGone?.(answer.id);
    outcome.dataset.id = answer.id;
    if (answer.state === "scheduled") return { words: `Scheduled for ${sendAtWords(JSON.parse(message.body).send_at)}` };
    if (answer.devices === 0) return { kind: "warn", words: "Accepted for no device: nobody is in its audience." };
    const words = answer.devices === undefined ? "Accepted" : `Accepted for ${answer.devices} ${answer.devices === 1 ? "device" : "devices"}`;
    const out = missed(form.elements.to.value);
    return out ? { kind: "warn", words: `Accepted ${out}` } : { words };
  });
  trial.addEventListener("click", () => attempt(trial, async (message) => ({ words: trialWords(await tryOut(message.trial)) })));
  function showOutcome(kind, text, field = null) {
    outcome.className = `outcome ${kind}`;
    setText(outcome, text);
    delete outcome.dataset.silent;
    refused = field ? [field] : [];
    markFields(form, refused);
  }
  const isDraft = keepDraft(form, "message");
  if (!isDraft) fill(form, examples[0]);
  setField(form, "mode", form.elements.mode.value);
  if (!isDraft) chips.dispatchEvent(new CustomEvent("begun", { detail: examples[0] }));
  // What expires in ten seconds is ten seconds from when it is looked at.
  setInterval(() => { if (form.elements.until.value !== "" && form.checkVisibility()) refresh(); }, 1000);

  copy.addEventListener("click", () => copyText(copy, curlCommand(curlKey, messageBody(form, targets).body)));
  return {
    element: h("div", {}, form),
    /** To be called when a target has changed. */
    refresh,
    /** Switches sending off, with the reason; an empty text switches it on again, and takes back that nobody has answered. */
    switchOff(words) {
      off = words;
      if (words === "" && "silent" in outcome.dataset) showOutcome("", "");
      refresh();
    },
    /** Puts values into the fields, by their names; the others become empty. */
    fill(fields) {
      fill(form, fields);
      if (fields.to) setField(form, "to", fields.to);
    },
    /** Fills in an example, by its number, and sends it; returns what has come of it: `kind` and `words`. */
    async sendExample(index) {
      form.elements.to.value = audience[0][0];
      fill(form, examples[index]);
      wantedPast = form.elements.send_at.value;
      await submitNow();
      if (outcome.textContent !== "") return { kind: outcome.className.replace("outcome ", ""), words: outcome.textContent };
      return { kind: "bad", words: [faults, caution].filter((part) => !part.hidden).map((part) => part.textContent).join(" ") };
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
      textField("send_at", "Send at", { type: "datetime-local", hint: "Your own time, or with the tick below each device’s; empty is now." }),
      textField("id", "Message id", { placeholder: "generated by the service", hint: "The same id again replaces the notification." }),
      textArea("custom", "Own keys (a JSON object)", { code: true }),
      h("p", { class: "ticks" }, tick("sound", "Sound", true), tick("badge", "Badge “auto”: count broadcasts too"),
        tick("local_time", "Send at each device’s local time"),
        categories.length > 0 ? tick("replies", "Keep the text of replies", true) : null)));
}

/** What a time in the past means; empty for any other. */
function pastWords({ send_at: { value }, local_time: local }) {
  const moment = value && !local?.checked ? Date.parse(value) : NaN;
  return moment <= Date.now() ? "The time under “Send at” has passed: the message goes out at once." : "";
}

/** When a message goes out: at a moment, or at a local time. */
const sendAtWords = (sendAt) => (sendAt.local ? `${sendAt.local.replace("T", ", ")}, by the clock of each device` : momentWords(sendAt));

/** A moment in the reader’s own time, such as "18:30", with the day if it is another one. */
function momentWords(moment) {
  const when = new Date(moment);
  const time = when.toLocaleTimeString("en-GB", { timeStyle: "short" });
  return when.toDateString() === new Date().toDateString() ? time : `${when.toLocaleDateString("en-GB", { day: "numeric", month: "long" })}, ${time}`;
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
  localized: "", send_at: "", id: "", custom: "", sound: true, badge: false, local_time: false, replies: true,
};

function fill(form, example) {
  for (const [name, value] of Object.entries({ ...emptyForm, ...example })) {
    if (form.elements[name] && name !== "to") setField(form, name, value);
  }
}
