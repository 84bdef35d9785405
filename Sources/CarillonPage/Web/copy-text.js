// Copying to the clipboard, which a browser may refuse.

/** What stands on a button while nothing is said, and the timer that writes it there again. */
const resting = new WeakMap();

/**
 * Says on the button itself whether it worked.
 * @param {(words: Element) => void} refused what to do where the browser does not allow it
 */
export async function copyText(button, text, refused = (words) => sayBriefly(words, "Copying was not allowed")) {
  const words = button.querySelector("span") ?? button;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copySelected(text, button)) return refused(words);
  }
  sayBriefly(words, "Copied");
}

/** The older way, which also works where the page has no right to the clipboard, such as over plain HTTP from another machine. */
function copySelected(text, button) {
  const area = document.createElement("textarea");
  area.className = "visually-hidden";
  area.value = text;
  button.after(area);
  area.select();
  try {
    return document.execCommand("copy");
  } finally {
    area.remove();
    button.focus({ preventScroll: true });
  }
}

/** Writes a sentence on a button for a moment. */
export function sayBriefly(words, sentence) {
  const { before, timer } = resting.get(words) ?? { before: words.textContent };
  clearTimeout(timer);
  words.textContent = sentence;
  resting.set(words, {
    before,
    timer: setTimeout(() => {
      words.textContent = before;
      resting.delete(words);
    }, 1600),
  });
}
