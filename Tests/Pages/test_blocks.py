"""Every block of code of every page has a right form, and somebody runs those that are programs."""

import ast
import json
import re
import shutil
import subprocess
import textwrap
import xml.etree.ElementTree

import pytest
import yaml

from blocks import ELSEWHERE, PROGRAMS, SHOWN, UNPLAYED, beginning, is_of, runs, unplayed
from markdown import ROOT, Page, pages
from test_played import PLAYED_WITH, PLAYS

BLOCKS = [block for page in pages() for block in page.blocks]

# The programs of the pages that nobody runs: Tests/Pages/unplayed.json has them, with reasons. There may only be fewer.
MOST_UNPLAYED = 31

TEXTS = ("", "json", "mermaid", "text", "xml", "yaml")


def checked_by(*command):
    """A check that is another program's, of a text at its standard input."""
    def check(text):
        if shutil.which(command[0]) is None:
            pytest.skip(f"{command[0]} is not installed")
        run = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=False)
        assert run.returncode == 0, run.stderr
    return check


def check_json(text):
    """JSON, or one object a line. Three dots stand for what a page leaves out."""
    text = re.sub(r",\s*…", "", text)
    try:
        json.loads(text.replace(": …", ": null"))
    except json.JSONDecodeError:
        for line in text.strip().split("\n"):
            json.loads(line.replace(": …", ": null"))


def check_go(text):
    whole = text if text.startswith("package ") else f"package main\n\nfunc main() {{\n{text}}}\n"
    checked_by("gofmt", "-e")(whole)


def check_text(text):
    commands = re.findall(r"^ *(?:sudo |[A-Z_]+=\S* )*(?:carillon|curl|docker|git|make|npm|pip|podman|psql|swift) .*", text, re.MULTILINE)
    assert not commands, f"the block has a command, and needs a language: {commands[0]}"


CHECKS = {
    "": check_text,
    "bash": checked_by("bash", "-n"),
    "go": check_go,
    "javascript": checked_by("node", "--check", "--input-type=commonjs", "-"),
    "js": checked_by("node", "--check", "--input-type=module", "-"),
    "json": check_json,
    "mermaid": lambda text: re.match(r"(flowchart|stateDiagram-v2|sequenceDiagram)", text) or pytest.fail("no diagram"),
    "php": checked_by("php", "-l"),
    "python": ast.parse,
    "ruby": checked_by("ruby", "-c"),
    "sh": checked_by("bash", "-n"),
    "xml": lambda text: xml.etree.ElementTree.fromstring(f"<all>{text}</all>"),
    "yaml": yaml.safe_load,
}


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.place)
def test_a_block_has_the_form_of_its_language(block):
    assert block.language in PROGRAMS or block.language in TEXTS, f"no check is known for {block.language}"
    if check := CHECKS.get(block.language):
        check(textwrap.dedent(block.text))


def test_the_blocks_are_found():
    assert len(BLOCKS) > 180 and {block.language for block in BLOCKS} >= {"bash", "json", "python", "sh", "swift", "yaml"}


def test_every_program_is_run_by_somebody():
    lost = [block for block in BLOCKS if runs(block) and block.page.name not in PLAYS | PLAYED_WITH]
    lost = [block for block in lost if block not in unplayed([block])]
    assert not lost, "nobody runs " + ", ".join(f"{block.place} ({beginning(block)})" for block in lost)


def test_the_list_of_what_nobody_runs_only_shrinks():
    assert len(UNPLAYED) <= MOST_UNPLAYED, "run the block in test_played.py instead"
    assert len(UNPLAYED) == MOST_UNPLAYED, f"MOST_UNPLAYED may be {len(UNPLAYED)} now"
    for each in UNPLAYED:
        found = [block for block in BLOCKS if runs(block) and is_of(block, each)]
        assert len(found) == 1, f"{each['page']} has {len(found)} blocks that nobody runs and begin with {each['begins']}"
        assert len(each["why"]) > 20, f"{each['begins']} needs a reason"


def test_a_test_that_is_named_reads_the_page():
    for (page, language), (test, words) in ELSEWHERE.items():
        assert words in (ROOT / test).read_text(), f"{test} does not have {words}"
        assert any(block.language == language for block in Page(ROOT / page).blocks), f"{page} has no block of {language}"
    assert len(SHOWN) > 15
    for page, language in SHOWN:
        assert any(block.language == language for block in Page(ROOT / page).blocks), f"{page} has no block of {language}"


@pytest.mark.parametrize("language, text", [
    ("json", '{"a": 1, "b": }'), ("yaml", "a: [1"), ("sh", "if true; then"), ("python", "def f(:"), ("", "carillon serve --data ./data\n"),
    ("js", "const a = ;"), ("javascript", "const a = ;"), ("ruby", "puts ("), ("xml", "<a>"), ("mermaid", "a --> b"),
])
def test_a_block_with_a_fault_is_told(language, text):
    with pytest.raises((AssertionError, ValueError, SyntaxError, yaml.YAMLError, xml.etree.ElementTree.ParseError, pytest.fail.Exception)):
        CHECKS[language](text)
