// Words and orders of the timeline: decisions only, so that they are tested without a browser.

/** An id in short: its end, since ids begin with the time and are alike there. One of at most 20 characters stays whole. */
export const shortID = (id) => (id.length > 20 ? `…${id.slice(-8)}` : id);

/** Where the message stands, in a word or two. */
export function standing(message) {
  const { state, until } = message;
  if (state === "recalled" || state === "cancelled" || state === "scheduled") return state;
  const left = until ? Math.ceil((Date.parse(until) - Date.now()) / 1000) : Infinity;
  if (left <= 0) return "expired";
  return left < 120 ? `expires in ${left} s` : reached(message) ?? state ?? "";
}

/**
 * How many devices are known to have shown a message that went out, or to have read it; `undefined` before APNs has accepted it.
 * A device that reports nothing may show it all the same.
 */
function reached({ state, origin, devices, progress }) {
  const isOut = state === "sent" || (origin === "apns" && state === "accepted");
  if (!isOut || progress) return undefined;
  // An installation that is no more is not waited for.
  const there = devices.filter(({ events }) => !events.some(({ event, detail }) => event === "rejected" && detail === "Unregistered"));
  const having = (...names) => there.filter(({ events }) => events.some(({ event, purpose }) => names.includes(event) && purpose !== "removal" && purpose !== "badge")).length;
  if (having("opened", "acted") > 0 || there.some(({ events }) => events.some(isReadElsewhere))) return "read";
  const [shown, accepted] = [having("shown", "dismissed"), having("accepted", "received", "shown", "dismissed")];
  if (shown > 0 && shown === there.length) return "shown";
  if (accepted === 0 || origin === "apns") return undefined;
  return shown === 0 ? `accepted for ${accepted}` : `shown reported by ${shown} of ${there.length}`;
}

/**
 * The events in the order in which they happened: a receipt can arrive before APNs' answer is written down, or after the removal
 * of a card that it was about.
 */
export function inOrder(events) {
  const order = [...events];
  const answers = new Map();
  for (const event of events) if (event.event === "accepted" && event.purpose === "show" && !answers.has(event.revision)) answers.set(event.revision, event);
  for (const [revision, answer] of answers) {
    const place = order.indexOf(answer);
    const receipt = order.findIndex(({ event, revision: own }) => ["received", "shown"].includes(event) && own === revision);
    if (receipt >= 0 && receipt < place) order.splice(receipt, 0, ...order.splice(place, 1));
  }
  for (const receipt of events.filter((event) => isLate(event, events))) {
    order.splice(order.indexOf(receipt), 1);
    order.splice(order.findIndex(isEnd), 0, receipt);
  }
  return order;
}

/** The step by which a message goes from a device because its reader has read it elsewhere. */
const isReadElsewhere = ({ event, detail }) => event === "recalled" && detail === "read";

/** The steps by which a message goes from a device. */
const isEnd = ({ event, purpose }) => purpose === "removal" || (event === "recalled" && !purpose);

/** Whether a receipt about a card came after the card's removal had begun. */
export function isLate(event, events) {
  const end = events.findIndex(isEnd);
  return ["received", "shown"].includes(event.event) && end >= 0 && events.indexOf(event) > end;
}

/** The name of a step; a push that is not the message itself says what it is. */
export function stepName(event, events = []) {
  const { event: name, purpose } = event;
  if (isReadElsewhere(event)) return "read elsewhere";
  if (isLate(event, events)) return `${name} (told late)`;
  return !purpose || purpose === "show" ? name : `${purpose} ${name}`;
}
