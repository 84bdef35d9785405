// Whatever state the phones are in, each scene gets them ready.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { endedBy, holds, nextCommand, passedOn, remembered } from "./scene-plan.js";

const scenes = JSON.parse(readFileSync(process.env.SCENES, "utf8"));

/** A phone as it is after the first start: the app in front asks for permission. */
function newPhone(changes = {}) {
  const { app = {}, ...more } = changes;
  return {
    notifications: more.notifications ?? [],
    state: {
      id: "phone-1", screen: "app", center_open: false, aeroplane: false, permission: "not-determined", calls: [], banner: null,
      sheet: { title: "?" }, authentication: null, settings: { focus: false, low_power: false, low_battery: false, background_refresh: true },
      ...more, app: { id: "chime", state: "in the foreground", force_quit: false, token: null, installation: null, ...app },
    },
  };
}

/** What a phone makes of a command; it refuses what a locked or offline phone cannot do. */
function obey(phone, [name, body]) {
  const { state } = phone;
  const front = (screen) => Object.assign(state, { screen, center_open: false, app: { ...state.app, state: screen === "app" ? "in the foreground" : state.app.force_quit ? "force-quit" : "suspended" } });
  const register = () => { if (state.permission === "authorized" && !state.aeroplane) Object.assign(state.app, { token: "aa", installation: state.app.id === "chime" ? "i" : null }); };
  const commands = {
    aeroplane: () => { state.aeroplane = body.on; register(); },
    app() {
      phone.notifications = [];
      Object.assign(state, { permission: "not-determined", sheet: { title: "?" }, app: { id: body.value, force_quit: false, token: null, installation: null } });
      front("app");
    },
    authenticate: () => { state.authentication = null; },
    center: () => { state.center_open = body.open; },
    "clear-all": () => { phone.notifications = []; state.banner = null; },
    "decline-call": () => { state.calls = []; }, "end-call": () => { state.calls = []; },
    flick: () => { state.banner = null; },
    "force-quit"() {
      Object.assign(state.app, { force_quit: true });
      front(state.screen === "lock" ? "lock" : "home");
    },
    home: () => { assert.notEqual(state.screen, "lock"); front("home"); },
    lock: () => front("lock"),
    open() {
      assert.notEqual(state.screen, "lock", "a locked phone opens no app");
      state.app.force_quit = false;
      front("app");
      if (state.permission === "not-determined") state.sheet = { title: "?" };
      register();
    },
    permission() {
      assert.ok(state.sheet);
      Object.assign(state, { sheet: null, permission: body.allow ? "authorized" : "denied" });
      register();
    },
    set() {
      if (body.setting === "notifications") state.permission = body.on ? "authorized" : "denied";
      else state.settings[body.setting.replace("-", "_")] = body.on;
      register();
    },
    unlock: () => front("home"),
  };
  assert.ok(commands[name], `the phone knows no ${name}`);
  commands[name]();
}

const starts = {
  new: {},
  denied: { sheet: null, permission: "denied" },
  "locked, with a list": { sheet: null, permission: "authorized", screen: "lock", notifications: [{ id: "n" }], app: { state: "suspended", token: "aa", installation: "i" } },
  "offline, with another app": { sheet: null, permission: "authorized", aeroplane: true, app: { id: "listed", token: "aa" } },
  "force-quit and locked": { sheet: null, permission: "authorized", screen: "lock", app: { force_quit: true, state: "force-quit", token: "aa", installation: "i" } },
  "in a call, in Settings, with a Focus": {
    sheet: null, permission: "authorized", screen: "settings", calls: [{ id: "c", state: "active" }], app: { id: "calls", token: "aa" },
    settings: { focus: true, low_power: true, low_battery: true, background_refresh: false },
  },
  "never asked, and locked": { sheet: null, screen: "lock" },
  "Face ID over the open list": { sheet: null, permission: "authorized", authentication: { title: "?" }, center_open: true, banner: { id: "b" }, app: { token: "aa", installation: "i" } },
};

for (const scene of scenes) for (const [name, start] of Object.entries(starts)) for (const wanted of Object.values(scene.setup)) {
  test(`${scene.id} begins on a phone that is ${name}`, () => {
    const phone = newPhone(structuredClone(start));
    for (let count = 0; ; count += 1) {
      const command = nextCommand(wanted, phone, "chime");
      if (command === null) break;
      assert.ok(count < 20, `does not end: ${JSON.stringify(command)}`);
      assert.notEqual(command, "wait");
      obey(phone, command);
    }
    const { state } = phone;
    assert.equal(state.app.id, wanted.app);
    assert.equal(state.permission, "authorized");
    assert.equal(state.screen, wanted.place ?? "home");
    assert.equal(state.app.force_quit, wanted.quit ?? false);
    assert.equal(state.aeroplane, wanted.online === false);
    assert.deepEqual([phone.notifications, state.banner, state.calls, state.settings.focus], [[], null, [], false]);
    assert.ok(state.app.token);
  });
}

