// Moments in words.

/** How long after `start`, short enough for a column: +0.12 s, +34 s, +5 min. */
export function offset(moment, start) {
  const seconds = (Date.parse(moment) - Date.parse(start)) / 1000;
  if (!Number.isFinite(seconds)) return "";
  if (Math.abs(seconds) < 10) return `+${Math.max(0, seconds).toFixed(2)} s`;
  if (seconds < 120) return `+${Math.round(seconds)} s`;
  return `+${Math.round(seconds / 60)} min`;
}
