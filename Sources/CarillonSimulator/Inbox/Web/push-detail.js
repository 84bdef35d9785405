// One push with everything that is known of it.

import { copyText } from "./copy-text.js";
import { h } from "./dom.js";
import { showJSON } from "./json-view.js";
import { lockScreen } from "./lock-screen.js";
import { appleWords, clock, deliveryWords, nameOf, outcomeWords } from "./push-words.js";
import { asCurl, asFixture, asTest } from "./snippets.js";

const signs = { fine: "✓", warning: "!", error: "✗" };

const part = (title, ...children) => {
  const shown = children.flat().filter(Boolean);
  return shown.length === 0 ? null : h("section", { class: "detail-part" }, h("h3", { text: title }), shown);
};

const table = (pairs) => h("dl", { class: "pairs" }, pairs.flatMap(([name, value]) => [h("dt", { text: name }), h("dd", { text: value })]));

const json = (value) => {
  const element = h("pre", { class: "json", tabindex: "0" });
  showJSON(element, typeof value === "string" ? value : JSON.stringify(value));
  return element;
};

/** The answer, what it means, and what the sender does about it. */
function answerPart(push) {
  const { answer } = push;
  return part("The answer",
    h("p", { class: "apple", data: { outcome: push.outcome } }, h("strong", { text: appleWords(answer) }), " ", answer.meaning),
    answer.detail && !answer.is_fault ? h("p", {}, h("span", { class: "label", text: "Why here: " }), answer.detail) : null,
    answer.remedy ? h("p", {}, h("span", { class: "label", text: "What to do: " }), answer.remedy) : null,
    push.notes.map((note) => h("p", { class: "caution", text: note })),
    answer.body ? json(answer.body) : null,
    table([["apns-id", answer.apns_id], ...(answer.check ? [["check", answer.check]] : [])]));
}

function credentialPart({ credential }) {
  if (credential.kind === "token") return part("The credential", json({ header: credential.header, claims: credential.claims }));
  const words = {
    certificate: `A client certificate for ${credential.topics?.join(", ")}.`, none: "None: neither a provider token nor a client certificate.",
    unreadable: "authorization holds no provider token that can be read.",
  };
  return part("The credential", h("p", { text: words[credential.kind] ?? credential.kind }));
}

function phonePart(push) {
  const { phone } = push;
  if (!push.request.token && !push.request.path.startsWith("/4/")) return null;
  return part(push.outcome === "accepted" ? "On a phone" : "On a phone, had it arrived", lockScreen(push, push.request.headers.find(([name]) => name === "apns-topic")?.[1] ?? ""),
    h("ul", { class: "effects" }, phone.summary.map((sentence) => h("li", { text: sentence }))),
    h("ul", { class: "key-lines" }, phone.lines.map((line) => h("li", { data: { severity: line.severity } },
      h("span", { class: "key-sign", "aria-label": line.severity, text: signs[line.severity] }), h("code", { text: line.key || "payload" }), h("span", { text: line.meaning })))));
}

function copyButtons(push) {
  const button = (label, text) => h("button", { type: "button", class: "chip copy", on: { click: (event) => copyText(event.currentTarget, text(push)) } }, h("span", { text: label }));
  return h("div", { class: "copies" }, button("Copy as curl", asCurl), button("Copy as a test", asTest), button("Copy as a fixture", asFixture));
}

/** Draws a push; `back` leads to the list where both do not stand side by side. */
export function drawDetail(container, push, back) {
  const summary = { ...push.answer, title: push.phone.text?.title || undefined, body: push.phone.text?.body || undefined, push_type: push.phone.push_type, ...push.request };
  const { payload } = push.request;
  container.replaceChildren(
    h("div", { class: "detail-head" },
      h("button", { type: "button", class: "quiet back", on: { click: back } }, "Back"),
      h("h2", { dir: "auto", text: nameOf(summary) }), h("span", { class: "pill push-outcome", data: { outcome: push.outcome }, text: outcomeWords(push.answer) }),
      h("time", { class: "push-time", datetime: push.at, text: clock(push.at) })),
    copyButtons(push),
    ...[
      answerPart(push),
      phonePart(push),
      part("What became of it", push.events.length > 0 ? h("ul", { class: "effects" }, push.events.map((event) => h("li", { text: `${clock(event.at)} ${deliveryWords(event)}` }))) : null),
      part("The request", h("p", { class: "request-line", text: `${push.request.method} ${push.request.path}${push.request.token ?? ""}` }), table(push.request.headers)),
      part(`The payload, ${push.phone.bytes} of ${push.phone.byte_limit} bytes`, payload === undefined || push.body_text === "" ? h("p", { text: "None." }) : json(push.body_text)),
      credentialPart(push),
    ].filter(Boolean));
}

export function drawNothing(container, words) {
  container.replaceChildren(h("p", { class: "empty", text: words }));
}
