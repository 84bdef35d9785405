// What becomes of a payload, while it is typed: the notification as a phone draws it, and what `carillon validate` says.

import { h, setText } from "./dom.js";
import { createCard } from "./notification-card.js";

/** After the last change, before the question: nobody reads between two keys. */
const pause = 200;
/** Of a phone's screen, in points. */
const previewWidth = 393;

/**
 * @param {(question: object) => Promise<object>} check asks what `carillon validate` says
 * @param {{ name: string, categories: [string, string][] }} app whose notification it is
 */
export function createInspect(check, app) {
  const card = createCard("preview", { scale: () => 1 });
  const nothing = h("p", { class: "preview-none", text: "Nothing is shown." });
  const preview = h("div", { class: "preview", role: "img" }, card, nothing);
  const verdict = h("ul", { class: "checks", "aria-label": "What becomes of it" });
  // As wide as on a phone, and then scaled as a whole: lines break where the phone breaks them.
  new ResizeObserver(() => preview.style.setProperty("--zoom", preview.clientWidth / previewWidth)).observe(preview);
  let timer = null;
  let latest = 0;

  async function ask(question, note) {
    const number = (latest += 1);
    try {
      const answer = await check(question);
      if (number === latest) showChecks(verdict, answer, note);
    } catch {
      // The line at the top of the page says that nothing answers.
    }
  }

  return {
    element: h("div", { class: "inspect" }, preview, verdict),
    /** `payload` is text; `mode` is that of a message through the service, `type` and `priority` are those of a push. */
    show({ payload, mode, type = "alert", priority }) {
      const shown = type === "alert" ? alertOf(payload) : null;
      card.hidden = !shown;
      nothing.hidden = Boolean(shown);
      if (shown) card.show({ id: "", level: "active", thread: "", actions: [], ...shown }, app.name, Date.now());
      preview.setAttribute("aria-label", shown ? `Preview: ${[shown.title || app.name, shown.subtitle, shown.body].filter(Boolean).join(", ")}` : "Preview: nothing is shown");
      const note = mode === "silent" ? "A background push wakes the app, which makes this notification itself." : null;
      clearTimeout(timer);
      timer = setTimeout(() => ask({ payload, push_type: type, priority }, note), pause);
    },
  };
}

/** The texts that a phone shows; `null` for a payload that shows none. */
function alertOf(payload) {
  let json;
  try {
    json = JSON.parse(payload);
  } catch {
    return null;
  }
  const alert = json?.aps?.alert;
  const parts = typeof alert === "string" ? { body: alert } : alert ?? {};
  const text = (value) => (typeof value === "string" ? value : "");
  const [title, subtitle, body] = [text(parts.title), text(parts.subtitle), text(parts.body)];
  if (!title && !subtitle && !body) return null;
  return { title, subtitle, body, picture: typeof json.media_url === "string" };
}

const signs = { error: "✘", warning: "!", fine: "✔" };

/** Problems first; of what is fine only the sentences on what a person would see. */
function showChecks(list, { lines, summary }, note) {
  const problems = lines.filter(({ severity }) => severity !== "fine").sort((a, b) => a.severity.localeCompare(b.severity));
  const rows = problems.map(({ key, severity, meaning }) => ({ severity, key: key || "payload", text: meaning }));
  if (!problems.some(({ severity }) => severity === "error")) rows.push({ severity: "fine", key: "", text: note ?? summary[0] });
  const signature = JSON.stringify(rows);
  if (list.dataset.signature === signature) return;
  list.dataset.signature = signature;
  list.replaceChildren(...rows.map(({ severity, key, text }) =>
    h("li", { class: "check", data: { severity } }, h("span", { class: "check-sign", "aria-label": severity, text: signs[severity] }),
      h("span", {}, key ? h("code", { text: key }) : null, key ? " " : null, text))));
}
