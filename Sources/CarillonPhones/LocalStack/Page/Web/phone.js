// One phone: its screen in layers, its edges for gestures, and the buttons under it.

import { createAppView } from "./app-view.js";
import { h, icon, reconcile, setAttribute, setText } from "./dom.js";
import { createBootScreen } from "./boot-screen.js";
import { showAuthentication } from "./face-id.js";
import { follow } from "./gestures.js";
import { changed } from "./note-changes.js";
import { languageNote } from "./language-note.js";
import { createIsland, showActivities } from "./live-activity.js";
import { createNoteList, playOut } from "./note-list.js";
import { createCard } from "./notification-card.js";
import { showCalls } from "./phone-call.js";
import { phoneIcons } from "./phone-icons.js";
import { clock, date, dayOfMonth, weekday, wholeNumber } from "./phone-time.js";
import { createRedraw } from "./redraw.js";
import { dragCenter, dragHome, dragLockScreen } from "./screen-drags.js";
import { createSettings, settingsIcon } from "./settings.js";
import { said, translate, worded } from "./settings-words.js";
import { createSoundMark } from "./sounds.js";
import { makeToolbar } from "./toolbar.js";

/** Between two drawings of a list of notifications, ms: in a flood nobody sees each card come. */
const listPause = 100;

/**
 * @param {object} first the phone's state when the page met it
 * @param {(command: string, body?: object) => Promise<void>} send asks the phone to do something
 */
