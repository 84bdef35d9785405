// A push straight to APNs, without the service. Its payload goes out byte for byte as it is typed.

import { whileBusy } from "./busy.js";
import { makeEditor } from "./code-editor.js";
import { copyText } from "./copy-text.js";
import { h, icon, setText } from "./dom.js";
import { keepDraft } from "./draft.js";
import { createExampleChips } from "./example-chips.js";
import { choice, fieldsOf, markFields, segments, setField, showFaults, switchOff, textArea, textField } from "./fields.js";
import { icons } from "./icons.js";
import { byteCount } from "./json-text.js";
import { shellQuoted } from "./json-view.js";
import { pushProblems } from "./push-problem.js";
import { withTimes } from "./push-times.js";
import { testedTypes } from "./share.js";

const start = {
  aps: { alert: { title: "Hello", body: "Sent directly to APNs, without the service." }, sound: "default" },
};

const types = [["alert", "alert"], ["background", "background"], ["voip", "voip: a call"], ["liveactivity", "liveactivity"]];
const priorities = [["10", "10: immediate"], ["5", "5: power-aware"], ["1", "1: never wakes"]];
/** The tutorial’s Pusher sends with a certificate; most services of today send with a key. */
const credentials = [
  ["key", "key", "A key is the team’s, and is valid for every app."],
  ["certificate", "certificate", "A certificate is one app’s: APNs refuses a push for another app."],
];
const everyPhone = "*";
/** The fields of which another value makes another push; the others say where it goes. */
const sentFields = new Set(["payload", "type", "priority", "collapse", "expiration"]);

/**
 * @param {object} options `push(request)`: hands a push to APNs; `inspect`: shows what becomes of a payload: `element`,
 *   `show(payload)`; `phones`: id and name of each; `presets`: as in example-chips.js, with `payload`, `type`, `priority` and `apps`:
 *   the names of three `outcomes` (`says`) by the app that is on the phone;
 *   `addEpisode()`: puts a new episode into the feed of the app; `apps`: id, name and description of each app that can be on
 *   a phone, the usual one first; `putApp(phone, app)`; `topic`: of an app whose token is typed in; `options`: with which
 *   `carillon push` reaches this APNs: `address`, `key`, and `certificates` by bundle id; `expiry`: what APNs does with an expired
 *   push: `first`, `change(expiry)`; `predictions`: says what will happen: as in example-chips.js, `about(example, to)`, `begin(phone)`, which returns a function for the id; `giveAway`: further buttons, `elements`, and `refresh(canTest)`
 */
