// Copying to the clipboard, which a browser may refuse.

/** Says on the button itself whether it worked. */
export async function copyText(button, text) {
  const words = button.querySelector("span");
  const before = words.textContent;
  try {
    await navigator.clipboard.writeText(text);
    words.textContent = "Copied";
  } catch {
    words.textContent = "Copying was not allowed";
  }
  setTimeout(() => { words.textContent = before; }, 1600);
}
