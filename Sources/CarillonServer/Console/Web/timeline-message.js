// One message of the timeline: what it is, and a line for each device.

import { whileBusy } from "./busy.js";
import { copyText } from "./copy-text.js";
import { h, icon, reconcile, setAttribute, setText } from "./dom.js";
import { icons } from "./icons.js";
import { shortID, standing } from "./message-words.js";
import { createLane } from "./timeline-lane.js";

/** As long, in s, the recall of a message that has not gone out can be taken back. */
const graceSeconds = 5;

/** @param {object} options as of timeline.js */
export function createMessage({ recall, readElsewhere, steer, again, describe }) {
  const title = h("strong", { class: "message-title" });
  const id = h("button", { type: "button", class: "message-id", on: { click: () => copyID() } });
  const replaced = h("span", { class: "revision" });
  const sentAt = h("time", { class: "message-time" });
  const mode = h("span", { class: "message-mode" });
  const state = h("span", { class: "pill", title: "What APNs and the devices have reported: a device may show more than its app could report" });
  const repeat = h("button", { type: "button", class: "quiet again", title: "Sends the same content once more, as a new message" }, icon(icons.again), h("span", { text: "Again" }));
  const recallWords = h("span", { text: "Recall" });
  const button = h("button", { type: "button", class: "quiet recall" }, icon(icons.undo), recallWords);
  const steering = ["pause", "resume", "cancel"].map((change) => h("button", {
    type: "button", class: `quiet ${change}`, text: change[0].toUpperCase() + change.slice(1), hidden: true, on: { click: (event) => steerBy(event.target, change) },
  }));
  /** Made once a message of a reader is there to be read. */
  let reader = null;
  function showReader() {
    const canBeRead = readElsewhere && current.origin !== "apns" && current.devices.length > 0 && !["read", "recalled", "expired", "cancelled"].includes(standing(current));
    if (canBeRead && !reader) {
      reader = h("button", {
        type: "button", class: "quiet read-elsewhere", text: "Read elsewhere", title: "As if it had been read on a desktop: it goes from every device",
        on: { click: () => attempt(reader, () => readElsewhere(current.id)) },
      });
      button.before(reader);
    }
    if (reader && reader.hidden === Boolean(canBeRead)) reader.hidden = !canBeRead;
  }
  const progress = h("p", { class: "empty progress", role: "status", hidden: true });
  const problem = h("p", { class: "message-problem outcome bad", role: "status", hidden: true });
  const lanes = h("ul", { class: "lanes" });
  let isUnfolded = false;
  const former = h("button", { type: "button", class: "fold former-fold", "aria-expanded": "false", hidden: true, on: { click: () => {
    isUnfolded = !isUnfolded;
    showFormer();
  } } });
  const nobody = h("p", { class: "empty", text: "The audience has no registered device.", hidden: true });
  const element = h("li", { class: "message" },
    h("div", { class: "message-head" }, h("span", { class: "message-names" }, title, id, sentAt, mode), replaced, state, repeat, steering, button), problem, progress, lanes, former, nobody);
  let current = null;
  let drawnWidth = 0;

  function copyID() {
    // Not allowed: the whole id can at least be selected.
    copyText(id, current.id, () => {
      setText(id, current.id);
      getSelection().selectAllChildren(id);
    });
  }
  /** Does what a button stands for; where that fails, says so below the buttons until the next press or the next news. */
  const attempt = (pressed, work) => whileBusy(pressed, async () => {
    showProblem("");
    try {
      await work();
    } catch (error) {
      showProblem(error.message);
    }
  });
  function showProblem(words) {
    problem.hidden = words === "";
    setText(problem, words);
  }
  const steerBy = (pressed, change) => attempt(pressed, () => steer(current.id, change));
  /** When the recall of a message that has not gone out is sent; `null` while there is none. */
  let recallAt = null;
  const isWaiting = () => current.devices.length === 0 && ["scheduled", "paused"].includes(current.state);
  const recallNow = () => attempt(button, () => recall(current.id)).then(showRecall);
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    if (!isWaiting()) return recallNow();
    recallAt = recallAt === null ? Date.now() + graceSeconds * 1000 : null;
    element.tick();
  });
  function showRecall() {
    const left = recallAt === null ? 0 : Math.ceil((recallAt - Date.now()) / 1000);
    if (recallAt !== null && (left <= 0 || !isWaiting())) {
      recallAt = null;
      recallNow();
    }
    setText(recallWords, recallAt === null ? "Recall" : `Undo (${left})`);
    setAttribute(button, "title", recallAt === null ? "Takes the message back from every device, and stops what has not gone out" : "It has not gone out: it can stay after all");
    if (button.hasAttribute("aria-busy")) return;
    setAttribute(button, "aria-disabled", current.state === "recalled" ? "true" : null);
  }
  repeat.addEventListener("click", () => attempt(repeat, async () => { await again(current)?.(); }));

  function showNobody({ state, send_at: moment }) {
    const left = state === "scheduled" && moment ? Math.ceil((Date.parse(moment) - Date.now()) / 1000) : 0;
    const time = moment ? new Date(moment).toLocaleTimeString("en-GB", { timeStyle: "short" }) : "";
    setText(nobody, left > 0 ? `Goes out at ${time}, ${inTime(left)}.` : state === "scheduled" ? "Is about to go out." : "The audience has no registered device.");
  }

  /** Folds the lanes of installations that are no more away, and says how many there are. */
  function showFormer() {
    const gone = [...lanes.children].filter((lane) => lane.classList.contains("former"));
    for (const lane of lanes.children) lane.hidden = lane.classList.contains("former") && !isUnfolded;
    former.hidden = gone.length === 0;
    former.setAttribute("aria-expanded", String(isUnfolded));
    setText(former, isUnfolded ? "Fold former installations" : `${gone.length} former installation${gone.length === 1 ? "" : "s"}`);
  }
  /** An expiry and the wait of an assured message pass without anyone saying so. */
  element.tick = () => {
    showRecall();
    const words = recallAt === null ? standing(current) : "being recalled";
    setText(state, words);
    if (state.dataset.state !== words) state.dataset.state = words;
    showNobody(current);
    const canRepeat = again(current) !== null;
    if (repeat.hidden === canRepeat) repeat.hidden = !canRepeat;
    showReader();
    for (const lane of lanes.children) lane.tick?.();
    showFormer();
  };
  element.settle = () => showProblem("");
  element.light = (matches) => {
    for (const lane of lanes.children) lane.light?.(matches);
  };
  element.show = (message, width) => {
    if (message === current && width === drawnWidth) return;
    if (message !== current) showHead(message);
    if (current && message.state !== current.state) showProblem("");
    current = message;
    drawnWidth = width;
    element.tick();
    const described = message.devices.map((device) => ({ device, words: describe(device, message) }));
    const isFormer = ({ words }) => Number(words.isFormer?.() ?? false);
    reconcile(lanes, described.sort((a, b) => isFormer(a) - isFormer(b)), {
      key: ({ device }) => device.device, create: createLane,
      update: (lane, { device, words }) => lane.show(device, message, words, width),
    });
    showFormer();
  };
  function showHead(message) {
    element.dataset.message = message.id;
    const isPush = message.origin === "apns";
    setText(title, message.title || (isPush ? "Push" : "Message"));
    title.title = title.textContent;
    // Once: what the button says of a copy stays when the message changes.
    if (!current) setText(id, shortID(message.id));
    id.title = `Copy ${message.id}`;
    id.setAttribute("aria-label", `Copy the id ${message.id}`);
    setText(sentAt, clock(message.created));
    sentAt.dateTime = message.created;
    sentAt.title = "When it was sent";
    setText(mode, isPush ? `${message.mode} push, directly` : message.mode === "visible" ? "" : message.mode ?? "");
    setText(replaced, message.revision > 1 ? `revision ${message.revision}` : "");
    replaced.title = "The same id was sent again with other content, and replaced what was shown.";
    button.hidden = isPush;
    for (const choice of steering) choice.hidden = isPush || !choices[message.state]?.includes(choice.classList[1]);
    progress.hidden = !message.progress;
    setText(progress, message.progress ? progressWords(message) : "");
    nobody.hidden = message.devices.length > 0 || Boolean(message.progress);
    showNobody(message);
  }
  return element;
}