export function createRawPush({ push, inspect, phones, presets, outcomes, addEpisode, apps, putApp, topic, options, expiry, giveAway, predictions }) {
  /** What is on each phone: its app's token and topic. */
  const known = new Map();
  /** The topics of the tokens that have been on the phones, in small letters: also of those that are no more. */
  const topics = new Map();
  const token = h("code", { class: "device-token" });
  const copyToken = h("button", { type: "button", class: "quiet" }, icon(icons.copy), h("span", { text: "Copy token" }));
  const copyLine = h("button", { type: "button", class: "quiet" }, icon(icons.copy), h("span", { text: "Copy command line" }));
  const tokenRow = h("p", { class: "token-row" }, token, copyToken, copyLine);
  const result = h("div", { class: "apns-answers", role: "status" });
  const faults = h("ul", { class: "faults", role: "status", "aria-label": "What keeps it from being pushed", hidden: true });
  const caution = h("p", { class: "caution", role: "status", hidden: true });
  const size = h("p", { class: "size" });
  const button = h("button", { type: "submit", class: "primary" }, icon(icons.send), h("span", { text: "Push" }));
  const signedWith = segments("signed_with", "Signed with", credentials);
  const certificate = choice("certificate", "Certificate of", [["", "The app that gets the push"]]);
  const fields = h("div", { class: "form raw-fields" },
    choice("phone", "Device token of", [...phones, [everyPhone, "Both phones"], ["", "Another token…"]]),
    textField("token", "Device token", { placeholder: "hexadecimal" }), textField("topic", "Topic (apns-topic)", { value: topic, hint: "The bundle id of the token’s app: it follows a token that the page has seen." }), tokenRow, signedWith.group, signedWith.hint, certificate,
    h("div", { class: "row" }, choice("type", "apns-push-type", types), choice("priority", "apns-priority", priorities)),
    h("div", { class: "row" }, textField("collapse", "apns-collapse-id"), textField("expiration", "Expires in (s)", { placeholder: "0: one attempt" })),
    result);
  const editor = textArea("payload", "Payload", { value: JSON.stringify(start, null, 2), rows: 12, code: true });
  const area = editor.querySelector("textarea");
  const drawPayload = makeEditor(area);
  const form = h("form", { class: "raw-form", id: "raw-form", novalidate: true },
    h("div", { class: "two-up" }, h("div", { class: "raw-payload" }, editor, size), fields, inspect.element),
    h("div", { class: "send-row raw-send" }, button, h("div", { class: "send-words" }, faults, caution), h("span", { class: "send-foot" }, giveAway.elements)));
  const choices = appChoices(phones, apps, putApp);
  const fill = ({ payload, type, priority }) => {
    for (const [name, value] of Object.entries({ type, priority, collapse: "", expiration: "" })) setField(form, name, value);
    area.value = JSON.stringify(withTimes(payload), null, 2);
    // As if it had been typed: the draft is kept, the size and the explanation follow.
    area.dispatchEvent(new Event("input", { bubbles: true }));
    form.dispatchEvent(new Event("input"));
  };
  // The expected outcome depends on the app of the phone that the form is for, or else on the first phone's app.
  const appInQuestion = () => known.get(form.elements.phone.value) ?? [...known.values()][0];
  let chosen = null;
  const chips = createExampleChips(presets.map((preset) => forApp(preset, outcomes, appInQuestion)), fill, {
    current: () => placeOf(appInQuestion()), predictions, hasTable: true, isLazy: true,
    chosen(example) {
      chosen = example;
      predictions.about(example, form.elements.phone.value);
    },
  });
  const late = expiryRow(expiry);
  const episodes = episodeRow(addEpisode);
  const element = h("div", { class: "form" }, searchOf(chips, [choices.element, late.element]), chips, episodes.element, form);

  const value = (name) => form.elements[name].value.trim();
  let told = "";
  function tellExpected() {
    const app = appInQuestion()?.id ?? "";
    chips.dispatchEvent(new Event(app !== told ? "again" : "moved"));
    chips.dispatchEvent(new Event("addressed"));
    told = app;
  }
  const refresh = () => {
    drawPayload();
    tellExpected();
    predictions.about(chosen, value("phone"));
    chips.dispatchEvent(new Event("addressed"));
    giveAway.refresh(testedTypes.includes(value("type")));
    for (const name of ["token", "topic"]) form.elements[name].parentElement.hidden = form.elements.phone.value !== "";
    showToken();
    showCertificates();
    showKnown();
    setText(size, `payload ${byteCount(area.value)} bytes, as typed`);
    inspect.show({ payload: area.value, type: value("type"), priority: Number(value("priority")), answered: showSize });
  };
  function showSize({ byteCount: bytes, byteLimit: limit }) {
    setText(size, `payload ${bytes} of ${limit} bytes, as typed`);
    size.classList.toggle("too-big", bytes > limit);
  }
  function showToken() {
    const shown = tokenOf(known.get(value("phone")), value("type"), area.value);
    tokenRow.hidden = !known.has(value("phone"));
    setText(token, shown ?? "no token for this push");
    for (const copy of [copyToken, copyLine]) switchOff(copy, !shown);
  }
  /** As in Pusher’s list: the certificate of each app. They are listed once somebody signs with one. */
  function showCertificates() {
    certificate.hidden = value("signed_with") !== "certificate";
    const list = form.elements.certificate;
    if (!certificate.hidden && list.length === 1) list.append(...Object.keys(options.certificates).sort().map((id) => h("option", { value: id, text: id })));
  }
  const isOn = (copy) => copy.getAttribute("aria-disabled") !== "true";
  copyToken.addEventListener("click", () => isOn(copyToken) && copyText(copyToken, token.textContent));
  copyLine.addEventListener("click", () => isOn(copyLine) && copyText(copyLine, pushLine(known.get(value("phone")), request(value, area.value), options)));
  form.elements.token.addEventListener("input", () => {
    const found = topics.get(value("token").toLowerCase());
    if (found) form.elements.topic.value = found;
  });
  element.addEventListener("input", refresh);
  element.addEventListener("change", refresh);
  for (const event of ["input", "change"]) {
    element.addEventListener(event, ({ target }) => {
      if (sentFields.has(target.name)) chips.dispatchEvent(new Event("edited"));
      if (!target.name) return;
      // A refusal is of what the form held before.
      for (const answer of result.querySelectorAll(".bad")) answer.remove();
    });
  }
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  element.addEventListener("reveal", () => {
    chips.dispatchEvent(new Event("reveal"));
    refresh();
  });
  /** To whom the push goes: a phone, both, or a token; each with what is known to keep it from going there. */
  const targets = () => {
    const of = ([phone, name]) => {
      const app = known.get(phone);
      return { phone, name, problems: pushProblems(fieldsOf(form), { name, app: app?.name ?? "The app", token: tokenOf(app, value("type"), area.value) }) };
    };
    if (value("phone") === everyPhone) return phones.map(of);
    return value("phone") ? phones.filter(([id]) => id === value("phone")).map(of) : [{ token: value("token"), problems: pushProblems(fieldsOf(form), null) }];
  };
  /** Why nothing can be pushed, whatever the form holds; empty where it can. */
  let off = "";
  function showKnown() {
    const all = targets();
    const problems = all.flatMap((target) => target.problems);
    const isStopped = all.every((target) => target.problems.length > 0);
    // Where one of two phones gets it, the other one is no fault.
    const words = [...new Set(problems.map(({ text }) => text))];
    showFaults(faults, isStopped ? words : []);
    caution.hidden = off === "" && (isStopped || words.length === 0);
    setText(caution, off || (isStopped ? "" : words.join(" ")));
    markFields(form, isStopped ? problems.map(({ field }) => field) : []);
    switchOff(button, isStopped || off !== "");
  }
  /** Hands the push to APNs; returns what to show of the answer. */
  async function pushTo({ name, phone, token: typed }, sent) {
    const app = known.get(phone);
    const hasGone = predictions.begin(phone ?? "");
    const answer = await push({ ...(phone ? { phone } : { token: typed, topic: value("topic") }), ...sent }).catch((error) => ({ reason: "Not sent", remedy: error.message, isSilent: error.status === 0 }));
    if (answer.status === 200) hasGone(answer.apns_id);
    return answerElement(value("phone") === everyPhone ? name : undefined, signature(sent, phone ? app?.bundle_id : value("topic")), answer);
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    whileBusy(button, async () => {
      const sent = request(value, area.value);
      const reached = targets().filter(({ problems }) => problems.length === 0);
      result.replaceChildren(...await Promise.all(reached.map((target) => pushTo(target, sent))));
    }).then(showKnown);
  });
  keepDraft(form, "push");
  setField(form, "signed_with", value("signed_with"));
  refresh();
  return {
    element,
    /** Puts values into the fields, by their names. */
    fill(fields) {
      for (const [name, value] of Object.entries(fields)) {
        if (form.elements[name]) setField(form, name, value);
      }
      area.dispatchEvent(new Event("input", { bubbles: true }));
    },
    submit: () => form.requestSubmit(),
    /** Sets what APNs does with an expired push; what it has done before. */
    expiry: late.set,
    /** To be called when the server has come back. */
    refresh,
    /** Switches pushing off, with the reason; an empty text switches it on again, and takes back that nobody has answered. */
    switchOff(words) {
      off = words;
      if (words === "") {
        episodes.settle();
        for (const answer of result.querySelectorAll(".silent")) answer.remove();
      }
      showKnown();
    },
    /** What is in the fields, by their names. */
    fields: () => fieldsOf(form),
    /** What is on a phone now. */
    showApp(phone, app) {
      choices.show(phone, app.id);
      known.set(phone, app);
      for (const one of [app.token, app.call_token, app.start_token, app.activity_token]) if (one) topics.set(one, app.bundle_id);
      showToken();
      showKnown();
      tellExpected();
    },
  };
}

