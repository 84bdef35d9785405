// Times in payloads that are counted from the moment at which a payload is used.

/**
 * A payload in which `{"$seconds_from_now": 60}` stands for a time in milliseconds since 1970, and `{"$unix_seconds_from_now": 60}`
 * for one in seconds.
 */
export function withTimes(value, now = Date.now()) {
  if (Array.isArray(value)) return value.map((member) => withTimes(member, now));
  if (value === null || typeof value !== "object") return value;
  if ("$seconds_from_now" in value) return now + value.$seconds_from_now * 1000;
  if ("$unix_seconds_from_now" in value) return Math.floor(now / 1000) + value.$unix_seconds_from_now;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTimes(member, now)]));
}
