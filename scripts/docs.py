#!/usr/bin/env python3
"""Makes one static site of the repository's pages. It needs no server and no network, and without JavaScript only its search is missing.

  scripts/docs.py                  makes the site in .build/docs
  scripts/docs.py --to FOLDER      makes it in another folder
  scripts/docs.py --check FOLDER   follows the links of a site that was made, and looks for each of its pages in the index

The navigation is the table of docs/README.md. A page's address is its path in the repository; the articles of Sources/*/*.docc are in
`guides`, and the files and folders that a page links to are in `files`, as pages that show them.
"""

import argparse
import html
import html.parser
import json
import os
import pathlib
import posixpath
import re
import shutil
import string
import sys
import textwrap
import urllib.parse

try:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
except ImportError:
    sys.exit("error: markdown-it-py is not installed: make docs installs it")

HERE = pathlib.Path(__file__).resolve().parent
PARTS = HERE / "site"
ALONE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
READMES = ("clients", "Packaging", "Examples")
SKIPPED = {".build", "node_modules", "dist", "__pycache__"}
PICTURES = (".gif", ".jpg", ".jpeg", ".png", ".svg", ".webp")
# A page with more words is one to look things up in.
REFERENCE_WORDS = 10_000
MOST_FAULTS = 30
INDEX = "search-index.js"
INDEX_BEGINS = "window.carillonIndex = "
# The groups of the navigation that the table does not have: a title, and where their pages are.
FURTHER = (
    ("Guides to the libraries", r"guides/"),
    ("Coming from another service", r"docs/import/"),
    ("Clients, packages, examples", r"(clients|Packaging|Examples)/"),
    ("The project", r"(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|docs/decisions/README\.md$"),
    ("Other pages", r"docs/(?!decisions/)"),
)


class SiteError(Exception):
    """The faults for which there is no site, each with its place."""


