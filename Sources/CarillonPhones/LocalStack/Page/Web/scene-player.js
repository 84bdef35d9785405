// Guided scenes: each sets up the phones, asks what will happen, lets it happen, and says why. A scene is data of the server
// (`scenes` of GET /presets) or somebody's link, and has an address: #scene=expiry, #play=….

import { h, setText } from "./dom.js";
import { guideLink } from "./guide-view.js";
import { withTimes } from "./push-times.js";
import { endedBy, holds, nextCommand, remembered } from "./scene-plan.js";
import { readLink } from "./share.js";
import { parts, sceneLink } from "./stage-mode.js";

/** For what a step waits, unless it says otherwise, and for one command of the set-up, in seconds. */
const limits = { step: 20, command: 4 };
/** Between two steps, in ms: what has come about is looked at before something else happens. */
const beat = 1400;
/** For so long, in ms, a second press resets the demo. */
const resetPause = 6000;
/** Of the commands that set up one phone. */
const commandLimit = 40;
const stopped = new Error("stopped");

/** A link to a page of docs/, which may be followed by a heading of it: "docs/sending.md, Later". */
function pageLink(page) {
  const [file, heading] = page.split(/, (.*)/);
  return guideLink(h("code", { text: page }), file.replace(/^docs\/|\.md$/g, ""), heading);
}

/**
 * @param {object} options `scenes`; `opener`: the link that leads to them; `registering`: the id of the app that registers with the service; `phone(id)`, as of phone.js;
 *   `texts(id)`: those on the app's screen; `account(id)` of a message or push; `act`: `command(phone, name, body)`, `push(push)` and
 *   `send(message)`, which answer with an id, `recall(id)`, `expiry(value)`, which sets how APNs treats what has expired and answers how
 *   it has been, `fill(form, fields)` and `submit(form)`; `reset()`; `say(text)`; `puttingBack(isSo)`: whether the phones of a closed scene are on their way back
 */
