// Moments as a phone shows them, in its region, and as the log does.

/** Until a phone says its region. */
const everywhere = { locale: "en-GB", twelve_hour: false };

const formats = new Map();

/** Making a format is slow; there are few. */
function format(Kind, { locale } = everywhere, options) {
  const key = `${Kind.name} ${locale} ${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Kind(locale, options));
  return formats.get(key);
}

/** Since when, as a notification says it: now, 5m ago, yesterday's date. */
export function relativeTime(moment, now, region = everywhere) {
  const seconds = Math.max(0, (now - Date.parse(moment)) / 1000);
  // iOS says "5m ago" in every English-speaking region.
  const said = region.locale.startsWith("en") ? { ...region, locale: "en-US" } : region;
  const ago = (count, unit) => format(Intl.RelativeTimeFormat, said, { style: "narrow", numeric: "auto" }).format(-count, unit);
  if (seconds < 60) return ago(0, "second");
  if (seconds < 3600) return ago(Math.floor(seconds / 60), "minute");
  if (seconds < 86400) return ago(Math.floor(seconds / 3600), "hour");
  return format(Intl.DateTimeFormat, region, { day: "numeric", month: "short" }).format(new Date(moment));
}

/** The word for this moment. */
export const justNow = (region = everywhere) =>
  format(Intl.RelativeTimeFormat, region, { style: "narrow", numeric: "auto" }).format(0, "second");

/** A number in the digits of the region. */
export const wholeNumber = (value, region = everywhere) => format(Intl.NumberFormat, region, {}).format(value);

/** The time alone: a phone's clock has no "am" or "pm". */
export function clock(moment, region = everywhere) {
  const options = { hour: region.twelve_hour ? "numeric" : "2-digit", minute: "2-digit", hourCycle: region.twelve_hour ? "h12" : "h23" };
  const parts = format(Intl.DateTimeFormat, region, options).formatToParts(new Date(moment));
  return parts.filter(({ type }) => type !== "dayPeriod").map(({ value }) => value).join("").trim();
}

export const date = (moment, region = everywhere) =>
  format(Intl.DateTimeFormat, region, { weekday: "long", day: "numeric", month: "long" }).format(new Date(moment));
export const weekday = (moment, region = everywhere) => format(Intl.DateTimeFormat, region, { weekday: "long" }).format(new Date(moment));
export const dayOfMonth = (moment, region = everywhere) => format(Intl.NumberFormat, region, {}).format(new Date(moment).getDate());

export const stamp = (moment) => new Date(moment).toLocaleTimeString([], { hour12: false });
