// A push straight to APNs, without the service.

import { h, icon, setText } from "./dom.js";
import { choice, textArea, textField } from "./fields.js";
import { icons } from "./icons.js";
import { byteCount } from "./json-view.js";

const start = {
  aps: { alert: { title: "Hello", body: "Sent directly to APNs, without the service." }, sound: "default" },
};

const types = [["alert", "alert"], ["background", "background"]];
const priorities = [["10", "10: immediate"], ["5", "5: considers the device’s power"], ["1", "1: power first, never wakes the device"]];

/** @param {(request: object) => Promise<object>} send hands the push to APNs */
export function createRawPush(send) {
  const result = h("div", { class: "apns-answer", role: "status", hidden: true });
  const size = h("p", { class: "size" });
  const button = h("button", { type: "submit", class: "primary" }, icon(icons.send), h("span", { text: "Push" }));
  const form = h("form", { class: "form raw-form", novalidate: true },
    choice("phone", "Device token of", [["", "Another token…"]]),
    textField("token", "Device token", { placeholder: "hexadecimal" }),
    h("div", { class: "row" }, choice("type", "apns-push-type", types), choice("priority", "apns-priority", priorities)),
    h("div", { class: "row" }, textField("collapse", "apns-collapse-id"), textField("expiration", "Expires in (s)", { placeholder: "0: one attempt" })),
    h("p", { class: "send-row" }, button), result);
  const editor = textArea("payload", "Payload", { value: JSON.stringify(start, null, 2), rows: 16, code: true });
  const area = editor.querySelector("textarea");

  const refresh = () => {
    form.elements.token.parentElement.hidden = form.elements.phone.value !== "";
    const payload = parsed(area.value);
    setText(size, payload instanceof Error ? payload.message : `payload ${byteCount(payload)} of 4096 bytes`);
    size.classList.toggle("too-big", payload instanceof Error || byteCount(payload) > 4096);
  };
  form.addEventListener("input", refresh);
  area.addEventListener("input", refresh);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const payload = parsed(area.value);
    if (payload instanceof Error) return showAnswer(result, { reason: "Not sent", remedy: payload.message });
    button.disabled = true;
    try {
      showAnswer(result, await send(request(form, payload)));
    } catch (error) {
      showAnswer(result, { reason: "Not sent", remedy: error.message });
    } finally {
      button.disabled = false;
    }
  });
  refresh();
  return {
    element: h("div", { class: "two-up" }, form, h("div", { class: "aside" }, editor, h("div", { class: "aside-foot" }, size))),
    /** Offers the device token of a phone, in the order of their ids; the first is chosen. */
    addPhone({ id, name }) {
      const { phone, token } = form.elements;
      const next = [...phone.options].find(({ value }) => value === "" || value > id);
      phone.insertBefore(h("option", { value: id, text: name }), next);
      if (token.value === "") phone.selectedIndex = 0;
      refresh();
    },
  };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    return new Error(`Not JSON: ${error.message}`);
  }
}

function request(form, payload) {
  const value = (name) => form.elements[name].value.trim();
  const push = { push_type: value("type"), priority: Number(value("priority")), payload };
  if (value("phone")) push.phone = value("phone");
  else push.token = value("token");
  if (value("collapse")) push.collapse_id = value("collapse");
  if (value("expiration")) push.expires_in = Number(value("expiration"));
  return push;
}

function showAnswer(element, answer) {
  element.hidden = false;
  const accepted = answer.status === 200;
  element.className = `apns-answer ${accepted ? "good" : "bad"}`;
  const rows = [
    ["status", answer.status && `${answer.status}${accepted ? " accepted" : ""}`], ["apns-id", answer.apns_id],
    ["reason", answer.reason ?? answer.error], ["", answer.message], ["what to do", answer.remedy],
  ];
  element.replaceChildren(h("dl", {}, rows.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", { text: name }), h("dd", { text: value })))));
}
