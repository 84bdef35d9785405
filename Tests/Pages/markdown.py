"""The project's pages, with their links, headings and blocks of code."""

import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "clients", "Packaging", "Examples", "Sources", "Benchmarks", "Fuzz")


class Block:
    """A block of code between two lines of three backticks.

    The opening line has the language, and may have attributes such as `name=restore`, which a reader does not see.
    """

    def __init__(self, page, opening, text, line):
        self.page, self.text, self.line = page, text, line
        words = opening.split(" ", 1)
        self.language = words[0]
        self.attributes = dict(word.split("=", 1) for word in shlex.split(words[1])) if len(words) > 1 else {}

    @property
    def place(self):
        return f"{self.page.name}:{self.line}"


class Page:
    """A file of Markdown. `name` is its path in the repository."""

    def __init__(self, path):
        self.path, self.name = path, str(path.relative_to(ROOT))
        self.text = path.read_text()
        self.blocks, self.prose = [], []
        opening, inside, start = None, [], 0
        for number, line in enumerate(self.text.split("\n"), 1):
            fence = re.match(r" *```(.*)$", line)
            if fence and opening is None:
                opening, inside, start = fence.group(1), [], number
            elif fence:
                assert not fence.group(1), f"{self.name}:{number} begins a block in another"
                self.blocks.append(Block(self, opening, "".join(each + "\n" for each in inside), start))
                opening = None
            elif opening is not None:
                inside.append(line)
            else:
                self.prose.append((number, line))
        assert opening is None, f"{self.name}: the block at line {start} does not end"

    def anchors(self):
        """The names that GitHub gives to the headings."""
        names, counts = set(), {}
        for _, line in self.prose:
            if heading := re.match(r"#{1,6} +(.*?)(?: +#+)?$", line):
                words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).lower()
                slug = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
                count = counts[slug] = counts.get(slug, -1) + 1
                names.add(f"{slug}-{count}" if count else slug)
            names.update(re.findall(r"<a (?:name|id)=\"([^\"]+)\"", line))
        return names

    def links(self):
        """The targets of all links and pictures, each with its line."""
        for number, line in self.prose:
            line = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "code", line)
            for pattern in (r"\]\(\s*<?([^()\s>]*(?:\([^()\s]*\)[^()\s>]*)*)>?(?:\s+\"[^\"]*\")?\s*\)", r"^ *\[[^\]^]+\]: +(\S+)",
                            r"<((?:https?|mailto):[^>]*)>", r"(?:href|src)=\"([^\"]*)\""):
                for target in re.findall(pattern, line):
                    yield number, target

    def undefined(self):
        """The references to links, such as `[text][name]`, whose name the page does not define."""
        defined = {name.lower() for _, line in self.prose for name in re.findall(r"^ *\[([^\]^]+)\]: ", line)}
        for number, line in self.prose:
            line = re.sub(r"`[^`]*`", "code", line)
            for text, name in re.findall(r"\[([^\[\]]+)\]\[([^\[\]]*)\]", line):
                if (name or text).lower() not in defined:
                    yield number, name or text


def pages():
    """Every page of the repository but those of tests, in the order of their paths."""
    found = list(ROOT.glob("*.md")) + [ROOT / "llms.txt"]
    for folder in FOLDERS:
        found += [path for path in (ROOT / folder).rglob("*.md")
                  if not {".build", "node_modules", "dist"} & set(path.parts) and not path.is_symlink()]
    return [Page(path) for path in sorted(found)]
