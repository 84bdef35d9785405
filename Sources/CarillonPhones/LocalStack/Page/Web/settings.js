// The Settings app of a phone. The phone keeps the switches; the page keeps which part of Settings is open.

import { h, icon, reconcile, setAttribute, setText } from "./dom.js";
import { phoneIcons } from "./phone-icons.js";
import { translate, worded } from "./settings-words.js";

const gear = "M19.4 13a7.6 7.6 0 0 0 0-2l2-1.6a.5.5 0 0 0 .1-.6l-1.9-3.3a.5.5 0 0 0-.6-.2l-2.4 1a7.3 7.3 0 0 0-1.7-1l-.4-2.5a.5.5 0 0 0-.5-.4h-3.8a.5.5 0 0 0-.5.4l-.4 2.5a7.3 7.3 0 0 0-1.7 1l-2.4-1a.5.5 0 0 0-.6.2L2.7 8.8a.5.5 0 0 0 .1.6l2 1.6a7.6 7.6 0 0 0 0 2l-2 1.6a.5.5 0 0 0-.1.6l1.9 3.3c.1.2.4.3.6.2l2.4-1c.5.4 1.1.8 1.7 1l.4 2.5c0 .2.2.4.5.4H14a.5.5 0 0 0 .5-.4l.4-2.5a7.3 7.3 0 0 0 1.7-1l2.4 1c.2.1.5 0 .6-.2l1.9-3.3a.5.5 0 0 0-.1-.6zM12 15.6a3.6 3.6 0 1 1 0-7.2 3.6 3.6 0 0 1 0 7.2z";
const previewNames = { always: "Always", "when-unlocked": "When Unlocked", never: "Never" };
/** The switches of an app in groups, as its page has them. */
const groups = [["Alerts", ["lock-screen", "notification-center", "banners"]], ["", ["sounds", "badges"]],
  ["Delivery", ["time-sensitive-notifications", "scheduled-summary"]]];

/** The icon on the home screen. */
export function settingsIcon(send) {
  return h("button", { type: "button", class: "app-icon", data: { app: "settings" }, on: { click: () => send("settings") } },
    h("span", { class: "app-picture settings-picture" }, icon(gear)), h("span", { class: "app-label", ...worded("Settings") }));
}

/** @param {(command: string, body?: object) => Promise<void>} send asks the phone to do something */
export function createSettings(send) {
  const element = h("div", { class: "layer settings-screen" });
  const set = (setting, on) => send("set", { setting, on });
  const open = (name, from) => {
    for (const [key, page] of Object.entries(pages)) page.element.hidden = key !== name;
    pages[name].element.scrollTop = 0;
    const target = name === "root" ? from && pages.root.entry(from) : pages[name].back;
    target?.focus({ preventScroll: true });
  };
  let region = null;
  const erase = eraseSheet(element, () => translate(element, region), () => { send("erase"); open("root"); });
  const pages = {
    root: rootPage({ set, open, erase }),
    app: appPage({ set, open }),
    previews: choicePage("Show Previews", "app", open, (value) => send("previews", { value })),
    developer: developerPage({ set, open }),
    region: choicePage("Language & Region", "root", open, (value) => send("region", { value })),
  };
  element.append(...Object.values(pages).map((page) => page.element));
  open("root");
  return {
    element,
    show(state) {
      for (const page of Object.values(pages)) page.show(state);
      region = state.region;
      pages.previews.fill(Object.entries(previewNames), state.settings.previews);
      pages.region.fill(state.settings.regions.map(({ id, name }) => [id, name]), state.region.locale);
    },
  };
}

function rootPage({ set, open, erase }) {
  const focus = toggle("Focus", (on) => set("focus", on));
  const silent = toggle("Silent Mode", (on) => set("silent", on));
  const dark = toggle("Dark Appearance", (on) => set("dark", on));
  const power = toggle("Low Power Mode", (on) => set("low-power", on));
  const battery = toggle("Battery below 20 %", (on) => set("low-battery", on));
  const developer = entry("Developer", () => open("developer"));
  const app = entry("", () => open("app"));
  const region = entry("Language & Region", () => open("region"));
  const reset = h("button", { type: "button", class: "settings-row destructive", ...worded("Erase All Content and Settings"), on: { click: erase } });
  const entries = { app: app.element, region: region.element, developer: developer.element };
  return {
    element: page(h("h2", { class: "settings-title", ...worded("Settings") }),
      group("", [focus.element, silent.element, dark.element]), group("Apps", [app.element]),
      group("Battery", [power.element, battery.element]), group("General", [region.element, reset, developer.element])),
    entry: (name) => entries[name],
    show(state) {
      focus.show(state.settings.focus);
      silent.show(state.settings.silent);
      dark.show(state.dark);
      power.show(state.settings.low_power);
      battery.show(state.settings.low_battery);
      app.show(state.app.name);
      app.showWord(state.settings.notifications ? "Notifications on" : "Notifications off");
      region.showValue(state.settings.regions.find(({ id }) => id === state.region.locale)?.name ?? state.region.locale);
    },
  };
}

