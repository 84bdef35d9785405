"""Who checks a page's blocks of code. `test_blocks.py` holds them all to it."""

import json
import pathlib
import re
import textwrap

from markdown import ROOT

# Blocks in these languages are programs or commands: their form alone shows nothing.
PROGRAMS = ("bash", "go", "java", "javascript", "js", "php", "python", "ruby", "sh", "sql", "swift", "ts")

# Tests elsewhere that run a page's blocks of a language, each with the words by which it finds them.
ELSEWHERE = {
    ("docs/host-it.md", "bash"): ("Tests/HostIt/page.py", '"host-it.md"'),
    ("docs/client-without-the-sdk.md", "bash"): ("Tests/HostIt/test_client.py", "docs/client-without-the-sdk.md"),
    ("clients/python/README.md", "python"): ("Tests/Clients/languages.py", 'example("python", "python")'),
    ("clients/typescript/README.md", "ts"): ("Tests/Clients/languages.py", 'example("typescript", "ts")'),
    ("clients/go/README.md", "go"): ("Tests/Clients/languages.py", 'example("go", "go")'),
    ("clients/java/README.md", "java"): ("Tests/Clients/languages.py", 'example("java", "java")'),
    ("clients/java/README.md", "bash"): ("Tests/Clients/languages.py", 'example("java", "bash name=jar")'),
    **{("docs/sign-in.md", language): ("Tests/RoundTripTests/SignInExampleTests.swift", language)
       for language in ("python", "javascript", "ruby", "bash")},
}
UNPLAYED = json.loads((pathlib.Path(__file__).parent / "unplayed.json").read_text())


def shown_elsewhere():
    """The pages, with a language, whose blocks DocumentationTests finds in sources that are built and run."""
    text = (ROOT / "Tests/TidyTests/DocumentationTests.swift").read_text()
    names = dict(re.findall(r'static let (\w+) = "([^"]+)"', text))
    for page, language in re.findall(r'\("([^"]+\.md)", "(\w+)", ', text):
        yield re.sub(r"\\\((\w+)\)", lambda name: names[name.group(1)], page), language


SHOWN = set(shown_elsewhere())


def runs(block):
    """Whether a block is for the pages' own tests to run."""
    place = (block.page.name, block.language)
    return block.language in PROGRAMS and place not in ELSEWHERE and place not in SHOWN


def unplayed(blocks):
    """The blocks of a list that nobody runs, and the reason is written down."""
    return [block for block in blocks if any(is_of(block, each) for each in UNPLAYED)]


def is_of(block, entry):
    """Whether an entry of unplayed.json is for a block."""
    return block.page.name == entry["page"] and textwrap.dedent(block.text).startswith(entry["begins"])


def beginning(block):
    return textwrap.dedent(block.text).split("\n")[0]
