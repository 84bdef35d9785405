// A Live Activity through the service, step by step: what each step sends, and what has become of it on a phone, in words.

/** A run of an example, before its start; its id is a new one each time, since an id that has ended is not started again. */
export const newRun = (example, now) => ({ label: example.label, id: `${example.id}-${Math.floor(now / 1000)}`, step: 0, state: "new" });

/** The step that comes next: `start`, one of the example's, or none after the last or the end. */
export function nextStep(example, run) {
  if (run.state === "new") return example.start;
  return run.state === "running" ? example.steps[run.step] ?? null : null;
}

/**
 * The request of the next step.
 *
 * @param {object} example `type`, `key` (the attribute that has the id), `attributes`, `start` and `steps`, each with `state` and perhaps an `alert`
 * @param {{ to: object, stale: number | null, now: number }} options whom it is for; after how many seconds the content is outdated; the time in ms
 * @returns {{ method: string, path: string, body: object } | null}
 */
export function stepRequest(example, run, { to, stale, now }) {
  const step = nextStep(example, run);
  if (!step) return null;
  const content = { "content-state": step.state, ...(step.alert ? { alert: step.alert } : {}) };
  if (stale) content["stale-date"] = Math.ceil(now / 1000) + stale;
  if (run.state === "running") return { method: "PATCH", path: pathOf(run), body: content };
  return {
    method: "POST", path: "v1/live-activities",
    body: { id: run.id, to, "attributes-type": example.type, attributes: { ...example.attributes, [example.key]: run.id }, ...content },
  };
}

/** The request that ends it: its last content stays on the screen for hours, or leaves at once. */
export function endRequest(run, { leaves, now }) {
  if (!leaves) return { method: "DELETE", path: pathOf(run) };
  return { method: "POST", path: `${pathOf(run)}/end`, body: { "dismissal-date": Math.floor(now / 1000) } };
}

export const pathOf = ({ id }) => `v1/live-activities/${encodeURIComponent(id)}`;

const standings = {
  waiting: "The start waits for a token.",
  queued: "A push is on its way to APNs.",
  started: "APNs has accepted the start; the token for updates has not come yet.",
  current: "APNs has accepted the newest state.",
  rejected: "APNs has refused the newest push.",
  expired: "It was not started in time.",
  ending: "The end waits for the phone’s token.",
  ended: "It has ended there.",
  gone: "It has left the phone.",
};

/** What the service says of a phone. */
export const standingWords = (entry) => (entry ? standings[entry.state] ?? entry.state : "Not for this phone.");

/** The phone's Live Activity with this name, as its screen has it. */
export const shownOn = (phone, example, id) =>
  phone.activities.find(({ kind, values }) => kind === example.type && values.some(({ text }) => text === id));

/** What the screen of a phone shows of it. */
export function screenWords(activity) {
  if (!activity) return "Nothing on the screen.";
  const state = { active: "", stale: ", outdated", ended: ", ended" }[activity.state] ?? "";
  return `On the screen: ${[activity.title, ...activity.lines].filter(Boolean).join(", ")}${state}.`;
}

const eventNames = {
  accepted: "accepted by APNs", rejected: "refused by APNs", started: "started", updated: "updated", stale: "stale", ended: "ended",
  dismissed: "dismissed", undecodable: "not decoded",
};

/** The events of a phone, oldest first, each with `event`, `name`, `at`, and whether it is about the newest state. */
export const eventsOf = (entry, timeline) => [...(entry?.events ?? [])].sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
  .map(({ event, at, timestamp }) => ({ event, name: eventNames[event] ?? event, at, isNewest: timestamp === timeline.timestamp }));

/** Why the newest state is not on the phone, in a sentence; empty where it is, or nothing is known. */
export function whyNot({ phone, entry, timeline, usual, activity }) {
  const { app, settings, aeroplane, name } = phone;
  if (app.id !== usual) return `${name} has ${app.name}, whose Live Activities the service does not know.`;
  if (!entry) return `It was for ${name} neither at its start nor later: choose another audience, and start another one.`;
  if (entry.state === "gone" || entry.state === "ended") return "";
  const latest = (event) => entry.events.find((one) => one.event === event && one.timestamp === timeline.timestamp);
  if (entry.state === "rejected") return `APNs: ${entry.events.find(({ event }) => event === "rejected")?.detail ?? "refused"}.`;
  if (settings.live_activities === false) return `Live Activities are switched off in the settings of ${app.name}.`;
  if (aeroplane) return "In Airplane Mode: APNs keeps the newest push of each Live Activity until the phone is back.";
  if (latest("undecodable")) return `The app cannot decode it: ${latest("undecodable").detail}.`;
  if (entry.state === "waiting") return `${app.name} has sent no token yet: it must have run once since it was installed.`;
  if (app.why_no_activity) return app.why_no_activity;
  if (app.force_quit && !activity?.state) return `${app.name} was force-quit: iOS does not wake it for its token until it is opened.`;
  if (app.force_quit && entry.state === "started") return `${app.name} was force-quit: its token for updates comes when it is opened.`;
  return "";
}
