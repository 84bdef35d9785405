// Calls to the routes of `carillon up`; docs/page-api.md describes them.

import { call } from "./api.js";

/** The phones, and what the page knows of their app and user. */
export const loadPhones = () => call("GET", "phones");
/** What the two forms can be filled with. */
export const loadPresets = () => call("GET", "presets");
export const commandPhone = (phone, command, body) => call("POST", `phones/${encodeURIComponent(phone)}/${command}`, { body });
/** What `carillon validate` says of a payload. */
export const checkPayload = (question) => call("POST", "validate", { body: question });
/** A new episode in the feed that the app asks; `title`, and how many there are. */
export const addEpisode = () => call("POST", "episodes", { body: {} });
/** Whether APNs delivers a kept push that has expired: `strict` or `late`. */
export const changeExpiry = (expiry) => call("POST", "apns", { body: { expiry } });
export const pushToAPNs = (body) => call("POST", "push", { body });
/** The size of a message's push with what the service adds, or why the service refuses the message. */
export const measureMessage = (body) => call("POST", "measure", { body });
/** Puts everything back into the state of the first start. */
export const resetDemo = () => call("POST", "reset");
/** Starts, updates or ends a Live Activity: a request of live-steps.js. */
export const changeLiveActivity = (key, { method, path, body }) => call(method, path, { key, body });
/** What has happened to a Live Activity on each phone. */
export const loadLiveActivity = (key, path) => call("GET", `${path}/timeline`, { key });
