"use strict";
// The search of the site. The index is a script too, since a page that was opened as a file may not fetch others.

// Words without case and accents.
const fold = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

// Words that say nothing of what is looked for, unless they are all there is.
const EMPTY = new Set("a an and can do does for from how i in is it my of on or the to what when where which who why with".split(" "));

// The words of a query: "tags" finds "tag" too.
function wordsOf(query) {
  const all = fold(query).split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "");
  const telling = all.filter((word) => !EMPTY.has(word));
  return (telling.length > 0 ? telling : all).map((word) => word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word);
}

// How well a word fits a text: where it begins a word, better than within one, and often a little better than once.
function fit(text, word) {
  let best = 0, times = 0;
  for (let at = text.indexOf(word); at >= 0 && times < 6; at = text.indexOf(word, at + 1)) {
    times += 1;
    if (at === 0 || !/[\p{L}\p{N}_]/u.test(text[at - 1])) best = 1;
    else if (word.length > 2) best = Math.max(best, 0.3);
  }
  return best * (1 + times / 10);
}

// The sections in which every word occurs, the best first. A page's weight makes it come sooner or later.
function find(index, query, most = 20) {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const found = [];
  for (const part of index.parts) {
    const [number, anchor, heading, text] = part;
    const [address, title, weight] = index.pages[number];
    part.folded ??= [fold(title), fold(heading), fold(text)];
    const [inTitle, inHeading, inText] = part.folded;
    let score = 0;
    for (const word of words) {
      const each = fit(inTitle, word) * (anchor === "" ? 10 : 2) + fit(inHeading, word) * 8 + fit(inText, word) * 3;
      if (each === 0) { score = 0; break; }
      score += each;
    }
    if (score === 0) continue;
    if (words.length > 1 && [inTitle, inHeading, inText].some((each) => each.includes(fold(query).trim()))) score += 5;
    found.push({ address: address + (anchor ? `#${encodeURIComponent(anchor)}` : ""), title, heading, text, score: score * weight });
  }
  return found.sort((one, other) => other.score - one.score).slice(0, most);
}

// The words around the first that was looked for.
function excerpt(text, words) {
  const places = words.map((word) => fold(text).indexOf(word)).filter((place) => place >= 0);
  const begin = Math.max(0, Math.min(...places, text.length) - 60);
  const from = begin === 0 ? 0 : text.indexOf(" ", begin) + 1;
  return `${from > 0 ? "… " : ""}${text.slice(from, from + 200)}${from + 200 < text.length ? " …" : ""}`;
}

// Puts a text into an element, with the words marked.
function write(element, text, words) {
  const pattern = words.map((word) => word.replace(/[.*+?^$\{}()|[\]\\]/g, "\\$&")).join("|");
  for (const [number, piece] of text.split(new RegExp(`(${pattern})`, "iu")).entries()) {
    const node = number % 2 === 1 ? document.createElement("mark") : document.createTextNode("");
    node.textContent = piece;
    element.append(node);
  }
}

function start(root) {
  const form = document.querySelector(".search");
  const input = form.querySelector("input");
  const list = document.querySelector(".found");
  let isLoading = false;
  form.hidden = false;

  function load() {
    if (isLoading) return;
    isLoading = true;
    const script = document.createElement("script");
    script.src = `${root}/search-index.js`;
    script.onload = show;
    script.onerror = () => { tell("The file search-index.js of this site is missing."); };
    document.head.append(script);
  }

  function tell(text) {
    const line = document.createElement("p");
    line.textContent = text;
    list.replaceChildren(line);
    list.hidden = false;
  }

  function show() {
    const words = wordsOf(input.value);
    list.hidden = words.length === 0;
    if (list.hidden) return;
    if (!window.carillonIndex) { load(); return; }
    const found = find(window.carillonIndex, input.value);
    if (found.length === 0) { tell(`No page has “${input.value.trim()}”.`); return; }
    const items = document.createElement("ol");
    for (const each of found) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = `${root}/${each.address}`;
      write(link, each.heading ? `${each.title} ▸ ${each.heading}` : each.title, words);
      const text = document.createElement("p");
      write(text, excerpt(each.text, words), words);
      item.append(link, text);
      items.append(item);
    }
    list.replaceChildren(items);
    list.scrollTop = 0;
  }

  input.addEventListener("focus", load);
  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => { event.preventDefault(); list.querySelector("a")?.click(); });
  list.addEventListener("click", (event) => { if (event.target.closest("a")) list.hidden = true; });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { list.hidden = true; input.blur(); }
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea")) return;
    event.preventDefault();
    input.focus();
  });
}

if (typeof module !== "undefined") module.exports = { find, excerpt };
else start(document.currentScript.dataset.root);
