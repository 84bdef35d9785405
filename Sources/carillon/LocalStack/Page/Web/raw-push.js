// A push straight to APNs, without the service. Its payload goes out byte for byte as it is typed.

import { h, icon, setText } from "./dom.js";
import { keepDraft } from "./draft.js";
import { choice, textArea, textField } from "./fields.js";
import { icons } from "./icons.js";
import { byteCount } from "./json-text.js";

const start = {
  aps: { alert: { title: "Hello", body: "Sent directly to APNs, without the service." }, sound: "default" },
};

const types = [["alert", "alert"], ["background", "background"]];
const priorities = [["10", "10: immediate"], ["5", "5: power-aware"], ["1", "1: never wakes"]];
const everyPhone = "*";

/**
 * @param {(request: object) => Promise<object>} push hands a push to APNs
 * @param {{ element: HTMLElement, show(payload: object): void }} inspect shows what becomes of a payload
 * @param {[string, string][]} phones id and name of each
 */
export function createRawPush(push, inspect, phones) {
  const result = h("div", { class: "apns-answers", role: "status" });
  const size = h("p", { class: "size" });
  const button = h("button", { type: "submit", class: "primary" }, icon(icons.send), h("span", { text: "Push" }));
  const form = h("form", { class: "form raw-form", id: "raw-form", novalidate: true },
    choice("phone", "Device token of", [...phones, [everyPhone, "Both phones"], ["", "Another token…"]]),
    textField("token", "Device token", { placeholder: "hexadecimal" }),
    h("div", { class: "row" }, choice("type", "apns-push-type", types), choice("priority", "apns-priority", priorities)),
    h("div", { class: "row" }, textField("collapse", "apns-collapse-id"), textField("expiration", "Expires in (s)", { placeholder: "0: one attempt" })),
    inspect.element, h("p", { class: "send-row" }, button), result);
  const editor = textArea("payload", "Payload", { value: JSON.stringify(start, null, 2), rows: 15, code: true });
  const area = editor.querySelector("textarea");
  // Beside the form, and part of it.
  area.setAttribute("form", form.id);
  const element = h("div", { class: "two-up" }, form, h("div", { class: "aside" }, editor, size));

  const value = (name) => form.elements[name].value.trim();
  const refresh = () => {
    form.elements.token.parentElement.hidden = form.elements.phone.value !== "";
    const bytes = byteCount(area.value);
    setText(size, `payload ${bytes} of 4096 bytes, as typed`);
    size.classList.toggle("too-big", bytes > 4096);
    inspect.show({ payload: area.value, type: value("type"), priority: Number(value("priority")) });
  };
  element.addEventListener("input", refresh);
  element.addEventListener("change", refresh);
  element.addEventListener("reveal", refresh);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    const targets = value("phone") === everyPhone ? phones.map(([phone, name]) => ({ name, phone }))
      : [value("phone") ? { phone: value("phone") } : { token: value("token") }];
    const answers = await Promise.all(targets.map(({ name, ...target }) =>
      push({ ...target, ...request(value, area.value) }).catch((error) => ({ reason: "Not sent", remedy: error.message }))
        .then((answer) => answerElement(name, answer))));
    result.replaceChildren(...answers);
    button.disabled = false;
  });
  // In the document, so that the editor belongs to the form.
  queueMicrotask(() => {
    keepDraft(form, "push");
    refresh();
  });
  return { element };
}

function request(value, payload) {
  const push = { push_type: value("type"), priority: Number(value("priority")), payload };
  if (value("collapse")) push.collapse_id = value("collapse");
  if (value("expiration")) push.expires_in = Number(value("expiration"));
  return push;
}

function answerElement(name, answer) {
  const accepted = answer.status === 200;
  const rows = [
    ["phone", name], ["status", answer.status && `${answer.status}${accepted ? " accepted" : ""}`], ["apns-id", answer.apns_id],
    ["reason", answer.reason ?? answer.error], ["", answer.message], ["what to do", answer.remedy],
  ];
  return h("div", { class: `apns-answer ${accepted ? "good" : "bad"}` },
    h("dl", {}, rows.filter(([, value]) => value).map(([label, value]) => h("div", {}, h("dt", { text: label }), h("dd", { text: value })))));
}
