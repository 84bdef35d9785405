// Why a message through the service does not reach a phone of the page, or is not seen there: said before it is sent, and after.

/** What every phone in question has in common, by what stands in the way there. */
const together = {
  absent: (name) => `No phone has ${name}, and the service reaches no other app. Put it back under “Another app on a phone”, beside “Directly to APNs”.`,
  unasked: () => "No phone allows notifications yet. Press Allow on one first, or what you send is not seen.",
  denied: () => "No phone allows notifications. Switch them on in a phone’s Settings, or what you send is not seen.",
  quit: (name) => `${name} is force-quit, so iOS wakes it for no silent push. Open it on a phone first, or send the message as assured or visible.`,
  offline: () => "Every phone is offline: APNs keeps the newest push for each until it is back.",
};

/**
 * What stands in the way on one phone; `null` for nothing.
 * @param {object} phone its state
 * @param {[string, string]} registering id and name of the app that registers with the service
 * @param {string} mode of the message
 * @returns {{ kind: keyof together, words: string } | null} a sentence for a phone that is alone in this
 */
export function hindrance({ name: phone, app, permission, aeroplane }, [id, name], mode) {
  if (app.id !== id) return { kind: "absent", words: `${phone} has ${app.name}, which the service does not reach.` };
  if (permission === "not-determined") return { kind: "unasked", words: `${phone} has not been asked, or has not answered: press Allow on it.` };
  if (permission === "denied") return { kind: "denied", words: `${phone} allows no notifications: iOS shows none there.` };
  if (mode === "silent" && app.force_quit) return { kind: "quit", words: `${name} is force-quit on ${phone}: no silent push wakes it.` };
  return aeroplane ? { kind: "offline", words: `${phone} is offline: APNs keeps the push until it is back.` } : null;
}

/** Why a message of a mode is not seen on one of the phones, or on any; empty where it is seen on all. */
export function sendWarning(phones, registering, mode) {
  const found = phones.map((phone) => hindrance(phone, registering, mode)).filter(Boolean);
  const isShared = found.length > 0 && found.length === phones.length && found.every(({ kind }) => kind === found[0].kind);
  return isShared ? together[found[0].kind](registering[1]) : found.map(({ words }) => words).join(" ");
}

/** Which phones a message has not gone to although it was for all of them, and why; empty where it has gone to all. */
export function missedPhones(phones, registering) {
  const out = phones.filter(({ app }) => app.id !== registering[0] || !app.installation);
  const words = out.map((phone) => (phone.app.id === registering[0] ? `${registering[1]} on ${phone.name} has not registered yet.` : hindrance(phone, registering).words));
  return out.length > 0 ? [`for ${phones.length - out.length} of ${phones.length} phones.`, ...words].join(" ") : "";
}