class Page:
    """A page of Markdown. `name` is its path in the repository, `out` that in the site."""

    def __init__(self, site, path):
        self.site, self.path = site, path
        self.name = path.relative_to(site.root).as_posix()
        try:
            self.text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise SiteError(f"{self.name} is not UTF-8: byte {error.start}") from None
        parts = list(pathlib.PurePosixPath(self.name).parts)
        if guide := next((part for part in parts if part.endswith(".docc")), None):
            module = guide.removesuffix(".docc")
            parts = ["guides", module, "README.md" if path.stem == module else path.name]
        parts[-1] = "index.html" if parts[-1] == "README.md" else f"{path.stem}.html"
        self.out = "/".join(parts)
        self.tokens = site.markdown.parse(self.text)
        self.line = 1
        self.title, self.sections = self._headings()
        self.words = len(self.text.split())

    def _headings(self):
        """Gives each heading the anchor that GitHub gives it; the page's title, and its sections with their words."""
        title, sections, counts, current = "", [("", "", [])], {}, None
        for place, token in enumerate(self.tokens):
            if token.type == "heading_open":
                words = plain(self.tokens[place + 1])
                slug = re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-") or "section"
                count = counts[slug] = counts.get(slug, -1) + 1
                anchor = f"{slug}-{count}" if count else slug
                token.attrSet("id", anchor)
                if token.tag == "h1" and not title:
                    title = words
                else:
                    sections.append((anchor, words, []))
                current = place + 1
            elif token.type == "inline" and place != current:
                sections[-1][2].append(plain(token))
            elif token.type in ("fence", "code_block"):
                sections[-1][2].append(token.content)
        return title or self.path.stem, [(a, h, " ".join(" ".join(t).split())) for a, h, t in sections]

    @property
    def short(self):
        """The title as the navigation has it: up to the colon."""
        return self.title if self.path.parent.name == "decisions" else re.split(r": ", self.title)[0]

    @property
    def weight(self):
        """How much a word on this page counts in a search: few readers look for a decision, or for a line of a long list."""
        return 0.1 if self.words > REFERENCE_WORDS else 0.4 if re.match(r"docs/decisions/\d|CHANGELOG", self.name) else 1

    def contents(self):
        """The headings below the title, each with its anchor."""
        for place, token in enumerate(self.tokens):
            if token.type == "heading_open" and token.tag == "h2":
                yield token.attrGet("id"), plain(self.tokens[place + 1])

    def render(self):
        self._follow(self.tokens)
        renderer = self.site.markdown.renderer
        return renderer.render(self.tokens, self.site.markdown.options, {})

    def _follow(self, tokens):
        """Turns each link and picture into one of the site."""
        for token in tokens:
            if token.map:
                self.line = token.map[0] + 1
            if token.type == "link_open":
                token.attrSet("href", self._target(token.attrGet("href")))
            elif token.type == "image":
                token.attrSet("src", self._picture(token.attrGet("src")))
            elif token.type in ("html_block", "html_inline") and re.search(r"\b(?:href|src)=", token.content):
                self.fault("a link in HTML is not followed: write it in Markdown")
            if token.type == "heading_open" and token.tag != "h1":
                self.heading = token.attrGet("id")
            if token.children:
                token.children = self._named(token.children)
                self._follow(token.children)

    def _named(self, children):
        """Gives a guide's link its title, and makes links of the pages that a text only names."""
        depth, named, guide = 0, [], None
        for token in children:
            if token.type == "link_open":
                depth += 1
                guide = self.site.guide(token.attrGet("href")) if token.markup == "autolink" else None
            elif token.type == "link_close":
                depth -= 1
            elif token.type == "text" and depth and guide:
                token.content = guide.title
            elif token.type in ("text", "code_inline") and not depth:
                whole = token.type == "code_inline"
                pieces = [token.content] if whole else re.split(r"((?<![\w/.(-])[\w./-]+\.md\b)", token.content)
                if any(piece in self.site.by_name for piece in pieces):
                    for piece in pieces:
                        named += self._link(piece, token) if piece in self.site.by_name else [again(token, piece)]
                    continue
            named.append(token)
        return named

    def _link(self, name, token):
        opening, closing = Token("link_open", "a", 1), Token("link_close", "a", -1)
        opening.attrSet("href", posixpath.relpath(name, posixpath.dirname(self.name) or "."))
        return [opening, again(token, name), closing]

    def fault(self, words):
        self.site.faults.append(f"{self.name}:{self.line}: {words}")

    def _target(self, href):
        """The address in the site of what a link leads to."""
        if href.startswith("doc:"):
            if found := self.site.guide(href):
                return self.to(found.out) + (f"#{href.partition('#')[2]}" if "#" in href else "")
            self.fault(f"no guide is named {href}")
            return "#"
        if re.match(r"[a-z][a-z0-9+.-]*:", href) or href.startswith("#"):
            return href
        path, _, anchor = href.partition("#")
        file = (self.path.parent / urllib.parse.unquote(path)).resolve()
        if not file.exists() or not file.is_relative_to(self.site.root):
            self.fault(f"the link leads to {path}, which is not there")
            return "#"
        out = self.site.shown(file)
        return self.to(out) + (f"#{anchor}" if anchor else "")

    def _picture(self, source):
        file = (self.path.parent / urllib.parse.unquote(source)).resolve()
        if re.match(r"[a-z][a-z0-9+.-]*:", source):
            self.fault(f"the picture {source} is another host's: the site must work offline")
        elif not file.is_file() or not file.is_relative_to(self.site.root):
            self.fault(f"the picture {source} is not there")
        else:
            return self.to(self.site.copied(file))
        return "#"

    def to(self, out):
        return relative(self.out, out)


def relative(place, out):
    return urllib.parse.quote(posixpath.relpath(out, posixpath.dirname(place) or "."))


def again(token, content):
    """A token as another one, with other words."""
    copy = Token(token.type, token.tag, token.nesting, markup=token.markup)
    copy.content = content
    return copy


def plain(inline):
    """The words of a token, without marks."""
    kinds = {"softbreak": " ", "hardbreak": " ", "html_inline": " "}
    return "".join(kinds.get(each.type, each.content) for each in inline.children or [] if each.type != "image")


