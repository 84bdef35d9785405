// The guides of docs/, in the page's own style and in the place of the page, with a way back. They have an address: #guide=sending.

import { h, setText } from "./dom.js";
import { blocksOf, guideOf, piecesOf, slug } from "./markdown.js";
import { address, parts, sceneLink } from "./stage-mode.js";

/** The pages of docs/ that the program has. */
const known = new Set(["apple-coverage", "audiences", "glossary", "sending", "texts", "the-five-articles", "why-not-shown"]);

/** A link with a text or an element in it, to a guide, and to the part of it under a heading, which may be left out. */
export function guideLink(content, guide, heading = "") {
  const link = sceneLink("", { guide, at: heading ? slug(heading) : null });
  link.className = "";
  link.append(content);
  return link;
}

/** The view, which is hidden until an address names a guide, and `follow()`, which is to be called once. */
export function createGuideView() {
  const back = () => sceneLink("← Back to the phones", { guide: null, at: null });
  const article = h("article", { class: "guide-text", "aria-live": "off" });
  const element = h("section", { class: "guide-view", "aria-label": "Guide", hidden: true }, h("p", { class: "guide-way" }, back()), article, h("p", { class: "guide-way" }, back()));
  let shown = "";
  /** Where the page was when somebody began to read. */
  let from = { top: 0, focused: null };

  async function show(name) {
    shown = name;
    article.replaceChildren(h("p", { class: "hint", text: "Loading…" }));
    try {
      const answer = await fetch(`docs/${name}.md`);
      if (!answer.ok) throw new Error(`There is no guide ${name}.`);
      const text = await answer.text();
      if (shown === name) article.replaceChildren(...blocksOf(text).map((block) => draw(block, name)));
    } catch (error) {
      shown = "";
      article.replaceChildren(h("h1", { text: "This guide cannot be read" }), h("p", { text: error instanceof TypeError ? "carillon up does not answer." : error.message }));
    }
  }

  async function follow() {
    const now = parts();
    const name = now.get("guide");
    const isOpening = element.hidden && name !== null;
    if (isOpening) from = { top: scrollY, focused: document.activeElement };
    const isClosing = !element.hidden && name === null;
    element.hidden = name === null;
    document.documentElement.classList.toggle("reading", name !== null);
    if (isClosing) {
      shown = "";
      document.title = "Carillon";
      scrollTo({ top: from.top, behavior: "instant" });
      from.focused?.focus({ preventScroll: true });
    }
    if (name === null) return;
    const isOther = name !== shown;
    if (isOther) await show(name);
    if (parts().get("guide") !== name) return;
    const title = article.querySelector("h1");
    document.title = title ? `${title.textContent} · Carillon` : "Carillon";
    const part = [...article.querySelectorAll("[id]")].find(({ id }) => id === `guide-${now.get("at")}`);
    if (isOther || part) (part ?? title)?.focus({ preventScroll: true });
    if (part) part.scrollIntoView({ block: "start" });
    else if (isOther) scrollTo({ top: 0, behavior: "instant" });
  }
  let last = "";
  addEventListener("hashchange", () => {
    const now = `${parts().get("guide")} ${parts().get("at")}`;
    if (now !== last) follow();
    last = now;
  });
  return { element, follow };
}

function draw(block, here) {
  const inside = (text) => piecesOf(text).map((piece) => drawPiece(piece, here));
  switch (block.kind) {
    case "heading": return h(`h${block.level}`, { id: `guide-${block.id}`, tabindex: "-1" }, inside(block.text));
    case "code": return h("pre", { class: "json", tabindex: "0" }, block.text);
    case "list": return h(block.isOrdered ? "ol" : "ul", {}, block.items.map((item) => h("li", {}, inside(item))));
    case "table": return drawTable(block, inside);
    default: return h("p", {}, inside(block.text));
  }
}

/** A table; on a narrow page each cell stands below the name of its column. */
function drawTable({ head, rows }, inside) {
  const names = head.map((cell) => inside(cell));
  return h("table", {},
    head.some(Boolean) ? h("thead", {}, h("tr", {}, names.map((cell) => h("th", { scope: "col" }, cell)))) : null,
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, index) =>
      (cell ? h("td", { data: { column: names[index]?.map((one) => one.textContent).join("") ?? "" } }, inside(cell)) : h("td", { class: "none" })))))));
}

function drawPiece(piece, here) {
  switch (piece.kind) {
    case "code": return h("code", { text: piece.text });
    case "strong": return h("strong", {}, piece.pieces.map((one) => drawPiece(one, here)));
    case "em": return h("em", {}, piece.pieces.map((one) => drawPiece(one, here)));
    case "link": return drawLink(piece, here);
    default: return document.createTextNode(piece.text);
  }
}

function drawLink({ pieces, href }, here) {
  const words = pieces.map((one) => drawPiece(one, here));
  const place = guideOf(href, here);
  if (place && known.has(place.guide)) return h("a", { href: address({ guide: place.guide, at: place.at || null }) }, words);
  if (/^https?:/.test(href)) return h("a", { href, target: "_blank", rel: "noreferrer" }, words);
  // The program does not have it.
  return h("span", { title: `docs/${href}, beside the sources` }, words);
}