export function createPhone(first, send) {
  let state = first;
  let notifications = [];
  let view = null;
  /** What of it has changed since it was drawn. */
  const stale = { state: true, view: true };
  /** Of the state, what the lists of notifications are drawn from, when they were drawn. */
  let listed = "";
  /** Phone time minus page time, ms: the clocks on the screen run by themselves between two states. */
  let skew = 0;
  const scale = () => display.getBoundingClientRect().width / state.width || 1;
  const now = () => Date.now() + skew;
  const handlers = {
    scale,
    region: () => state.region,
    open: (id) => send("tap", { notification: id }),
    clear: (id) => send("clear", { notification: id }),
    flick: () => send("flick"),
    expand: (id, isOpen) => send(isOpen ? "expand" : "collapse", isOpen ? { notification: id } : {}),
    act: (id, action, text) => send("act", { notification: id, action, text }),
  };

  const status = statusBar();
  const app = createAppView({ scale, touch: (event) => send("touch", event), reveal: (body) => send("reveal", body) });
  const lock = lockScreen(handlers, send);
  const home = homeScreen(send);
  const center = notificationCenter(handlers, send);
  const settings = createSettings(send);
  const sound = createSoundMark(first.sound);
  const island = createIsland();
  const boot = createBootScreen();
  const bannerSlot = h("div", { class: "banner-slot" });
  const sheetSlot = h("div", { class: "sheet-slot" });
  const faceSlot = h("div", { class: "sheet-slot" });
  const callSlot = h("div", { class: "call-slot" });
  /** Why the phone has not done what it was asked last; empty after its next state. */
  let complaint = "";
  let pulled = false;
  const pull = dragCenter(center.element, {
    isOpen: () => state.center_open, mayOpen: () => state.screen !== "lock" && !state.center_open, scale,
    send: (open) => send("center", { open }),
    prepare(isPulled) {
      pulled = isPulled;
      center.show({ ...state, center_open: pulled || state.center_open }, notifications, now());
    },
  });
  const swipe = dragLockScreen(lock.element, { open: () => send("unlock"), scale });
  const away = dragHome({ front: () => ({ app: app.element, settings: settings.element })[state.screen] ?? null, height: () => state.height, go: () => send("home") });
  const edges = screenEdges(send, scale, () => state, { pull, swipe, away });
  const display = h("div", { class: "display", role: "group", tabindex: "-1" },
    h("div", { class: "wallpaper" }), home.element, settings.element, app.element, lock.element, center.element, status.element,
    island.element, bannerSlot, sheetSlot, faceSlot, callSlot, ...edges, boot.element);
  const body = h("div", { class: "phone-body" },
    h("button", { type: "button", class: "side-button", title: "Side button: lock or unlock", "aria-label": "Side button", on: { click: () => send(state.screen === "lock" ? "unlock" : "lock") } }),
    h("div", { class: "phone-scale" }, display),
    h("button", { type: "button", class: "home-button", title: "Home button", "aria-label": "Home button", on: { click: () => send(state.screen === "lock" ? "unlock" : "home") } }));
  const controls = controlBar((command, body) => (command === "restart" ? boot.during(send(command)) : send(command, body)), () => state);
  const caption = h("p", { class: "phone-caption" });
  const title = h("h2", { class: "phone-name" });
  const element = h("section", { class: "phone", data: { phone: first.id } }, h("div", { class: "phone-head" }, title, sound.element), body, controls.element, caption);

  function show(next) {
    state = next;
    complaint = "";
    skew = Date.parse(next.now) - Date.now();
    stale.state = true;
    redraw();
  }

  function draw() {
    if (stale.state) drawState();
    if (stale.view) app.show(view);
    Object.assign(stale, { state: false, view: false });
  }
  const redraw = createRedraw(draw);

  function drawLists() {
    lock.show(state, notifications, now());
    center.show({ ...state, center_open: pulled || state.center_open }, notifications, now());
  }
  const redrawLists = createRedraw(drawLists, listPause);

  function drawState() {
    setAttribute(element, "aria-label", state.name);
    setText(title, state.name);
    setAttribute(display, "dir", state.region?.right_to_left ? "rtl" : "ltr");
    setAttribute(display, "data-look", state.dark ? "dark" : "light");
    sound.show(state.sound);
    display.style.setProperty("--safe-top", `${state.safe_area.top}px`);
    setAttribute(element, "data-shape", state.safe_area.bottom > 0 ? "island" : "home-button");
    Object.assign(display.dataset, { screen: state.screen, center: state.center_open ? "open" : "closed" });
    home.show(state);
    lock.showFocus(state.settings.focus);
    lock.showActivities(state);
    island.show(state);
    status.show(state);
    showBanner(bannerSlot, state, handlers);
    showSheet(sheetSlot, state, send);
    showAuthentication(faceSlot, state, send);
    showCalls(callSlot, state, send);
    settings.show(state);
    controls.show(state);
    setText(caption, complaint || describe(state));
    caption.classList.toggle("bad", complaint !== "");
    translate(display, state.region);
    // A call that rings on an unlocked phone is a banner, and leaves the screen below it as it is.
    const isCalled = state.calls.some((call) => call.state !== "ringing") || (state.calls.length > 0 && state.screen === "lock");
    const front = isCalled ? callSlot : state.sheet ? sheetSlot : state.authentication ? faceSlot : state.center_open ? center.element
      : { lock: lock.element, home: home.element, app: app.element, settings: settings.element }[state.screen];
    for (const layer of [home.element, settings.element, app.element, lock.element, center.element]) layer.inert = layer !== front;
    tick();
    const wasPulled = pulled;
    if (state.center_open !== pulled) {
      pulled = false;
      center.element.style.transform = "";
    }
    const signature = JSON.stringify([state.screen, state.center_open, state.app.name, state.region]);
    if (signature === listed && wasPulled === pulled) return;
    listed = signature;
    drawLists();
  }

  function tick() {
    const time = clock(now(), state.region);
    status.tick(time);
    island.tick(now());
    const today = date(now(), state.region);
    lock.tick(time, today, now());
    home.tick(now(), state.region);
    center.tick(time, today, now());
  }

  draw();
  return {
    element, show, tick,
    /** Says below the phone why it has not done what it was asked. */
    complain(words) {
      complaint = words;
      stale.state = true;
      redraw();
    },
    /** Another list of notifications, by what has changed in it. */
    change(change) {
      notifications = changed(notifications, change);
      redrawLists();
    },
    /** What the app in front draws now; `null` for none. */
    drawApp(next) {
      view = next;
      stale.view = true;
      redraw();
    },
    /** Lights the cards of the notifications that `matches` picks by their `id`; no others. */
    light(matches) {
      for (const card of element.querySelectorAll(".note")) card.classList.toggle("lit", matches({ id: card.dataset.id ?? "" }));
    },
    get state() { return state; },
    get notifications() { return notifications; },
    get view() { return view; },
  };
}

function statusBar() {
  const time = h("span", { class: "status-time" });
  const focus = h("span", { class: "status-focus", hidden: true }, icon(phoneIcons.moon));
  const radio = h("span", { class: "status-radio" });
  const element = h("div", { class: "status-bar", "aria-hidden": "true" }, h("span", { class: "status-start" }, time, focus), radio);
  return {
    element,
    tick: (text) => setText(time, text),
    show(state) {
      focus.hidden = !state.settings.focus;
      radio.classList.toggle("low", state.settings.low_battery);
      const kind = state.aeroplane ? "plane" : "wifi";
      if (radio.dataset.kind === kind) return;
      radio.dataset.kind = kind;
      radio.replaceChildren(...(state.aeroplane ? [icon(phoneIcons.plane)] : [icon(phoneIcons.signal), icon(phoneIcons.wifi)]), icon(phoneIcons.battery));
    },
  };
}