/** The time of day of a moment, to the second. */
const clock = (moment) => new Date(moment).toLocaleTimeString("en-GB");

/** How long something still takes, such as "in 41 s" or "in 3 min". */
function inTime(seconds) {
  if (seconds < 120) return `in ${seconds} s`;
  return seconds < 7200 ? `in ${Math.round(seconds / 60)} min` : `in ${Math.round(seconds / 3600)} h`;
}

/** What can be done about what is still to be sent. */
const choices = {
  accepted: ["pause", "cancel"], scheduled: ["pause", "cancel"], sending: ["pause", "cancel"], paused: ["resume", "cancel"],
};

/** How far a message to very many devices has come. */
function progressWords({ progress, counts }) {
  const number = (value) => value.toLocaleString("en");
  const words = [`${number(counts.accepted)} of ${number(counts.devices)} accepted`];
  if (progress.decided < progress.total) words.push(`${number(progress.decided)} of ${number(progress.total)} devices decided`);
  if (counts.shown > 0) words.push(`${number(counts.shown)} shown`);
  if (progress.per_second > 0) words.push(`${number(Math.round(progress.per_second))} a second`);
  if (progress.finishes_at) words.push(`done at ${new Date(progress.finishes_at).toLocaleTimeString("en-GB")}`);
  return words.join(" · ");
}