class Site:
    """The pages of a repository, and what they show."""

    def __init__(self, root):
        self.root = root.resolve()
        self.faults, self.files, self.copies = [], {}, {}
        self.markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        rules = {"fence": fence, "code_block": fence, "table_open": table_open, "table_close": table_close,
                 "heading_close": heading_close}
        for name, rule in rules.items():
            self.markdown.add_render_rule(name, rule)
        docs = sorted((self.root / "docs").rglob("*.md")) if (self.root / "docs").is_dir() else []
        if not docs:
            raise SiteError(f"{self.root / 'docs'} has no pages: a site is made of them")
        if not (self.root / "README.md").is_file():
            raise SiteError(f"{self.root} has no README.md: it is the site's first page")
        paths = [self.root / name for name in ALONE if (self.root / name).is_file()] + docs
        for folder in READMES:
            paths += sorted((self.root / folder).rglob("README.md"))
        # The page of a module comes before its articles.
        paths += sorted(self.root.glob("Sources/*/*.docc/*.md"), key=lambda path: (path.parent, path.stem != path.parent.stem, path.name))
        self.pages = [Page(self, path) for path in paths if not SKIPPED & set(path.relative_to(self.root).parts)]
        self.by_name = {page.name: page for page in self.pages}
        self.guides = {page.path.stem: page for page in self.pages if page.out.startswith("guides/")}
        self.groups = self._groups()

    def guide(self, href):
        """The guide that a link such as `doc:CarillonApp/RecallANotification` means."""
        if not href.startswith("doc:"):
            return None
        return self.guides.get(href.removeprefix("doc:").partition("#")[0].rpartition("/")[2])

    def _groups(self):
        """The navigation: titles, each with its pages."""
        first = self.by_name.get("docs/README.md")
        if first is None:
            raise SiteError("docs/README.md is not there: its table is the site's navigation")
        groups, known = [], {first.name}
        for row in re.findall(r"^\| *\*\*(.+?)\*\* *\|(.*)$", first.text, re.MULTILINE):
            found = {}
            for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", row[1]):
                name = (first.path.parent / target).resolve()
                if name.is_relative_to(self.root) and (page := self.by_name.get(name.relative_to(self.root).as_posix())):
                    found[page.name] = page
            known.update(found)
            groups.append((f"You {row[0]}", list(found.values())))
        if not groups:
            raise SiteError("docs/README.md has no table of pages, with rows such as `| **send from a backend** | … |`")
        for title, places in FURTHER:
            found = [page for page in self.pages if page.name not in known
                     and (re.match(places, page.out) if places == "guides/" else re.match(places, page.name))]
            known.update(page.name for page in found)
            if found:
                groups.append((title, found))
        return groups

    def shown(self, file):
        """The address of a file or folder in the site; what is no page gets one."""
        name = file.relative_to(self.root).as_posix()
        for page in (self.by_name.get(name), self.by_name.get(f"{name}/README.md")):
            if page:
                return page.out
        if file.suffix.lower() in PICTURES:
            return self.copied(file)
        if file.is_dir():
            self.files.setdefault(f"files/{name}/index.html", file)
            return f"files/{name}/index.html"
        self.files.setdefault(f"files/{name}.html", file)
        return f"files/{name}.html"

    def copied(self, file):
        """The address of a picture, whose file is copied."""
        out = file.relative_to(self.root).as_posix()
        self.copies[out] = file
        return out

    def navigation(self, place):
        lines = []
        for title, pages in self.groups:
            here = any(page.out == place for page in pages)
            lines.append(f"<details{' open' if here else ''}><summary>{html.escape(title)}</summary><ul>")
            for page in pages:
                current = ' aria-current="page"' if page.out == place else ""
                lines.append(f'<li><a href="{relative(place, page.out)}"{current}>{html.escape(page.short)}</a></li>')
            lines.append("</ul></details>")
        return "\n".join(lines)

    def framed(self, out, title, body, source=""):
        """A whole page around a text."""
        frame = string.Template((PARTS / "page.html").read_text(encoding="utf-8"))
        top = posixpath.relpath(".", posixpath.dirname(out) or ".")
        return frame.substitute(
            title=html.escape(title), root=top, body=body, navigation=self.navigation(out), name=html.escape(self.product),
            home=relative(out, "index.html"), which=relative(out, self.by_name["docs/README.md"].out),
            about=relative(out, "about.html"), source=f"The source of this page is <code>{html.escape(source)}</code>. " if source else "")

    @property
    def product(self):
        return self.by_name["README.md"].title

    def made(self):
        """Each page of the site by its address, after all of them are rendered."""
        outs = {}
        for page in self.pages:
            body, contents = page.render(), list(page.contents())
            if len(contents) > 2:
                items = "".join(f'<li><a href="#{html.escape(a)}">{html.escape(words)}</a></li>' for a, words in contents)
                box = f'<details class="contents"><summary>On this page</summary><ul>{items}</ul></details>'
                # After the first paragraph, which says whom the page is for, unless that leads to what follows.
                body = re.sub(r"(</h1>\n(?:<p>(?:(?!</p>).)*(?<!:)</p>\n)?)", lambda found: found.group(1) + box + "\n", body, count=1, flags=re.DOTALL)
            outs[page.out] = self.framed(page.out, page.title, body, page.name)
        outs["about.html"] = self.framed("about.html", "About these pages", (PARTS / "about.html").read_text(encoding="utf-8"))
        done = set()
        while waiting := [out for out in self.files if out not in done]:
            for out in waiting:
                done.add(out)
                outs[out] = self._file(out, self.files[out])
        return outs

    def _file(self, out, file):
        name = file.relative_to(self.root).as_posix()
        head = f"<h1><code>{html.escape(name)}</code></h1>\n"
        if file.is_dir():
            inside = [path for path in sorted(file.rglob("*")) if path.is_file() and not path.name.startswith(".")
                      and not SKIPPED & set(path.relative_to(self.root).parts) and readable(path)]
            items = [f'<li><a href="{relative(out, self.shown(path))}">{html.escape(path.relative_to(file).as_posix())}</a></li>'
                     for path in inside]
            return self.framed(out, name, head + "<p>The files of this folder of the repository:</p>\n<ul>" + "\n".join(items) + "</ul>")
        if not readable(file):
            self.faults.append(f"{name} has no text, so no page can show it")
            return ""
        lines = "".join(f'<span id="L{number}">{html.escape(line)}\n</span>'
                        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1))
        return self.framed(out, name, f'{head}<p>A file of the repository, whole:</p>\n<pre tabindex="0"><code>{lines}</code></pre>')

    def index(self):
        """What the search looks through: pages, and the sections of each."""
        pages, parts = [], []
        for number, page in enumerate(self.pages):
            pages.append([urllib.parse.quote(page.out), page.title, page.weight])
            parts += [[number, anchor, heading, text] for anchor, heading, text in page.sections if text or heading or not anchor]
        words = json.dumps({"pages": pages, "parts": parts}, ensure_ascii=False, separators=(",", ":"))
        return f"{INDEX_BEGINS}{words};\n"

    def write(self, folder):
        """Writes the site, or says what is wrong and leaves the folder as it is."""
        folder = folder.resolve()
        if folder.exists() and any(folder.iterdir()) and not (folder / INDEX).exists():
            raise SiteError(f"{folder} has other things in it: name a folder that is empty, or an older site")
        outs = self.made()
        if self.faults:
            raise SiteError("\n".join(self.faults))
        new = folder.with_name(f"{folder.name}.new-{os.getpid()}")
        try:
            for out, text in {**outs, INDEX: self.index()}.items():
                written(new / out).write_text(text, encoding="utf-8")
            for out, file in self.copies.items():
                shutil.copyfile(file, written(new / out))
            for part in ("site.css", "search.js"):
                shutil.copyfile(PARTS / part, new / part)
            if faults := check(new):
                raise SiteError("\n".join(faults))
            if folder.exists():
                shutil.rmtree(folder)
            new.rename(folder)
        finally:
            shutil.rmtree(new, ignore_errors=True)
        return len(outs)