/** A preset whose `expect` is of the app in question; its own is of the app that the phones have at first. */
const forApp = (preset, outcomes, appInQuestion) => Object.defineProperty({ ...preset }, "expect", { get() {
  const app = appInQuestion();
  const own = preset.apps?.[app?.id]?.split(" ");
  return own ? ["in front", "in the background", "force-quit"].map((state, index) => [`${app.name} ${state}`, outcomes[own[index]].says]) : preset.expect;
} });

/** Which row of what is to be expected holds for an app as it is: in front, in the background, force-quit. */
function placeOf(app) {
  if (!app) return -1;
  return app.force_quit ? 2 : app.state === "in the foreground" ? 0 : 1;
}

/** A field that leaves of the presets those that match: by group, name, the keys of the payload, or what is to be expected of them. */
function searchOf(chips, beside) {
  const field = h("input", { type: "search", class: "preset-search", placeholder: "Search presets", "aria-label": "Search presets", autocomplete: "off" });
  const none = h("p", { class: "hint", role: "status", text: "No preset matches.", hidden: true });
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const groups = [...chips.querySelectorAll("[role=group]")];
    for (const group of groups) {
      for (const chip of group.querySelectorAll(".chip")) {
        const { payload, expect } = chip.example;
        const text = [group.getAttribute("aria-label"), chip.textContent, JSON.stringify(payload), expect].join(" ").toLowerCase();
        chip.hidden = !words.every((word) => text.includes(word));
      }
      group.hidden = !group.querySelector(".chip:not([hidden])");
    }
    none.hidden = groups.some((group) => !group.hidden);
  });
  return h("div", { class: "preset-tools" }, field, none, beside);
}

