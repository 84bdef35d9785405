// Why a push cannot go out as the form has it, in the form's own words.

/** The longest device token, in bytes, and the longest time that APNs keeps a push, in seconds. */
const limits = { token: 256, seconds: 30 * 24 * 3600 };

/**
 * @param {Record<string, string>} fields of the form: `phone`, `token`, `topic`, `type`, `expiration`; the phone "" is a token that is typed in
 * @param {{ name: string, app: string, token: string | null } | null} target the phone, its app, and that app's token for the push
 *   type; `null` for a token that is typed in
 * @returns {{ field: string, text: string }[]} each with the field by its name, and a sentence; none if the push can go out
 */
export function pushProblems({ token, topic, type, expiration }, target) {
  const isTime = !expiration || (/^\d+$/.test(expiration) && Number(expiration) <= limits.seconds);
  const found = isTime ? [] : [{ field: "expiration", text: `Expires in (s): a whole number from 0 to ${limits.seconds}, which is 30 days.` }];
  if (!target) {
    const isToken = /^([\da-f]{2})+$/i.test(token) && token.length <= 2 * limits.token;
    if (!topic?.trim()) found.push({ field: "topic", text: "Topic: the bundle id of the token’s app, such as com.example.chime." });
    return isToken ? found : [...found, { field: "token", text: `Device token: 1 to ${limits.token} bytes in hexadecimal, such as 9f03ab.` }];
  }
  if (target.token) return found;
  const text = type === "liveactivity" ? `${target.app} on ${target.name} has no token for this push: a start needs an app with Live Activities, such as Match under “Another app on a phone”; an update or an end needs a Live Activity.`
    : type === "voip" ? `${target.app} on ${target.name} has no token for calls. Put Calls on it, under “Another app on a phone”.`
    : `${target.app} on ${target.name} has no device token yet. It gets one when it has registered, which most apps do after Allow.`;
  return [...found, { field: "phone", text }];
}
