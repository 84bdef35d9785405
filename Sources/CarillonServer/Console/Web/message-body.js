// The body of `POST /v1/notifications` that a form describes, as text: what someone typed as JSON goes out as typed.

import { compact, members } from "./json-text.js";

/**
 * @param {HTMLFormElement} form the form of compose.js
 * @param {Record<string, object>} targets the `to` for each choice; `null` for a device that the service does not know
 * @returns {{ body: string, again: object, payload: string, title: string, faults: { field: string, text: string }[], kind: string }}
 *   `faults` says why it cannot be sent, each with the field that it is about; `kind` is equal for messages that differ in their times alone
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
  const named = typedObject(value("named"), "The users with their values");
  const localized = typedObject(value("localized"), "The texts in other languages");
  const to = whom(value, targets, named);
  const always = [`"to":${to.text}`, `"payload":${payload}`];
  if (localized.text) always.push(`"localized":${localized.text}`);
  if (value("mode") !== "visible") always.push(`"mode":${JSON.stringify(value("mode"))}`);
  if (form.elements.replies?.checked) always.push('"keep_replies":true');
  if (value("dialect")) always.push(`"dialect":${JSON.stringify(value("dialect"))}`);
  const again = { members: always.join(","), seconds: Number(value("until")) };
  const moment = value("send_at") ? new Date(value("send_at")) : null;
  const isLocal = form.elements.local_time?.checked;
  const time = isLocal ? JSON.stringify({ local: value("send_at") }) : `"${moment && !Number.isNaN(moment.getTime()) ? moment.toISOString() : ""}"`;
  const sendAt = moment && !Number.isNaN(moment.getTime()) ? `,"send_at":${time}` : "";
  // What expires in a minute does so a minute after it is sent: in local time, where it is sent last.
  const last = moment && isLocal ? Date.parse(`${value("send_at")}Z`) + 12 * 3600 * 1000 : moment?.getTime();
  const start = sendAt ? Math.max(last, Date.now()) : Date.now();
  const id = value("id") ? `,"id":${JSON.stringify(value("id"))}` : "";
  const body = bodyAgain(again, `${sendAt}${id}`, start);
  return {
    body, trial: `${body.slice(0, -1)},"dry_run":true}`, again, payload, title: value("title") || value("body"), kind: `${always.join()} ${again.seconds > 0} ${sendAt} ${id}`,
    faults: [[form.elements[value("to")] ? value("to") : "to", to], ["localized", localized], ["custom", own]]
      .filter(([, { problem }]) => problem).map(([field, { problem: text }]) => ({ field, text })),
  };
}

/** The `to`, as text, and why nobody is meant; `null` when somebody is. */
function whom(value, targets, named) {
  switch (value("to")) {
    case "where":
      return { text: JSON.stringify({ where: value("where") }), problem: value("where") ? null : "Say on which condition, such as tag:vip." };
    case "named":
      return { text: `{"users":${named.text || "{}"}}`, problem: named.problem ?? (named.text ? null : "Name the users with their values.") };
    default: {
      const to = targets[value("to")];
      return { text: JSON.stringify(to), problem: to ? null : "This device has not registered with the service yet." };
    }
  }
}

/** A JSON object as typed, on one line. */
function typedObject(text, name) {
  if (!text) return { text: "", problem: null };
  try {
    members(text);
    return { text: compact(text), problem: null };
  } catch (error) {
    return { text: "", problem: `${name} are ${error.message}.` };
  }
}

/** The body of the same message at another time, under an id of its own. */
export function bodyAgain({ members: always, seconds }, id = "", start = Date.now()) {
  const until = seconds > 0 ? `,"until":"${new Date(start + seconds * 1000).toISOString()}"` : "";
  return `{${always}${until}${id}}`;
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
