// A payload, explained while somebody types it: the notification as a phone draws it, and the result of `carillon validate`.

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
  const nothing = h("p", { class: "preview-none", hidden: true });
  const preview = h("div", { class: "preview", role: "img" }, card, nothing);
  const verdict = h("ul", { class: "checks", "aria-label": "What becomes of it" });
  // As wide as on a phone, and then scaled as a whole: lines break where the phone breaks them.
  new ResizeObserver(() => {
    preview.style.setProperty("--zoom", preview.clientWidth / previewWidth);
    if (waiting && preview.clientWidth > 0) whenSeen(waiting);
  }).observe(preview);
  let timer = null;
  /** The question that is asked when the form is shown: nobody reads an answer in a form that is hidden. */
  let waiting = null;
  const whenSeen = (question) => {
    const isSeen = preview.clientWidth > 0;
    waiting = isSeen ? null : question;
    if (isSeen) question();
  };
  let latest = 0;

  async function ask(question, note, answered) {
    const number = (latest += 1);
    try {
      const answer = await check(question);
      if (number !== latest) return;
      // What an app makes of a push that iOS does not show is the app's.
      setText(nothing, question.push_type === "alert" ? "Nothing is shown." : "iOS itself shows nothing.");
      showText(answer.shown, question.payload);
      showChecks(verdict, answer, note);
      answered?.(answer);
    } catch {
      // The line at the top of the page says that nothing answers.
    }
  }

  /** `text` as `carillon validate` has it: without the members that a phone overlooks; `undefined` for none. */
  function showText(text, payload) {
    card.hidden = !text;
    nothing.hidden = Boolean(text);
    if (text) card.show({ id: "", level: "active", thread: "", actions: [], ...text, picture: hasPicture(payload) }, app.name, Date.now());
    preview.setAttribute("aria-label", text ? `Preview: ${[text.title || app.name, text.subtitle, text.body].filter(Boolean).join(", ")}` : "Preview: nothing is shown");
  }

  return {
    element: h("div", { class: "inspect" }, preview, verdict),
    /** `payload` is text; `mode` is that of a message through the service, `type` and `priority` are those of a push; `answered` gets the answer. */
    show({ payload, mode, type = "alert", priority, answered }) {
      const note = mode === "silent" ? "A background push wakes the app, which makes this notification itself." : null;
      clearTimeout(timer);
      timer = setTimeout(() => whenSeen(() => ask({ payload, push_type: type, priority }, note, answered)), pause);
    },
  };
}

/** Whether the payload names a picture for the service extension. */
function hasPicture(payload) {
  try {
    return typeof JSON.parse(payload)?.media_url === "string";
  } catch {
    return false;
  }
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
