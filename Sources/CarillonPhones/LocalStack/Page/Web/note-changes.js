// A phone's list of notifications, kept by the changes that the stream sends.

/** The list after a change; the newest first. `docs/page-api.md` describes the change. */
export function changed(notifications, { reset, gone, put }) {
  const left = new Set(gone);
  const kept = reset ? [] : notifications.filter((item) => !left.has(item.id));
  const known = new Set(kept.map((item) => item.id));
  const news = new Map(put.map((item) => [item.id, item]));
  return [...put.filter((item) => !known.has(item.id)), ...kept.map((item) => news.get(item.id) ?? item)];
}
