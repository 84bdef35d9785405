// A button whose work takes a moment.

/** Does the work unless the button is busy already. It looks busy meanwhile, and keeps the keyboard's focus, which a disabled one loses. */
export async function whileBusy(button, work) {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  button.setAttribute("aria-busy", "true");
  try {
    await work();
  } finally {
    button.removeAttribute("aria-disabled");
    button.removeAttribute("aria-busy");
  }
}
