// What the inbox says of a push, in words.

/** The time of day of a moment, by the simulator's clock and in this machine's time zone. */
export function clock(at, now = new Date()) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return at;
  const time = moment.toLocaleTimeString("en-GB");
  return moment.toDateString() === now.toDateString() ? time : `${moment.toLocaleDateString("en-GB")} ${time}`;
}

const faults = { "lose-answer": "answer lost", "lose-request": "request lost", cut: "connection cut", "fall-silent": "connection silent",
  "go-away": "GOAWAY, not processed" };

/** A fault of the simulator, such as `"cut"` or `{"reset": 7}`. */
export function faultWords(fault) {
  if (typeof fault === "string") return faults[fault] ?? fault;
  if (fault?.reset !== undefined) return `reset ${fault.reset}`;
  if (fault?.status !== undefined) return String(fault.status);
  return "fault";
}

/** The outcome in a word or two: `200`, `410 Unregistered`, `connection cut`. */
export const outcomeWords = ({ status, reason, fault }) => (fault !== undefined ? faultWords(fault) : [status, reason].filter(Boolean).join(" "));

/** The line that names a push: its title, else its text, else what it is. */
export const nameOf = (push) => push.title ?? push.body ?? (push.token ? `(${push.push_type} push without a text)` : `${push.method} ${push.path}`);

/** A device token, short enough for a line. */
export const shortToken = (token) => (token && token.length > 14 ? `${token.slice(0, 6)}…${token.slice(-4)}` : token ?? "");

const stored = {
  offline: "the phone is offline", power: "the phone saves power, and the priority is low", throttled: "the app has had its background pushes",
};
const discarded = {
  replaced: "a newer push took its place", expired: "it has expired", "one-attempt": "its expiration was 0, and the phone could not be reached",
  unregistered: "the token or the channel has ended",
};

/** What became of a push on a device, from an entry of the journal. */
export function deliveryWords({ device }) {
  if (device.stored) return `${device.device}: stored, because ${stored[device.stored] ?? device.stored}, until ${device.until}`;
  if (device.delivered) return `${device.device}: delivered${device.late ? ", although it had expired" : ""}`;
  if (device.discarded) return `${device.device}: discarded, because ${discarded[device.discarded] ?? device.discarded}`;
  return device.device;
}

/** What Apple's servers say to a push, or would say. */
export function appleWords(answer) {
  if (answer.fault !== undefined) return "Ordered by the fault plan or a script: Apple's checks were not made.";
  if (answer.is_fault) return `Ordered by the fault plan or a script. When Apple says ${answer.status} ${answer.reason}:`;
  return answer.reason ? `Apple would have said ${answer.status} ${answer.reason}.` : "Apple would have said 200.";
}