/** What APNs does with a push that has expired on its way. */
function expiryRow({ first, change }) {
  const box = h("input", { type: "checkbox", name: "late" });
  box.checked = first === "late";
  const value = () => (box.checked ? "late" : "strict");
  box.addEventListener("change", () => change(value()));
  return {
    element: h("label", { class: "late-row", title: "APNs is a best-effort service: what expires while a phone is offline may come all the same" }, box,
      h("span", { text: "APNs delivers what has expired" })),
    async set(next) {
      const before = value();
      await change(next);
      box.checked = next === "late";
      return before;
    },
  };
}

/** Calls have a token of their own, and so has each Live Activity; one that begins is sent to a third kind of token. */
function tokenOf(app, type, payload) {
  if (type === "liveactivity") return isStart(payload) ? app?.start_token : app?.activity_token;
  return type === "voip" ? app?.call_token : app?.token;
}

function isStart(payload) {
  try {
    return JSON.parse(payload)?.aps?.event === "start";
  } catch {
    return false;
  }
}

/** The command line that does what the button does. */
function pushLine(app, { payload, push_type: type, priority, collapse_id: collapse, expires_in: expires, signed_with: signed, certificate }, options) {
  const all = ["--token", tokenOf(app, type, payload), "--topic", app.bundle_id, "--payload", "-", "--push-type", type, "--priority", `${priority}`,
    ...(collapse ? ["--collapse-id", collapse] : []), ...(expires === undefined ? [] : ["--expires-in", `${expires}`]),
    ...options.address, ...(signed === "certificate" ? options.certificates[certificate ?? app.bundle_id] : options.key)];
  const words = all.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word)));
  return `printf %s ${shellQuoted(payload)} | carillon push ${words.join(" ")}`;
}

