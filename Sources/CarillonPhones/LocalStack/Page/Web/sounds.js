// The sounds of notifications: shown on the phone, and heard where the person has switched them on.

import { h, icon, setText } from "./dom.js";
import { phoneIcons } from "./phone-icons.js";

const key = "sounds";
const seen = 2500;
let audio = null;
let isOn = read();

/** A button that switches the sounds on and off; they are off until then, as a browser wants it. */
export function createSoundSwitch() {
  const words = h("span", {});
  const button = h("button", { type: "button", class: "quiet sound-switch" }, icon(phoneIcons.note), words);
  const draw = () => {
    button.setAttribute("aria-pressed", String(isOn));
    setText(words, isOn ? "Sound on" : "Sound off");
  };
  button.addEventListener("click", () => {
    isOn = !isOn;
    try {
      localStorage.setItem(key, String(isOn));
    } catch {
      // Without storage, the choice holds for this page only.
    }
    if (isOn) play("default");
    draw();
  });
  draw();
  return button;
}

/** The mark on a phone that says which sound it plays. */
export function createSoundMark(first) {
  let number = first?.number ?? 0;
  let timer = null;
  const words = h("span", {});
  const element = h("div", { class: "sound-mark", role: "status", hidden: true }, icon(phoneIcons.note), words);
  return {
    element,
    show(sound) {
      if (!sound || sound.number === number) return;
      const isNew = sound.number > number;
      number = sound.number;
      if (!isNew) return;
      setText(words, sound.name === "default" ? "Sound" : sound.name);
      element.hidden = false;
      clearTimeout(timer);
      timer = setTimeout(() => { element.hidden = true; }, seen);
      if (isOn) play(sound.name);
    },
  };
}

function read() {
  try {
    return localStorage.getItem(key) === "true";
  } catch {
    return false;
  }
}

/** Two strokes of a bell; another sound has another pitch. */
function play(name) {
  audio ??= new AudioContext();
  audio.resume();
  const pitch = name === "default" ? 880 : 520 + ([...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 400);
  for (const [start, factor] of [[0, 1], [0.14, 1.335]]) {
    const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
    const begin = audio.currentTime + start;
    tone.frequency.value = pitch * factor;
    loudness.gain.setValueAtTime(0.16, begin);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + 0.7);
    tone.connect(loudness).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.75);
  }
}
