// Why a push cannot go out as the form has it, in the form's own words.

/** The longest device token, in bytes, and the longest time that APNs keeps a push, in seconds. */
const limits = { token: 256, seconds: 30 * 24 * 3600 };

/**
 * @param {Record<string, string>} fields of the form: `phone`, `token`, `type`, `expiration`; the phone "" is a token that is typed in
 * @param {{ name: string, app: string, token: string | null } | null} target the phone, its app, and that app's token for the push
 *   type; `null` for a token that is typed in
 * @returns {{ field: string, text: string } | null} the field by its name, and a sentence; `null` if the push can go out
 */
export function pushProblem({ token, type, expiration }, target) {
  if (expiration && !(/^\d+$/.test(expiration) && Number(expiration) <= limits.seconds)) {
    return { field: "expiration", text: `Expires in (s): a whole number from 0 to ${limits.seconds}, which is 30 days.` };
  }
  if (!target) {
    const isToken = /^([\da-f]{2})+$/i.test(token) && token.length <= 2 * limits.token;
    return isToken ? null : { field: "token", text: `Device token: 1 to ${limits.token} bytes in hexadecimal, such as 9f03ab.` };
  }
  if (target.token) return null;
  const text = type === "voip" ? `${target.app} on ${target.name} has no token for calls. Put Calls on it, under “Another app on a phone”.`
    : `${target.app} on ${target.name} has no device token yet. It gets one when it has registered, which most apps do after Allow.`;
  return { field: "phone", text };
}
