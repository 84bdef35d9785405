// How far a push has come: the service, APNs, the phone; and where it has stopped.

/** The stations in their order, with the words under them. */
export const stations = [["service", "Service"], ["apns", "APNs"], ["phone", "Phone"]];

/**
 * @param {{ origin?: string }} message as of timeline.js
 * @param {object} device one of its devices
 * @returns {{ at: "service" | "apns" | "phone", isStopped: boolean, reason: string }} `reason` says why it goes no further; empty
 *   where it goes on, or has arrived
 */
export function journey(message, { events, why = "" }) {
  const own = events.filter(({ purpose }) => !purpose || purpose === "show" || purpose === "fallback");
  const last = (...names) => own.findLast(({ event }) => names.includes(event));
  if (last("received", "shown", "opened", "acted", "dismissed")) return { at: "phone", isStopped: false, reason: "" };
  const refused = last("rejected");
  const accepted = last("accepted");
  if (refused && !(accepted && own.indexOf(accepted) > own.indexOf(refused))) return stop("apns", `APNs refuses it${refused.detail ? `: ${refused.detail}` : ""}.`);
  if (accepted) {
    // A silent push that has woken its app has arrived, whatever the app has made of it.
    if (!why || /^The app was woken/.test(why)) return { at: message.origin === "apns" ? "phone" : "apns", isStopped: false, reason: "" };
    return stop(/\bAPNs\b/.test(why) ? "apns" : "phone", why);
  }
  const unanswered = last("unanswered");
  if (unanswered) return stop("service", "APNs has not answered.");
  if (last("cancelled")) return stop("service", "It was cancelled.");
  return { at: "service", isStopped: false, reason: "" };
}

const stop = (at, reason) => ({ at, isStopped: true, reason });
