// The body of `POST /v1/notifications` that a form describes, as text: what someone typed as JSON goes out as typed.

import { compact, members } from "./json-text.js";

/**
 * @param {HTMLFormElement} form the form of compose.js
 * @param {Record<string, object>} targets the `to` for each choice; `null` for a device that the service does not know
 * @returns {{ body: string, payload: string, title: string, problem: string | null }} `problem` says why it cannot be sent
 */
export function messageBody(form, targets) {
  const value = (name) => form.elements[name]?.value.trim() ?? "";
  const alert = { title: value("title") };
  if (value("subtitle")) alert.subtitle = value("subtitle");
  alert.body = value("body");
  const aps = { alert };
  if (form.elements.sound.checked) aps.sound = "default";
  if (form.elements.badge.checked) aps.badge = "auto";
  if (value("category")) aps.category = value("category");
  if (value("thread")) aps["thread-id"] = value("thread");
  if (value("level")) aps["interruption-level"] = value("level");
  const keys = [`"aps":${JSON.stringify(aps)}`];
  if (value("link")) keys.push(`"link_url":${JSON.stringify(value("link"))}`);
  if (value("image")) keys.push(`"media_url":${JSON.stringify(value("image"))}`);
  const own = ownKeys(value("custom"));
  if (own.text) keys.push(own.text);
  const payload = `{${keys.join(",")}}`;
  const to = targets[value("to")];
  const rest = [`"to":${JSON.stringify(to)}`, `"payload":${payload}`];
  if (value("mode") !== "visible") rest.push(`"mode":${JSON.stringify(value("mode"))}`);
  if (value("until")) rest.push(`"until":"${new Date(Date.now() + Number(value("until")) * 1000).toISOString()}"`);
  if (value("id")) rest.push(`"id":${JSON.stringify(value("id"))}`);
  if (value("dialect")) rest.push(`"dialect":${JSON.stringify(value("dialect"))}`);
  return { body: `{${rest.join(",")}}`, payload, title: value("title") || value("body"), problem: to ? own.problem : "This device has not registered with the service yet." };
}

function ownKeys(text) {
  if (!text) return { text: "", problem: null };
  try {
    if (Object.hasOwn(JSON.parse(text), "aps")) return { text: "", problem: "Your own keys stand beside aps: use another name than “aps”." };
    return { text: members(text), problem: null };
  } catch {
    try {
      members(text);
      return { text: "", problem: null };
    } catch (error) {
      return { text: "", problem: `Your own keys are ${error.message}.` };
    }
  }
}

/** The payload as APNs gets it, without what the service itself replaces. */
export const sentPayload = (payload) => compact(payload).replace(/,"badge":"auto"/, "");
