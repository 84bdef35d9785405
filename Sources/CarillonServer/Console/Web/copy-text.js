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
    refused(words);
    return;
  }
  sayBriefly(words, "Copied");
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
