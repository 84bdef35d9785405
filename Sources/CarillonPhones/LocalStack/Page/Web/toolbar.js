// A row of buttons that is one tab stop; arrow keys, Home and End move in it, after ARIA's pattern of a toolbar.

/** @param {HTMLElement} bar whose children are the buttons */
export function makeToolbar(bar) {
  const all = [...bar.children];
  const enter = (button) => all.forEach((one) => { one.tabIndex = one === button ? 0 : -1; });
  bar.setAttribute("role", "toolbar");
  bar.addEventListener("focusin", ({ target }) => {
    if (all.includes(target)) enter(target);
  });
  bar.addEventListener("keydown", (event) => {
    const at = all.indexOf(document.activeElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length].focus();
  });
  enter(all[0]);
  return bar;
}