function lockScreen(handlers, send) {
  const time = h("p", { class: "lock-time" });
  const dayLine = h("p", { class: "lock-date" });
  const list = createNoteList(handlers, "lock-notes");
  const activities = h("ul", { class: "activities", hidden: true });
  const focus = h("p", { class: "lock-focus", hidden: true }, icon(phoneIcons.moon), h("span", worded("Focus")));
  const open = h("button", { type: "button", class: "lock-open", ...worded("Swipe up to open"), on: { click: () => send("unlock") } });
  const element = h("div", { class: "layer lock-screen" },
    h("span", { class: "lock-glyph" }, icon(phoneIcons.lock)), dayLine, time, list.element, focus,
    h("div", { class: "lock-foot" },
      h("span", { class: "lock-tool" }, icon(phoneIcons.torch)),
      open,
      h("span", { class: "lock-tool" }, icon(phoneIcons.camera))));
  return {
    element,
    show(state, notifications, now) {
      list.show(state.screen === "lock", notifications, state.app.name, now);
      // A phone with a home button has neither the gesture, nor a torch and a camera on its lock screen.
      const words = state.safe_area.bottom > 0 ? "Swipe up to open" : "Press home to open";
      if (open.dataset.word === words) return;
      open.dataset.word = words;
      setText(open, said(words, state.region));
    },
    showFocus: (on) => { focus.hidden = !on; },
    showActivities(state) {
      // Most phones never have one.
      if (state.activities.length > 0 && !activities.isConnected) time.after(activities);
      showActivities(activities, state, send);
    },
    tick(text, day, now) {
      setText(time, text);
      setText(dayLine, day);
      for (const card of activities.children) card.tick(now);
      list.tick(now);
    },
  };
}

function homeScreen(send) {
  const badge = h("span", { class: "badge", "aria-hidden": "true" });
  const label = h("span", { class: "app-label" });
  const launch = h("button", { type: "button", class: "app-icon", on: { click: () => send("open") } },
    h("span", { class: "app-picture" }, h("img", { src: "icon.svg", alt: "", draggable: "false" }), badge), label);
  const day = h("span", { class: "widget-day" });
  const number = h("span", { class: "widget-date" });
  const settings = settingsIcon(send);
  const element = h("div", { class: "layer home-screen" },
    h("div", { class: "home-grid" }, h("div", { class: "widget", "aria-hidden": "true" }, day, number, h("span", { class: "widget-note", ...worded("No events today") })), launch, settings, neighbours(["news", "mic"])), h("div", { class: "dock", "aria-hidden": "true" }, neighbours(["call", "note", "camera", "list"])));
  return {
    element,
    show({ app, region }) {
      setText(label, app.name);
      setText(badge, app.badge > 0 ? wholeNumber(app.badge, region) : "");
      badge.hidden = app.badge === 0;
      launch.setAttribute("aria-label", app.badge > 0 ? `${app.name}, ${app.badge} unread` : app.name);
    },
    tick(now, region) {
      setText(day, weekday(now, region));
      setText(number, dayOfMonth(now, region));
    },
  };
}

/** Apps that do nothing: a phone has some beside the one that is tried. */
const neighbours = (names) => names.map((name) => h("span", { class: "neighbour app-picture", "aria-hidden": "true", data: { icon: name } }, icon(phoneIcons[name])));

function notificationCenter(handlers, send) {
  const list = createNoteList(handlers, "center-notes");
  const empty = h("p", { class: "center-empty", ...worded("No notifications") });
  const clear = h("button", { type: "button", class: "center-clear", ...worded("Clear All"), on: { click: () => send("clear-all") } });
  const close = h("button", { type: "button", class: "center-close", data: { spoken: "Close notification center" }, on: { click: () => send("center", { open: false }) } });
  const [day, time] = [h("p", { class: "center-date" }), h("p", { class: "center-time" })];
  // As on an iPhone it is a cover: the wallpaper of the lock screen, with the time.
  const element = h("div", { class: "layer center" }, h("div", { class: "center-paper" }), h("div", { class: "center-clock", "aria-hidden": "true" }, day, time),
    h("div", { class: "center-head" }, h("h3", worded("Notification Center")), clear), list.element, empty, close);
  return {
    element,
    tick(text, today, now) {
      setText(time, text);
      setText(day, today);
      list.tick(now);
    },
    show(state, notifications, now) {
      list.show(state.center_open, notifications, state.app.name, now);
      empty.hidden = notifications.length > 0;
      clear.hidden = !empty.hidden;
    },
  };
}

function showBanner(slot, state, handlers) {
  reconcile(slot, state.banner ? [state.banner] : [], {
    key: (item) => item.id,
    create: () => createCard("banner", { ...handlers, clear: handlers.flick }),
    update: (card, item) => card.show(item, state.app.name, Date.parse(state.now)),
    leave: (card) => playOut(card),
  });
}