def readable(file):
    try:
        return bool(file.read_text(encoding="utf-8")) or True
    except UnicodeDecodeError:
        return False


def written(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


# MARK: What is drawn otherwise than by default


def fence(renderer, tokens, place, options, env):
    token = tokens[place]
    language = token.info.split(" ")[0] if token.info else ""
    note = '<p class="note">A diagram, as the text that draws it:</p>\n' if language == "mermaid" else ""
    kind = f' class="language-{html.escape(language)}"' if language else ""
    return f'{note}<pre tabindex="0"><code{kind}>{html.escape(textwrap.dedent(token.content), quote=False)}</code></pre>\n'


def table_open(renderer, tokens, place, options, env):
    return '<div class="table" tabindex="0"><table>\n'


def table_close(renderer, tokens, place, options, env):
    return "</table></div>\n"


def heading_close(renderer, tokens, place, options, env):
    token, anchor = tokens[place], tokens[place - 2].attrGet("id")
    link = "" if token.tag == "h1" else f' <a class="anchor" href="#{html.escape(anchor)}" aria-label="Link to this section">#</a>'
    return f"{link}</{token.tag}>\n"


# MARK: The check of a site that was made


class Reader(html.parser.HTMLParser):
    """The ids and the links of a page, and what is wrong with its marks."""

    EMPTY = {"br", "hr", "img", "input", "link", "meta"}

    def __init__(self):
        super().__init__()
        self.ids, self.links, self.open, self.faults = set(), [], [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in self.EMPTY:
            self.open.append(tag)
        if name := attrs.get("id"):
            if name in self.ids:
                self.faults.append(f"two things have the id {name}")
            self.ids.add(name)
        self.links += [(tag, attrs[key]) for key in ("href", "src") if attrs.get(key)]
        if tag == "img" and "alt" not in attrs:
            self.faults.append("a picture has no words for those who cannot see it")

    def handle_endtag(self, tag):
        if tag in self.EMPTY:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> ends what was not begun (line {self.getpos()[0]})")


def check(folder):
    """What is wrong with a site: links that lead nowhere, pages that the index does not have, marks without an end."""
    read, faults = {}, []
    for path in sorted(folder.rglob("*.html")):
        reader = read[path.relative_to(folder).as_posix()] = Reader()
        reader.feed(path.read_text(encoding="utf-8"))
        reader.close()
    if not read:
        return [f"{folder} has no pages"]
    for name, reader in read.items():
        faults += [f"{name}: {fault}" for fault in reader.faults + [f"<{tag}> does not end" for tag in reader.open]]
        faults += [f"{name}: {target} {why}" for tag, target in reader.links if (why := lost(folder, read, name, tag, target))]
    try:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8").removeprefix(INDEX_BEGINS).rstrip(";\n"))
    except (OSError, ValueError) as error:
        return faults + [f"{INDEX} cannot be read: {error}"]
    known = {urllib.parse.unquote(page[0]) for page in index["pages"]}
    pages = {name for name in read if not name.startswith("files/") and name != "about.html"}
    faults += [f"{name} is not in the index" for name in sorted(pages - known)]
    faults += [f"{name} is in the index, and not there" for name in sorted(known - pages)]
    found = {number for number, *_ in index["parts"]}
    faults += [f"the index has no words of {page[0]}" for number, page in enumerate(index["pages"]) if number not in found]
    for number, anchor, *_ in index["parts"]:
        name = urllib.parse.unquote(index["pages"][number][0])
        if anchor and name in read and anchor not in read[name].ids:
            faults.append(f"the index leads to {name}#{anchor}, which is not there")
    return faults


def lost(folder, read, name, tag, target):
    """Why a link of a page leads nowhere, or None. What other hosts have is not asked."""
    if target == "data:,":  # no icon: the browser need not look for one
        return None
    if re.match(r"(https?|mailto):", target):
        return None if tag == "a" else "is another host's: the site must work offline"
    path, _, anchor = urllib.parse.unquote(target).partition("#")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
    if not (folder / file).is_file():
        return "is not there"
    return None if not anchor or file in read and anchor in read[file].ids else "has no such heading"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parent, help="the repository (default: this one)")
    parser.add_argument("--to", type=pathlib.Path, help="the folder of the site (default: .build/docs of the repository)")
    parser.add_argument("--check", type=pathlib.Path, metavar="FOLDER", help="only check a site that was made")
    options = parser.parse_args()
    try:
        if options.check:
            if faults := check(options.check):
                raise SiteError("\n".join(faults))
            print(f"{options.check}: every link leads somewhere, and the index has every page")
            return
        folder = options.to or options.root / ".build" / "docs"
        count = Site(options.root).write(folder)
        print(f"{count} pages: open {folder / 'index.html'}")
    except SiteError as error:
        lines = str(error).split("\n")
        more = [f"… and {len(lines) - MOST_FAULTS} more"] if len(lines) > MOST_FAULTS else []
        sys.exit("\n".join([f"error: {line}" for line in lines[:MOST_FAULTS]] + more))


if __name__ == "__main__":
    main()