test("an app that has just been left is waited for, and so is a sheet that is about to come", () => {
  const left = newPhone({ sheet: null, permission: "authorized", screen: "home", app: { state: "in the background", token: "aa", installation: "i" } });
  assert.equal(nextCommand({}, left, "chime"), "wait");
  assert.equal(nextCommand({}, newPhone({ sheet: null }), "chime"), "wait");
});

test("what a step waits for is looked for where a person would see it", () => {
  const phone = newPhone({ sheet: null, screen: "lock", notifications: [{ id: "n" }] });
  const sees = (wanted, account) => holds(wanted, phone, new Set(["You got mail., badge 1"]), account);
  assert.ok(sees({ sees: "listed", online: true }) && sees({ text: "You got mail." }));
  assert.ok(!sees({ sees: "gone" }) && !sees({ sees: "banner" }) && !sees({ sees: "front" }) && !sees({ text: "Nobody" }));
  assert.ok(!sees({ told: true }) && !sees({ told: true }, { devices: [{ phone: "phone-2", why: "Offline." }, { phone: "phone-1" }] }));
  const told = { devices: [{ phone: "phone-1", why: "It has expired." }] };
  assert.ok(sees({ told: true }, told) && sees({ told: "expired" }, told) && !sees({ told: "discarded" }, told));
  phone.state.aeroplane = true;
  assert.ok(!sees({ sees: "listed", online: true }));
});

test("a phone's present state is passed on so that another phone gets into it", () => {
  for (const start of Object.values(starts)) {
    const wanted = passedOn(newPhone(structuredClone(start)).state);
    const other = newPhone({ app: { id: "banner" } });
    for (let command = nextCommand(wanted, other, "chime"); command !== null; command = nextCommand(wanted, other, "chime")) obey(other, command);
    const { app, screen, aeroplane } = passedOn(other.state);
    assert.deepEqual({ app, screen: screen ?? "", aeroplane }, { app: wanted.app, screen: "", aeroplane: undefined });
    assert.equal(passedOn(other.state).online, wanted.online);
    assert.equal(passedOn(other.state).place, wanted.place);
  }
});

test("a scene whose message somebody takes back meanwhile says so, unless that is a step of its own", () => {
  const steps = [{ say: "It goes out.", send: {} }, { say: "It is seen.", until: {} }];
  for (const state of ["recalled", "cancelled"]) assert.equal(endedBy(steps, { state }), `The message was ${state} before the scene was over, so the rest of the scene does not happen.`);
  assert.equal(endedBy(steps, { state: "sent" }), "");
  assert.equal(endedBy(steps, undefined), "");
  assert.equal(endedBy([...steps, { say: "It is taken back.", recall: true }], { state: "recalled" }), "");
});

test("each scene is whole: a question with one right answer, steps that say what they do, and a page of docs/", () => {
  assert.equal(new Set(scenes.map(({ id }) => id)).size, scenes.length);
  for (const scene of scenes) {
    assert.ok(scene.title && scene.scene && scene.question && scene.reason && scene.answers[scene.right], scene.id);
    for (const step of scene.steps) {
      const actions = ["push", "send", "recall", "tap", "command"].filter((action) => action in step);
      assert.ok(step.say && actions.length <= 1 && (actions.length > 0 || step.until), `${scene.id}: ${step.say}`);
    }
    assert.ok(Object.keys(scene.setup).every((id) => ["phone-1", "phone-2"].includes(id)));
    const [file, heading] = scene.page.split(", ");
    const page = readFileSync(`${process.env.ROOT}/${file}`, "utf8");
    assert.ok(!heading || page.includes(`## ${heading}`), `${file} has no heading ${heading}`);
  }
});

test("a phone comes back into the state before a scene, with its switches, and keeps what the scene has left on it", () => {
  for (const [name, start] of Object.entries(starts)) {
    const wanted = remembered(newPhone(structuredClone(start)).state);
    const phone = newPhone({ sheet: null, permission: "authorized", screen: "lock", notifications: [{ id: "n" }], app: { id: "deletable", state: "suspended", token: "aa" } });
    for (let command = nextCommand(wanted, phone, "chime"); command !== null; command = nextCommand(wanted, phone, "chime")) obey(phone, command);
    const [{ keepsNotes, ...after }, { keepsNotes: _, ...before }] = [remembered(phone.state), wanted];
    assert.deepEqual(after, before, name);
  }
  const kept = newPhone({ sheet: null, permission: "authorized", screen: "home", notifications: [{ id: "n" }], app: { token: "aa", installation: "i", state: "suspended" } });
  assert.equal(nextCommand(remembered(kept.state), kept, "chime"), null);
});
