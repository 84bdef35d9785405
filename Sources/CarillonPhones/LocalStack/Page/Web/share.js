// A push that somebody has tried here, to be given away: as a link that plays it on another `carillon up`, and as a Swift test.

/** Of a link's content, in letters; a payload has at most 5120 bytes. */
const linkLimit = 40_000;

/** The address of a page that sets up the phones and offers to send the form's content. */
export function linkTo(page, content) {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${page.split("#")[0]}#play=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/**
 * What a link says; `null` if it is not one of ours. Others write links too, so only what the page knows is taken from it.
 * @returns {{ form: "message" | "push", fields: Record<string, string | boolean>, phones: Record<string, object> } | null}
 */
export function readLink(text) {
  if (!text || text.length > linkLimit) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const { form, fields, phones } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (form !== "message" && form !== "push") return null;
    const taken = Object.entries(fields).filter(([, value]) => typeof value === "string" || typeof value === "boolean");
    const wanted = Object.entries(phones ?? {}).map(([id, phone]) => [id, readPhone(phone)]);
    return { form, fields: Object.fromEntries(taken), phones: Object.fromEntries(wanted) };
  } catch {
    return null;
  }
}

function readPhone({ app, allowed, place, quit, online }) {
  return {
    ...(typeof app === "string" ? { app } : {}), allowed: allowed === null ? null : allowed !== false,
    place: ["lock", "home", "app"].includes(place) ? place : "home", quit: quit === true, online: online !== false,
  };
}

/** Which push types `AppUnderTest` can hand to an app without more set-up. */
export const testedTypes = ["alert", "background"];

/**
 * A test for the reader's own app that hands it this push in the state that the phone has here.
 * @param {object} push `payload`, as typed; `type`, of `testedTypes`; `collapse`, its collapse id or ""; `state`: `front`, `away` or
 *   `quit`; `shown`: the text on the screen (`title`, `subtitle`, `body`), or nothing
 * @returns {string} a file of Swift
 */
export function swiftTest({ payload, type, collapse = "", state, shown }) {
  const marks = "#".repeat(longestRun(payload) + 1);
  const states = { front: [], away: ["        try await app.suspend()"], quit: ["        try await app.forceQuit()"] };
  return [
    "import CarillonDevice", "import Foundation", "import Testing", "import UserNotifications", "",
    "// Put your app's delegate in the place of AppDelegate.",
    `@MainActor @Test("${words[state]}, ${type === "alert" ? "a visible" : "a silent"} push")`,
    "func pushFromThePage() async throws {",
    `    let payload = ${marks}"""`, ...payload.split("\n").map((line) => `        ${line}`.trimEnd()), `        """${marks}`,
    "    try await AppUnderTest.run({ AppDelegate() }) { app in",
    "        try await app.openAndAllow()", ...states[state],
    `        let trace = try await app.push(Data(payload.utf8), type: .${type}${collapse ? `, collapseID: ${swiftText(collapse)}` : ""})`,
    "        #expect(trace.isFinished)", ...expectations(type, state, shown).map((line) => `        ${line}`),
    "    }", "}", "",
  ].join("\n");
}

const words = { front: "in front", away: "in the background", quit: "force-quit" };

function expectations(type, state, shown) {
  if (type === "background") {
    return state === "quit" ? ["// iOS wakes no app that was force-quit.", "#expect(app.state == .forceQuit)", "#expect(app.notifications.isEmpty)"]
      : ["// Say here what your app makes of it.", "#expect(trace.wake != nil)"];
  }
  if (!shown) return ["#expect(app.notifications.isEmpty)"];
  if (state === "front") return ["// In front your app decides, in willPresent.", "#expect(trace.presentation != nil)"];
  return [
    "let content = try #require(app.notifications.first?.request.content)",
    ...["title", "subtitle", "body"].filter((part) => shown[part]).map((part) => `#expect(content.${part} == ${swiftText(shown[part])})`),
  ];
}

/** The longest run of number signs, which a raw text of Swift must outnumber. */
const longestRun = (text) => Math.max(0, ...(text.match(/#+/g) ?? []).map((run) => run.length));

/** A text of Swift, on one line. */
function swiftText(text) {
  const marks = "#".repeat(longestRun(text) + 1);
  const body = [...text].map((letter) => (letter < " " ? `\\${marks}u{${letter.codePointAt(0).toString(16)}}` : letter)).join("");
  return `${marks}"${body}"${marks}`;
}
