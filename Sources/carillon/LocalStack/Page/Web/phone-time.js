// Moments as a phone shows them, and as the log does.

/** Since when, as a notification says it: now, 5m ago, yesterday's date. */
export function relativeTime(moment, now) {
  const seconds = Math.max(0, (now - Date.parse(moment)) / 1000);
  if (seconds < 60) return "now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)}h ago`;
  return new Date(moment).toLocaleDateString(undefined, { day: "numeric", month: "short" });
}

export const clock = (moment) => new Date(moment).toLocaleTimeString([], { hour: "numeric", minute: "2-digit", hour12: false });
export const weekday = (moment) => new Date(moment).toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long" });
export const stamp = (moment) => new Date(moment).toLocaleTimeString([], { hour12: false });
