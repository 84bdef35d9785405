// Tabs after the ARIA pattern: arrow keys move between them.

import { h } from "./dom.js";

/** @param {[string, HTMLElement][]} panels label and content, which is told by the event `reveal` that it is shown, and asks for it by `choose` */
export function createTabs(label, panels) {
  const tabs = panels.map(([name, panel], index) => {
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-label", name);
    panel.addEventListener("choose", () => choose(index));
    return h("button", { type: "button", role: "tab", text: name, on: { click: () => choose(index) } });
  });
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": label, on: { keydown: move } }, tabs);
  let chosen = 0;

  function choose(index, focus = false) {
    chosen = index;
    tabs.forEach((tab, each) => {
      tab.setAttribute("aria-selected", String(each === index));
      tab.tabIndex = each === index ? 0 : -1;
      panels[each][1].hidden = each !== index;
    });
    panels[index][1].dispatchEvent(new Event("reveal"));
    if (focus) tabs[index].focus();
  }

  function move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) choose((chosen + step + tabs.length) % tabs.length, true);
  }

  choose(0);
  return [list, ...panels.map(([, panel]) => panel)];
}
