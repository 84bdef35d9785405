"""Every link of a page leads to a file that is there, and to a heading that it has."""

import re
import urllib.parse

import pytest

from markdown import ROOT, Page, pages

PAGES = {page.name: page for page in pages()}


def fault(page, target):
    """Why a link of a page leads nowhere, or None. What other hosts have is not asked."""
    if target.startswith("mailto:"):
        return None if re.fullmatch(r"mailto:[^@\s]+@[\w.-]+\.\w+", target) else "is no address"
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        if page.path.parent.suffix == ".docc" and target.startswith("doc:"):
            return None
        try:
            parts = urllib.parse.urlsplit(target)
            whole = parts.scheme in ("http", "https") and re.fullmatch(r"[\w-]+(\.[\w-]+)+", parts.hostname or "") and (parts.port or 1)
        except ValueError:
            whole = False
        return None if whole and not re.search(r"[\s<>\"{}|\\^`]", target) else "is no address"
    path, _, anchor = urllib.parse.unquote(target).partition("#")
    file = (page.path.parent / path).resolve() if path else page.path
    if not file.exists() or not file.is_relative_to(ROOT):
        return "is not there"
    if not anchor:
        return None
    if lines := re.fullmatch(r"L(\d+)", anchor):
        return None if int(lines.group(1)) <= file.read_text().count("\n") else "has fewer lines"
    if file.suffix != ".md":
        return "has no headings"
    return None if anchor in Page(file).anchors() else "has no such heading"


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name):
    page = PAGES[name]
    faults = [f"{name}:{line}: {target} {why}" for line, target in page.links() if (why := fault(page, target))]
    faults += [f"{name}:{line}: [{target}] is not defined" for line, target in page.undefined()]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_is_named_without_a_link_is_there(name):
    named = [(line, path) for line, text in PAGES[name].prose
             for path in re.findall(r"(?<![\w/.(])((?:docs|clients|Packaging|Examples)/[\w/.-]+\.md)\b", text)]
    lost = [f"{name}:{line}: {path}" for line, path in named if not (ROOT / path).exists()]
    assert not lost, "\n".join(lost)


def test_the_links_are_found():
    assert len(PAGES) > 100
    assert sum(1 for page in PAGES.values() for _ in page.links()) > 400


def test_every_page_of_docs_is_reached_from_the_first():
    reached, waiting = set(), ["README.md"]
    while waiting:
        name = waiting.pop()
        if name in reached or name not in PAGES:
            continue
        reached.add(name)
        for _, target in PAGES[name].links():
            if not re.match(r"[a-z]+:", target):
                file = (PAGES[name].path.parent / target.partition("#")[0]).resolve()
                if file.is_relative_to(ROOT):
                    # GitHub shows a folder's README.md.
                    waiting.append(str((file / "README.md" if file.is_dir() else file).relative_to(ROOT)))
    lost = sorted(name for name in PAGES if name.startswith(("docs/", "clients/", "Examples/")) and name not in reached)
    assert not lost, f"no page leads to {lost}"


def test_every_row_of_the_comparison_has_its_source():
    def rows(page, columns):
        found = [[cell.strip() for cell in line.strip("|").split(" | ")] for _, line in PAGES[page].prose if line.startswith("| ")]
        return [cells[0].strip() for cells in found if len(cells) == columns]
    compared, sourced = rows("README.md", 6)[1:], rows("docs/how-it-compares.md", 2)[1:]
    assert len(compared) >= 10 and len(compared) == len(sourced)
    for row, source in zip(compared, sourced):
        assert row.startswith(source), f"{row}: the sources have {source} in its place"


@pytest.mark.parametrize("target, why", [
    ("nothing.md", "is not there"), ("host-it.md#7-send-the-first-pus", "has no such heading"), ("host-it.md#7-send-the-first-push", None),
    ("../README.md#try-it-in-five-steps", None), ("#nowhere", "has no such heading"), ("https://", "is no address"),
    ("https://example.com:port/", "is no address"), ("https://example.com/a", None), ("../../elsewhere.md", "is not there"),
    ("../Makefile#L10000", "has fewer lines"), ("mailto:nobody", "is no address"), ("ftp://example.com", "is no address"),
])
def test_a_link_that_leads_nowhere_is_told(target, why):
    assert fault(PAGES["docs/README.md"], target) == why
