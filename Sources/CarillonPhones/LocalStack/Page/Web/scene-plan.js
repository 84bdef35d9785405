// What a scene needs of the phones, and what has come about: decisions only, so that they are tested without a browser.

/**
 * @typedef {{ app?: string, allowed?: boolean | null, place?: "lock" | "home" | "app", quit?: boolean, online?: boolean,
 *   settings?: Record<string, boolean | null>, keepsNotes?: boolean }} Wanted
 *   what a scene wants of a phone: the app on it (the one that is there), whether notifications are allowed (yes; `null` for as it
 *   is), the screen (home), whether the app is force-quit (no), whether the phone is online (yes), its switches (as after the first
 *   start), and whether its notifications stay (no)
 */

/**
 * The next thing to do with a phone so that a scene can begin.
 * @param {Wanted} wanted
 * @param {{ state: object, notifications: object[] }} phone as the page shows it
 * @param {string} registering the id of the app that registers with the service
 * @returns {[string, object] | "wait" | null} a command with its body; "wait" while the phone is busy; `null` if all is as wanted
 */
export function nextCommand(wanted, phone, registering) {
  const { online = true } = wanted;
  const { aeroplane } = phone.state;
  const next = interruption(phone.state) ?? appStep(wanted, phone.state, registering) ?? settingStep(wanted, phone.state) ?? screenStep(wanted, phone);
  if (next === null) return online === aeroplane ? ["aeroplane", { on: !online }] : null;
  return aeroplane ? ["aeroplane", { on: false }] : next;
}

/** Whatever lies over the screen goes first. */
function interruption({ calls, authentication }) {
  if (calls.length > 0) return [calls[0].state === "ringing" ? "decline-call" : "end-call", { call: calls[0].id }];
  return authentication ? ["authenticate", { owner: false }] : null;
}

function appStep({ app, allowed = true }, state, registering) {
  if (app && state.app.id !== app) return ["app", { value: app }];
  if (allowed === null) return null;
  if (state.sheet) return ["permission", { allow: allowed }];
  if (state.permission === "not-determined") return inFront(state) ?? "wait";
  if ((state.permission !== "denied") !== allowed) return ["set", { setting: "notifications", on: allowed }];
  const isKnown = state.app.token && (state.app.id !== registering || state.app.installation);
  return !allowed || isKnown ? null : inFront(state) ?? "wait";
}

/** The switches that decide about a push, by their members of a phone's state, as they are after the first start. */
const switches = { focus: false, low_power: false, low_battery: false, background_refresh: true };

function settingStep({ settings: wanted = {} }, { settings }) {
  for (const [name, first] of Object.entries(switches)) {
    const on = wanted[name] ?? first;
    // A phone without a switch has none to set.
    if (Boolean(settings[name] ?? first) !== on) return ["set", { setting: name.replace("_", "-"), on }];
  }
  return null;
}

function screenStep({ place = "home", quit = false, keepsNotes = false }, { state, notifications }) {
  if (state.center_open) return ["center", { open: false }];
  if (!keepsNotes && notifications.length > 0) return ["clear-all", {}];
  if (!keepsNotes && state.banner) return ["flick", {}];
  if (quit && !state.app.force_quit) return state.screen === "lock" ? ["unlock", {}] : ["force-quit", {}];
  if (!quit && state.app.force_quit) return inFront(state);
  if (place === "app") return inFront(state);
  if (place === "lock") return state.screen === "lock" ? settled(state) : ["lock", {}];
  if (state.screen === "lock") return ["unlock", {}];
  return state.screen === "home" ? settled(state) : ["home", {}];
}

/** Opens the app; `null` if it is in front. */
function inFront({ screen }) {
  if (screen === "lock") return ["unlock", {}];
  return screen === "app" ? null : ["open", {}];
}

/** An app that has just been left is still running for some seconds. */
const settled = ({ app }) => (["in the foreground", "inactive", "in the background"].includes(app.state) ? "wait" : null);

/**
 * Whether what a step waits for has come about on a phone.
 * @param {{ sees?: "listed" | "gone" | "banner" | "call" | "front", text?: string, told?: boolean | string, online?: boolean }} wanted
 *   `text` is on the app's screen; `told`: the phone or APNs has said why there is no notification, with this word in it
 * @param {{ state: object, notifications: object[] }} phone
 * @param {Set<string>} texts on the app's screen
 * @param {object | undefined} account the message's, as of the timeline
 */
export function holds(wanted, { state, notifications }, texts, account) {
  const sights = {
    listed: notifications.length > 0, gone: notifications.length === 0 && !state.banner, banner: Boolean(state.banner),
    call: state.calls.length > 0, front: state.screen === "app",
  };
  if (wanted.sees && !sights[wanted.sees]) return false;
  if (wanted.online && state.aeroplane) return false;
  if (wanted.text && ![...texts].some((text) => text.includes(wanted.text))) return false;
  const word = wanted.told === true ? "" : wanted.told;
  return !wanted.told || Boolean(account?.devices.some(({ phone, why }) => phone === state.id && why?.includes(word)));
}

/**
 * Why a scene cannot go on: somebody has taken its message back while it played, outside the scene's own steps.
 * @param {{ recall?: boolean }[]} steps that have begun
 * @param {{ state?: string } | undefined} account the message's, as of the timeline
 * @returns {string} a sentence; empty where the scene goes on
 */
export function endedBy(steps, account) {
  const { state } = account ?? {};
  if ((state !== "recalled" && state !== "cancelled") || steps.some(({ recall }) => recall)) return "";
  return `The message was ${state} before the scene was over, so the rest of the scene does not happen.`;
}

/** What of a phone's present state a link passes on, so that somebody else's phone is brought into it. */
export function passedOn({ app, permission, screen, aeroplane }) {
  return {
    app: app.id, allowed: permission === "not-determined" ? null : permission !== "denied",
    place: screen === "lock" || screen === "app" ? screen : "home", quit: app.force_quit, online: !aeroplane,
  };
}

/** What brings a phone back to its present state after a scene; a scene's notifications stay. */
export const remembered = (state) => ({
  ...passedOn(state), settings: Object.fromEntries(Object.keys(switches).map((name) => [name, state.settings[name]])), keepsNotes: true,
});
