// A message through the service: the form, and beside it what is sent, as it changes.

import { h, icon, setText } from "./dom.js";
import { choice, segments, setField, textArea, textField, tick } from "./fields.js";
import { byteCount, shellQuoted, showJSON } from "./json-view.js";

const payloadLimit = 4096;

const lifetimes = [
  ["", "Never"], ["10", "In 10 seconds"], ["60", "In a minute"], ["3600", "In an hour"],
];

const modes = [
  ["visible", "Visible", "An alert push: shown even after a force-quit."],
  ["silent", "Silent", "The app makes the notification, and can veto it."],
  ["assured", "Assured", "Silent first, visible if nothing was shown in time."],
];

const examples = [
  ["Breaking news", { title: "Comet seen over the harbour", body: "It is bright enough for the naked eye until Sunday.", link: "https://example.org/comet", mode: "visible", until: "" }],
  ["Podcast", { title: "The Bell Founders, part 3", body: "Forty minutes on how a carillon gets its voice.", link: "", mode: "visible", until: "" }],
  ["Flash sale", { title: "Flash sale", body: "Half price for the next ten seconds.", link: "", mode: "visible", until: "10" }],
  ["Silent", { title: "Made on the phone", body: "This one came as a background push.", link: "", mode: "silent", until: "" }],
];

/**
 * @param {object} options `audience`: [[value, label]…] with a `to` for each in `targets`; `send(body)`;
 *   `curl(json)`: a command line that does the same
 */
export function createCompose({ audience, targets, categories, send, curl }) {
  const json = h("pre", { class: "json", tabindex: "0", "aria-label": "What is sent, as JSON" });
  const size = h("p", { class: "size" });
  const outcome = h("p", { class: "outcome", role: "status" });
  const button = h("button", { type: "submit", class: "primary" }, icon("send"), h("span", { text: "Send" }));
  const form = h("form", { class: "compose-form", novalidate: true },
    h("div", { class: "examples", role: "group", "aria-label": "Examples" },
      examples.map(([label, values]) => h("button", { type: "button", class: "chip", text: label, on: { click: () => fill(form, values) } }))),
    h("div", { class: "row wide-first" }, choice("to", "To", audience), choice("until", "Expires", lifetimes)),
    textField("title", "Title", { value: examples[0][1].title }),
    textArea("body", "Text", { value: examples[0][1].body }),
    segments("mode", "Delivery", modes),
    h("details", {}, h("summary", { text: "More" }),
      h("div", { class: "more" },
        textField("subtitle", "Subtitle"),
        textField("link", "Link (link_url)", { value: examples[0][1].link }),
        categories.length > 0 ? choice("category", "Category", [...categories, ["", "None"]]) : null,
        choice("level", "Interruption level", [["", "Active (default)"], ["passive", "Passive: list only"], ["time-sensitive", "Time-sensitive"]]),
        textField("thread", "Thread"),
        textField("id", "Message id", { placeholder: "made by the service", hint: "Sending an id again replaces the notification." }),
        h("p", { class: "ticks" }, tick("sound", "Sound", true), tick("badge", "Badge “auto”: also count a broadcast")))),
    h("p", { class: "send-row" }, button, outcome));

  const refresh = () => {
    const body = message(form, targets);
    showJSON(json, body);
    const bytes = byteCount(body.payload);
    setText(size, `payload ${bytes} of ${payloadLimit} bytes`);
    size.classList.toggle("too-big", bytes > payloadLimit);
  };
  form.addEventListener("input", refresh);
  form.addEventListener("change", refresh);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    setText(outcome, "");
    try {
      const answer = await send(message(form, targets));
      outcome.className = "outcome good";
      outcome.dataset.id = answer.id;
      setText(outcome, `Accepted as ${answer.id.length > 20 ? `${answer.id.slice(0, 8)}…` : answer.id}`);
    } catch (error) {
      outcome.className = "outcome bad";
      setText(outcome, error.message);
    } finally {
      button.disabled = false;
    }
  });
  refresh();
  // What expires in ten seconds is ten seconds from when it is looked at.
  setInterval(() => { if (form.elements.until.value !== "" && !form.hidden) refresh(); }, 1000);

  const copy = h("button", { type: "button", class: "quiet" }, icon("copy"), h("span", { text: "Copy as curl" }));
  copy.addEventListener("click", () => copyText(copy, curl(shellQuoted(JSON.stringify(message(form, targets))))));
  return h("div", { class: "two-up" }, form, h("div", { class: "aside" }, json, h("div", { class: "aside-foot" }, size, copy)));
}

/** Says on the button itself whether it worked: the clipboard may be refused. */
export async function copyText(button, text) {
  const words = button.querySelector("span");
  const before = words.textContent;
  try {
    await navigator.clipboard.writeText(text);
    words.textContent = "Copied";
  } catch {
    words.textContent = "Not allowed to copy";
  }
  setTimeout(() => { words.textContent = before; }, 1600);
}

function fill(form, values) {
  for (const [name, value] of Object.entries(values)) setField(form, name, value);
}

/** The body of `POST /v1/notifications` that the form describes. */
function message(form, targets) {
  const value = (name) => form.elements[name]?.value.trim() ?? "";
  const alert = { title: value("title") };
  if (value("subtitle")) alert.subtitle = value("subtitle");
  alert.body = value("body");
  const aps = { alert };
  if (form.elements.sound.checked) aps.sound = "default";
  if (form.elements.badge.checked) aps.badge = "auto";
  if (value("category")) aps.category = value("category");
  if (value("thread")) aps["thread-id"] = value("thread");
  if (value("level")) aps["interruption-level"] = value("level");
  if (value("link")) aps.link_url = value("link");
  const body = { to: targets[value("to")], payload: { aps } };
  if (value("mode") !== "visible") body.mode = value("mode");
  if (value("until")) body.until = new Date(Date.now() + Number(value("until")) * 1000).toISOString();
  if (value("id")) body.id = value("id");
  return body;
}