export function createScenes({ scenes, opener, registering, phone, texts, account, act, reset, say, puttingBack }) {
  const title = h("h2", { class: "scene-title", tabindex: "-1" });
  const nav = h("p", { class: "scene-nav" });
  const body = h("div", { class: "scene-body" });
  const element = h("section", { class: "card scene", "aria-label": "Guided scenes", hidden: true }, h("div", { class: "scene-head" }, title, nav), body);
  const link = (text, changes) => sceneLink(text, { scene: null, play: null, ...changes });
  const button = (text, action, kind = "quiet") => h("button", { type: "button", class: kind, text, on: { click: action } });
  const waiting = new Set();
  /** Which showing of a scene the page is at; what an earlier one still does ends. */
  let current = null;
  /** What the phones and APNs were like before the first scene that changed them: put back when the scenes are closed. */
  const before = createBefore();

  function show(words, content, places) {
    const hadFocus = element.contains(document.activeElement);
    setText(title, words);
    nav.replaceChildren(...places);
    body.replaceChildren(...content.filter(Boolean));
    if (hadFocus) title.focus({ preventScroll: true });
  }

  /** Waits until `isSo`; fails after a time, and when another scene is shown. */
  const until = (isSo, seconds, run) => new Promise((resolve, reject) => {
    const end = (finish) => {
      waiting.delete(look);
      clearTimeout(timer);
      finish();
    };
    const timer = setTimeout(() => end(() => reject(new Error("This took longer than it should."))), seconds * 1000);
    function look() {
      if (run !== current) end(() => reject(stopped));
      else if (isSo()) end(resolve);
    }
    waiting.add(look);
    look();
  });

  async function setUpPhone(id, wanted, run) {
    const next = () => nextCommand(wanted, phone(id), registering);
    await until(() => phone(id), limits.step, run);
    for (let count = 0; count < commandLimit; count += 1) {
      const command = next();
      if (command === null) return;
      const isOther = () => JSON.stringify(next()) !== JSON.stringify(command);
      if (command === "wait") {
        await until(isOther, limits.step, run);
        continue;
      }
      // A phone may be busy; it is asked once more then.
      await act.command(id, ...command).catch((error) => { if (error.status !== 409) throw error; });
      await until(isOther, limits.command, run).catch((error) => { if (error === stopped) throw error; });
    }
    throw new Error(`${phone(id).state.name} does not get ready.`);
  }

  async function setUp(scene, run) {
    const ids = Object.keys(scene.setup);
    await until(() => ids.every(phone), limits.step, run);
    before.note(ids.map((id) => [id, remembered(phone(id).state)]));
    if (scene.strict) before.noteExpiry(await act.expiry("strict"));
    if (scene.filling) act.fill(scene.filling.form, scene.filling.fields);
    await Promise.all(Object.entries(scene.setup).map(([id, wanted]) => setUpPhone(id, wanted, run)));
  }

  /** What a step does itself; returns the id of a new message. */
  async function perform(step, last) {
    if (step.push) return act.push({ ...step.push, payload: JSON.stringify(withTimes(step.push.payload)) });
    if (step.send) return act.send(step.send);
    if (step.fill) return act.submit(step.fill);
    if (step.recall) await act.recall(last);
    if (step.tap) await act.command(step.tap, "tap", { notification: phone(step.tap).notifications[0].id });
    if (step.command) await act.command(...step.command);
    return last;
  }

  async function play(scene, items, run) {
    let last = null;
    for (const [index, step] of scene.steps.entries()) {
      if (run !== current) throw stopped;
      items[index].setAttribute("aria-current", "step");
      say(step.say);
      last = await perform(step, last) ?? last;
      const isSo = () => Object.entries(step.until ?? {}).every(([id, wanted]) => holds(wanted, phone(id), texts(id), account(last)));
      const end = () => endedBy(scene.steps.slice(0, index + 1), account(last));
      await until(() => isSo() || end(), step.seconds ?? limits.step, run);
      if (!isSo()) throw new Error(end());
      items[index].removeAttribute("aria-current");
      items[index].classList.add("done");
      if (index + 1 < scene.steps.length) await new Promise((resolve) => { setTimeout(resolve, beat); });
    }
  }

  /** Brings phones and APNs back into the state before the scenes. Another scene stops that; what it has left to do is done after that one. */
  async function putBack() {
    const { phones, expiry } = before.get();
    if (phones.length === 0) return;
    const run = (current = Symbol("back"));
    puttingBack(true);
    try {
      await until(() => phones.every(([id]) => phone(id)), limits.step, run);
      if (expiry) await act.expiry(expiry);
      await Promise.all(phones.map(([id, wanted]) => setUpPhone(id, wanted, run)));
      before.forget();
      say("The phones are as they were before the scene.");
    } catch (error) {
      if (error !== stopped) say(`The phones are not as they were before the scene. ${error.message}`);
    }
    if (run !== current) return;
    puttingBack(false);
  }

  function showList() {
    const groups = [...new Set(scenes.map(({ group }) => group))];
    const lists = groups.map((group) => h("div", { class: "scene-group" }, h("h3", { text: group }),
      h("ul", {}, scenes.filter((scene) => scene.group === group).map((scene) => h("li", {}, link(scene.title, { scene: scene.id }))))));
    const answer = h("span", { class: "hint", role: "status" });
    let asked = null;
    const rest = () => {
      asked = null;
      setText(undo, "Reset the demo");
      undo.classList.remove("danger");
    };
    const undo = button("Reset the demo", async () => {
      // Asks once: what is erased does not come back.
      if (asked === null) {
        asked = setTimeout(rest, resetPause);
        setText(undo, "Press again to erase all of it");
        undo.classList.add("danger");
        return;
      }
      clearTimeout(asked);
      rest();
      undo.disabled = true;
      try {
        await reset();
      } catch (error) {
        setText(answer, error.message);
        undo.disabled = false;
      }
    });
    show("Guided scenes", [
      h("p", { class: "hint", text: "Each clears the phones’ notifications and sets the phones up, asks what will happen, lets it happen, and says why. Closing brings the phones back into the state before." }),
      h("div", { class: "scene-groups" }, lists),
      h("p", { class: "scene-row" }, undo, h("span", { class: "hint", text: "Erases both phones, and empties timeline, log and drafts." }), answer),
    ], [link("Close", {})]);
  }

  function places(scene) {
    const following = scenes[scenes.indexOf(scene) + 1];
    return [link("All scenes", { scene: "" }), ...(following ? [link("Next", { scene: following.id })] : []), link("Close", {})];
  }

  /** The scene until it begins: nothing is done to the phones before somebody wants it. */
  function showIntroduction(scene) {
    const run = (current = Symbol(scene.id));
    const begin = button("Begin", async () => {
      begin.disabled = true;
      setText(note, "The phones are being set up…");
      await guarded(scene, run, async () => {
        await setUp(scene, run);
        showQuestion(scene, run);
      });
    }, "primary");
    const note = h("span", { class: "hint", role: "status", text: "This changes the phones, until the scene is closed." });
    show(scene.title, [h("p", { text: scene.scene }), h("p", { class: "scene-row" }, begin, note)], places(scene));
  }

  function showQuestion(scene, run) {
    const go = (chosen) => guarded(scene, run, () => showSteps(scene, chosen, run));
    const answers = scene.answers.map((answer, index) => h("li", {}, button(answer, () => go(index), "scene-answer")));
    const choice = answers.length > 0 ? h("ul", { class: "scene-answers" }, answers) : h("p", {}, button("Let it happen", () => go(null), "primary"));
    show(scene.title, [h("p", { text: scene.scene }), h("p", { class: "scene-question", text: scene.question }), choice], places(scene));
    title.focus({ preventScroll: true });
    say(scene.question);
  }

  async function showSteps(scene, chosen, run) {
    const items = scene.steps.map((step) => h("li", { text: step.say }));
    const steps = h("ol", { class: "scene-steps" }, items);
    show(scene.title, [h("p", { class: "scene-question", text: scene.question }), steps], places(scene));
    title.focus({ preventScroll: true });
    await play(scene, items, run);
    const isRight = chosen === scene.right;
    const verdict = chosen === null ? "" : isRight ? `Yes: ${scene.answers[chosen]}.` : `Not “${scene.answers[chosen]}”, but: ${scene.answers[scene.right]}.`;
    const reason = h("div", { class: "scene-reason", role: "status" },
      verdict ? h("p", { class: `scene-verdict ${isRight ? "good" : "warn"}`, text: verdict }) : null, h("p", { text: scene.reason }),
      scene.page ? h("p", { class: "hint" }, "More in ", pageLink(scene.page)) : null);
    body.append(reason, h("p", { class: "scene-row" }, button("Once more", () => showIntroduction(scene))));
  }

  async function guarded(scene, run, work) {
    try {
      await work();
    } catch (error) {
      if (error === stopped || run !== current) return;
      body.append(h("p", { class: "scene-row", role: "alert" }, h("span", { class: "outcome bad", text: error.message }), button("Begin again", () => showIntroduction(scene))));
    }
  }

  /** A link of somebody else: their form's content, on phones as they were there. */
  function shared(text) {
    const read = readLink(text);
    if (!read) return null;
    return {
      id: "play", title: "A push that somebody has sent you", setup: read.phones, answers: [],
      scene: "The phones are brought into the state in which they were there. The form shows what goes out.", question: "What will happen?",
      filling: read, steps: [{ say: "It goes out.", fill: read.form }],
      reason: "The lane says where it is on each phone, and why it may not be there. Change the form, and send it once more.",
    };
  }

  function showDamaged() {
    show("This link cannot be read", [h("p", { text: "Its address is damaged, or comes from another version. Copy the link once more where it was made." })], [link("All scenes", { scene: "" }), link("Close", {})]);
  }

  function follow() {
    const now = parts();
    current = null;
    for (const look of [...waiting]) look();
    const scene = now.has("play") ? shared(now.get("play")) : scenes.find(({ id }) => id === now.get("scene"));
    const hadFocus = element.contains(document.activeElement);
    element.hidden = !now.has("scene") && !now.has("play");
    if (element.hidden && hadFocus) opener.focus();
    puttingBack(false);
    if (element.hidden) return putBack();
    if (scene) showIntroduction(scene);
    else if (now.has("play")) showDamaged();
    else showList();
    title.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
  }
  addEventListener("hashchange", (event) => {
    // The stage mode has a part of the address too.
    const [before, now] = [event.oldURL, event.newURL].map((url) => new URLSearchParams(new URL(url).hash.slice(1)));
    if (["scene", "play"].some((part) => before.get(part) !== now.get(part))) follow();
  });

  return {
    element, follow,
    /** Something has happened on the phones. */
    look() {
      for (const look of [...waiting]) look();
    },
  };
}

/** What was there before the scenes, by phone, also after a reload of the page. */
function createBefore() {
  const key = "before-scene";
  const nothing = { phones: [], expiry: null };
  let kept = nothing;
  try {
    kept = JSON.parse(sessionStorage.getItem(key)) ?? nothing;
  } catch {
    // Nothing is kept beyond this page.
  }
  const keep = (next) => {
    kept = next;
    try {
      sessionStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // Nothing is kept beyond this page.
    }
  };
  return {
    get: () => kept,
    /** Of a phone that two scenes change, the first state counts. */
    note: (states) => keep({ ...kept, phones: [...kept.phones, ...states.filter(([id]) => !kept.phones.some(([known]) => known === id))] }),
    noteExpiry: (expiry) => keep({ ...kept, expiry: kept.expiry ?? expiry }),
    forget: () => keep(nothing),
  };
}