function appPage({ set, open }) {
  const title = h("h2", { class: "settings-title" });
  const allowed = toggle("Allow Notifications", (on) => set("notifications", on));
  const lists = groups.map(([name, ids]) => ({ ids, ...switchGroup(name, set) }));
  const previews = entry("Show Previews", () => open("previews"));
  const preview = group("", [previews.element]);
  const access = switchGroup("", set);
  const back = backButton("Settings", () => open("root", "app"));
  return {
    element: page(back, title, group("", [allowed.element]), ...lists.map((list) => list.element), preview, access.element),
    back,
    show({ app, settings }) {
      setText(title, app.name);
      allowed.show(settings.notifications);
      for (const list of lists) list.show(settings.switches.filter(({ id }) => list.ids.includes(id)));
      preview.hidden = !settings.previews;
      previews.showWord(previewNames[settings.previews] ?? "");
      access.show([
        ...(settings.live_activities === undefined ? [] : [{ id: "live-activities", title: "Live Activities", on: settings.live_activities }]),
        { id: "background-refresh", title: "Background App Refresh", on: settings.background_refresh },
      ]);
    },
  };
}

/** What Apple leaves open, and this phone can do either way. */
function developerPage({ set, open }) {
  const back = backButton("Settings", () => open("root", "developer"));
  const rules = switchGroup("", set);
  return {
    element: page(back, h("h2", { class: "settings-title", ...worded("Developer") }), rules.element),
    back,
    show({ settings }) { rules.show(settings.rules); },
  };
}

/** A page with one choice of several. */
function choicePage(name, parent, open, choose) {
  const back = backButton("Back", () => open(parent, name === "Language & Region" ? "region" : undefined));
  const list = h("div", { class: "settings-rows", role: "radiogroup", data: { spoken: name } });
  return {
    element: page(back, h("h2", { class: "settings-title", ...worded(name) }), h("div", { class: "settings-group" }, list)),
    back,
    show() {},
    fill(choices, chosen) {
      reconcile(list, choices, {
        key: ([id]) => id,
        create: ([id, label]) => h("button", { type: "button", role: "radio", class: "settings-row", data: { choice: id }, on: { click: () => choose(id) } }, h("span", { class: "settings-label" }, h("bdi", worded(label)))),
        update: (row, [id]) => setAttribute(row, "aria-checked", String(id === chosen)),
      });
    },
  };
}

/** Asks once more, since nothing of it can be undone. `added` is called when the question is there. */
function eraseSheet(parent, added, erase) {
  return () => {
    const close = () => shade.remove();
    const cancel = h("button", { type: "button", ...worded("Cancel"), on: { click: close } });
    const go = h("button", { type: "button", class: "destructive", ...worded("Erase iPhone"), on: { click: () => { close(); erase(); } } });
    const shade = h("div", { class: "sheet-shade", on: { keydown: (event) => { if (event.key === "Escape") close(); } } },
      h("div", { class: "sheet", role: "alertdialog", "aria-modal": "true", data: { spoken: "Erase this iPhone?" } },
        h("h3", worded("Erase this iPhone?")), h("p", worded("Apps, notifications, permissions and settings go. The app is installed anew and gets another device token.")),
        h("div", { class: "sheet-buttons" }, cancel, go)));
    parent.append(shade);
    added();
    cancel.focus();
  };
}

const page = (...children) => h("div", { class: "settings-page" }, ...children);

const backButton = (label, action) => h("button", { type: "button", class: "settings-back", on: { click: action } }, icon(phoneIcons.back), h("span", worded(label)));

function group(name, rows) {
  return h("div", { class: "settings-group", role: "group", data: name ? { spoken: name } : {} },
    ...(name ? [h("h3", { class: "settings-heading", ...worded(name) })] : []), h("div", { class: "settings-rows" }, ...rows));
}

function switchGroup(name, set) {
  const element = group(name, []);
  const rows = element.querySelector(".settings-rows");
  return {
    element,
    show(switches) {
      element.hidden = switches.length === 0;
      reconcile(rows, switches, {
        key: ({ id }) => id,
        create: ({ id, title }) => {
          const made = toggle(title, (on) => set(id, on));
          made.element.showSwitch = made.show;
          return made.element;
        },
        update: (row, { on }) => row.showSwitch(on),
      });
    },
  };
}

function toggle(label, change) {
  const element = h("button", { type: "button", class: "settings-row", role: "switch", "aria-checked": "false" },
    h("span", { class: "settings-label", ...worded(label) }), h("span", { class: "settings-switch", "aria-hidden": "true" }));
  element.addEventListener("click", () => change(element.getAttribute("aria-checked") !== "true"));
  return { element, show: (on) => setAttribute(element, "aria-checked", String(on)) };
}

/** A row that leads to another page: what is on it, and what is chosen there, as it is or as a word of this app. */
function entry(label, action) {
  const [name, value] = [h("span", { class: "settings-label", ...(label ? worded(label) : {}) }), h("bdi", { class: "settings-value" })];
  const element = h("button", { type: "button", class: "settings-row", on: { click: action } }, name, value, h("span", { class: "settings-chevron", "aria-hidden": "true" }));
  return {
    element,
    show: (text) => setText(name, text),
    showValue: (text) => setText(value, text),
    showWord: (word) => { value.dataset.word = word; },
  };
}
