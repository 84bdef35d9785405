// Markdown as the guides use it, read into values: headings, paragraphs, lists, tables and code. guide-view.js draws them.

/** What ends a paragraph: another kind of block. */
const starts = { heading: /^(#{1,6}) +(.+)$/, fence: /^```/, table: /^\|/, item: /^(?:[-*]|\d+\.) +(.+)$/ };

/**
 * @param {string} text
 * @returns {object[]} blocks by their `kind`: `heading` (`level`, `text`, `id`), `paragraph` (`text`), `list` (`items`, `isOrdered`),
 *   `table` (`head`, `rows`: the texts of their cells), `code` (`text`)
 */
export function blocksOf(text) {
  const lines = text.split("\n");
  const blocks = [];
  const is = (kind) => lines.length > 0 && starts[kind].test(lines[0]);
  const taken = (isMore) => {
    const found = [];
    while (lines.length > 0 && isMore()) found.push(lines.shift());
    return found;
  };
  while (lines.length > 0) {
    if (lines[0].trim() === "") lines.shift();
    else if (is("heading")) {
      const [, marks, words] = starts.heading.exec(lines.shift());
      blocks.push({ kind: "heading", level: marks.length, text: words, id: slug(words) });
    } else if (is("fence")) {
      lines.shift();
      blocks.push({ kind: "code", text: taken(() => !is("fence")).join("\n") });
      lines.shift();
    } else if (is("table")) {
      const [head, , ...rows] = taken(() => is("table")).map(cellsOf);
      blocks.push({ kind: "table", head, rows });
    } else if (is("item")) {
      blocks.push(list(taken(() => is("item") || /^ +\S/.test(lines[0]))));
    } else blocks.push({ kind: "paragraph", text: taken(() => lines[0].trim() !== "" && !Object.keys(starts).some(is)).join(" ") });
  }
  return blocks;
}

function list(lines) {
  const items = [];
  for (const line of lines) {
    const [, words] = starts.item.exec(line) ?? [];
    if (words) items.push(words);
    else items.push(`${items.pop()} ${line.trim()}`);
  }
  return { kind: "list", items, isOrdered: /^\d/.test(lines[0]) };
}

/** The cells of a table's line. A bar in code, or after a backslash, separates none. */
function cellsOf(line) {
  const cells = line.match(/(?:`[^`]*`|\\\||[^|])+/g) ?? [];
  return cells.map((cell) => cell.replaceAll("\\|", "|").trim());
}

const inline = /(`+)(.+?)\1|\[((?:`[^`]*`|[^\]])+)\]\(([^)\s]+)\)|<(https?:[^>\s]+)>|\*\*(.+?)\*\*|\*([^\s*](?:[^*]*[^\s*])?)\*/g;

/**
 * @param {string} text of one block
 * @returns {object[]} pieces by their `kind`: `text` and `code` (`text`), `strong` and `em` (`pieces`), `link` (`pieces`, `href`)
 */
export function piecesOf(text) {
  const pieces = [];
  let end = 0;
  const plain = (to) => { if (to > end) pieces.push({ kind: "text", text: text.slice(end, to) }); };
  for (const match of text.matchAll(inline)) {
    const [whole, , code, words, href, address, strong, em] = match;
    plain(match.index);
    end = match.index + whole.length;
    if (code !== undefined) pieces.push({ kind: "code", text: code });
    else if (href) pieces.push({ kind: "link", pieces: piecesOf(words), href });
    else if (address) pieces.push({ kind: "link", pieces: [{ kind: "text", text: address }], href: address });
    else pieces.push({ kind: strong ? "strong" : "em", pieces: piecesOf(strong ?? em) });
  }
  plain(text.length);
  return pieces;
}

/** The part of an address that names a heading, as GitHub makes it. */
export const slug = (words) => words.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-");

/** The page of docs/ and the part of it that a link of a guide names: `{ guide, at }`; `null` for an address elsewhere. */
export function guideOf(href, here) {
  const [, name, at = ""] = /^(?:(?:docs\/)?([\w-]+)\.md)?(?:#([^\s]+))?$/.exec(href) ?? [];
  return name || at ? { guide: name ?? here, at } : null;
}
