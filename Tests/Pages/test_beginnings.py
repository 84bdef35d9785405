"""Each page begins with whom it is for, and says what one has at its end: a reader who is wrong here sees it at once."""

import re

import pytest

from markdown import pages

# What is read elsewhere than beside the other pages: a registry shows them to whoever has searched for the program.
NOT_YET = ("Packaging/npm/README.md", "Packaging/wheel/README.md")
# Pages without such a beginning. There may only be fewer.
MOST_NOT_YET = 2
# A beginning that takes longer to read than this delays what it begins.
MOST_WORDS = 75

# A decision has a form of its own, which DecisionTests checks.
PAGES = {page.name: page for page in pages()
         if re.match(r"(docs/(?!decisions/)|clients/|Examples/(?!.*\.docc/)|Packaging/).*\.md$", page.name)}


def beginning(text):
    """The first paragraph after a page's title, in one line."""
    return " ".join(next((part for part in text.split("\n\n")[1:] if part.strip()), "").split())


def fault(text):
    """What is wrong with a page's beginning, or None."""
    first = beginning(text)
    if not first.startswith("For "):
        return "does not begin with whom it is for: 'For …'"
    if len(re.findall(r"[.:](?= |$)", first)) < 2:
        return "says whom it is for, and not what one has at its end"
    return f"begins with {len(first.split())} words" if len(first.split()) > MOST_WORDS else None


@pytest.mark.parametrize("name", [name for name in PAGES if name not in NOT_YET])
def test_a_page_begins_with_whom_it_is_for(name):
    why = fault(PAGES[name].text)
    assert why is None, f"{name} {why}"


def test_the_list_of_other_pages_only_shrinks():
    assert len(PAGES) > 60
    assert len(NOT_YET) <= MOST_NOT_YET, "begin the page with 'For …' instead"
    assert len(NOT_YET) == MOST_NOT_YET, f"MOST_NOT_YET may be {len(NOT_YET)} now"
    for name in NOT_YET:
        assert name in PAGES and fault(PAGES[name].text), f"{name} begins with whom it is for: take it out of NOT_YET"


@pytest.mark.parametrize("text, why", [
    ("# A\n\nA is a thing.\n", "does not begin"), ("# A\n\n## B\n\nFor you.\n", "does not begin"), ("# A\n", "does not begin"),
    ("# A\n\nFor backends.\n\nMore.\n", "at its end"), (f"# A\n\nFor backends. At the end {'you have ' * 50}.\n", "words"),
    ("# A\n\nFor backends.\nAt the end you have it.\n", None),
])
def test_a_beginning_with_a_fault_is_told(text, why):
    found = fault(text)
    assert found is None if why is None else why in found