function showSheet(slot, state, send) {
  reconcile(slot, state.sheet ? [state.sheet] : [], {
    key: (sheet) => sheet.title,
    create: (sheet) => permissionSheet(sheet, state, send),
    leave: (card) => playOut(card),
  });
}

function permissionSheet(sheet, { app, region }, send) {
  const answer = (allow) => send("permission", { allow });
  const question = "“%@” Would Like to Send You Notifications";
  const isKnown = sheet.title === question.replace("%@", app.name);
  const title = isKnown ? said(question, region).replace("%@", app.name) : sheet.title;
  return h("div", { class: "sheet-shade" },
    h("div", { class: "sheet", role: "alertdialog", "aria-label": title },
      h("h3", { text: title }), h("p", worded(sheet.message)),
      h("div", { class: "sheet-buttons" },
        h("button", { type: "button", ...worded("Don’t Allow"), on: { click: () => answer(false) } }),
        h("button", { type: "button", class: "strong", ...worded("Allow"), on: { click: () => answer(true) } }))));
}

/** The top edge pulls the notification center down; the bottom edge pushes it, the lock screen or the app away. */
function screenEdges(send, scale, state, { pull, swipe, away }) {
  const top = h("div", { class: "edge edge-top", "aria-hidden": "true" });
  const bottom = h("div", { class: "edge edge-bottom", "aria-hidden": "true" }, h("span", { class: "home-bar" }));
  follow(top, { axis: "y", scale, ...pull.down });
  const part = () => (state().center_open ? pull.up : state().screen === "lock" ? swipe : away);
  const tap = () => {
    if (state().center_open) send("center", { open: false });
    else send(state().screen === "lock" ? "unlock" : "home");
  };
  follow(bottom, {
    axis: "y", scale, tap, begin: () => part().begin?.(), move: (dx, dy) => part().move?.(dx, dy),
    end: (...way) => part().end(...way), cancel: () => part().cancel?.(),
  });
  return [top, bottom];
}

function controlBar(send, state) {
  const button = (name, label, title, action) =>
    h("button", { type: "button", class: "control", title, "aria-label": title, data: { control: name }, on: { click: ({ currentTarget }) => { if (!isOff(currentTarget)) action(); } } }, icon(phoneIcons[name]), h("span", { text: label }));
  const isOff = (control) => control.getAttribute("aria-disabled") === "true";
  const lock = button("lock", "Lock", "Lock", () => send(state().screen === "lock" ? "unlock" : "lock"));
  const home = button("home", "Home", "Go to the Home Screen", () => send("home"));
  const list = button("list", "Center", "Notification Center", () => send("center", { open: !state().center_open }));
  const plane = button("plane", "Airplane", "Airplane Mode", () => send("aeroplane", { on: !state().aeroplane }));
  const quit = button("quit", "Quit", "Force-quit the app", () => send("force-quit"));
  const restart = button("restart", "Restart", "Restart the phone", () => send("restart"));
  return {
    element: makeToolbar(h("div", { class: "controls", "aria-label": "Phone controls" }, lock, home, list, plane, quit, restart)),
    show(next) {
      const word = next.screen === "lock" ? "Unlock" : "Lock";
      if (lock.title !== word) {
        setTitle(lock, word);
        lock.replaceChildren(icon(phoneIcons[word.toLowerCase()]), h("span", { text: word }));
      }
      setTitle(quit, `Force-quit ${next.app.name}`);
      plane.setAttribute("aria-pressed", String(next.aeroplane));
      list.setAttribute("aria-pressed", String(next.center_open));
      // Not disabled: a button that is pressed and then disabled would lose the keyboard's focus.
      setAttribute(list, "aria-disabled", next.screen === "lock" ? "true" : null);
      setAttribute(home, "aria-disabled", next.screen === "home" && !next.center_open ? "true" : null);
      setAttribute(quit, "aria-disabled", next.app.force_quit ? "true" : null);
    },
  };
}

function setTitle(button, title) {
  button.title = title;
  button.setAttribute("aria-label", title);
}

/** The line below the phone. */
function describe(state) {
  const { app, permission, aeroplane, sheet } = state;
  if (sheet) return `${app.name} asks for permission`;
  const words = [`${app.name} is ${app.state}`];
  if (permission === "denied") words.push("notifications are not allowed");
  if (permission === "not-determined") words.push("has not asked for permission yet");
  if (aeroplane) words.push("offline");
  if (languageNote(state)) words.push(languageNote(state));
  return words.join(" · ");
}