/** Which app is on which phone: the usual one, or one of the articles’ own. */
function appChoices(phones, list, put) {
  const hint = h("span", { class: "hint" });
  const fields = new Map(phones.map(([phone, name]) => {
    const field = choice(`app-${phone}`, `App on ${name}`, []);
    const select = field.querySelector("select");
    select.addEventListener("change", () => put(phone, select.value));
    return [phone, { field, select }];
  }));
  const about = (id) => list.find(([other]) => other === id)?.[2] ?? "";
  const optionFor = ([value, text]) => h("option", { value, text });
  /** All apps are listed once somebody looks; until then, the one that is on the phone. */
  const listAll = () => fields.forEach(({ select }) => {
    const { value } = select;
    select.replaceChildren(...list.map(optionFor));
    select.value = value;
  });
  let isListed = false;
  const open = ({ target }) => {
    if (!target.open || isListed) return;
    isListed = true;
    listAll();
  };
  return {
    element: h("details", { class: "app-choices", on: { toggle: open } }, h("summary", { text: "Another app on a phone" }),
      h("div", { class: "row" }, [...fields.values()].map(({ field }) => field)), hint),
    show(phone, app) {
      const { select } = fields.get(phone) ?? {};
      if (!select) return;
      if (!isListed) select.replaceChildren(...list.filter(([id]) => id === app).map(optionFor));
      if (select.value !== app) select.value = app;
      const others = [...new Set([...fields.values()].map((field) => field.select.value))].filter((id) => id !== list[0][0]);
      setText(hint, others.length === 0 ? "The articles’ own apps, without Carillon, show what each recipe does by itself."
        : others.map((id) => `${list.find(([other]) => other === id)?.[1]}: ${about(id)}.`).join(" "));
    },
  };
}

/** The feed that a silent refresh makes the app ask. */
function episodeRow(addEpisode) {
  const first = "A silent refresh finds it.";
  const said = h("span", { class: "hint", role: "status", text: first });
  const button = h("button", { type: "button", class: "quiet", text: "Add an episode", on: { click: async () => {
    try {
      const { title, count } = await addEpisode();
      setText(said, `“${title}” is in the feed, which has ${count} episodes now. A silent refresh finds it.`);
    } catch (error) {
      setText(said, error.message);
      isSilent = error.status === 0;
    }
  } } });
  let isSilent = false;
  return {
    element: h("p", { class: "episode-row" }, button, said),
    /** Takes back that nobody has answered. */
    settle() {
      if (isSilent) setText(said, first);
      isSilent = false;
    },
  };
}

function request(value, payload) {
  const push = { push_type: value("type"), priority: Number(value("priority")), payload, signed_with: value("signed_with") };
  if (value("collapse")) push.collapse_id = value("collapse");
  if (value("expiration")) push.expires_in = Number(value("expiration"));
  if (push.signed_with === "certificate" && value("certificate")) push.certificate = value("certificate");
  return push;
}

/** The credential of a push, for its outcome. */
const signature = ({ signed_with: signed, certificate }, bundleID) => (signed === "certificate" ? `certificate of ${certificate ?? bundleID}` : "key");

function answerElement(name, signed, answer) {
  const accepted = answer.status === 200;
  const rows = [
    ["phone", name], ["status", answer.status && `${answer.status}${accepted ? " accepted" : ""}`], ["signed with", answer.status && signed], ["apns-id", answer.apns_id],
    ["reason", answer.reason ?? answer.error], ["", answer.message], ["what to do", answer.remedy],
  ];
  return h("div", { class: `apns-answer ${accepted ? "good" : answer.isSilent ? "bad silent" : "bad"}` },
    h("dl", {}, rows.filter(([, value]) => value).map(([label, value]) => h("div", {}, h("dt", { text: label }), h("dd", { text: value })))));
}
