"""Every command that a page names exists, with the options that it is given there, whether or not somebody runs it."""

import json
import re
import shlex
import subprocess

import pytest

from markdown import ROOT, pages
from reader import CARILLON

PAGES = {page.name: page for page in pages()}
# Commands of the other program, whose options `carillon` hands over without reading them.
HANDED_OVER = ("up", "demo", "why")


@pytest.fixture(scope="module")
def program():
    run = subprocess.run([CARILLON, "--experimental-dump-help"], capture_output=True, text=True, timeout=30, check=True)
    return json.loads(run.stdout)["command"]


@pytest.fixture(scope="module")
def targets():
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def commands(page, name):
    """The uses of a command on a page, in blocks and in the text: for each its line and its words after the name."""
    texts = [(block.line + 1, block.text) for block in page.blocks if block.language in ("bash", "sh")]
    # A code span may go on in the next line.
    prose = "\n".join(line for _, line in page.prose)
    numbers = [number for number, _ in page.prose]
    texts += [(numbers[prose[: span.start()].count("\n")], span.group(1)) for span in re.finditer(rf"`({name} [^`]*)`", prose)]
    for first, text in texts:
        # A line that ends with a backslash goes on; what is quoted or in a comment is no command.
        joined = re.sub(r"\\\n", "  ", text)
        for number, line in enumerate(joined.split("\n")):
            for found in re.finditer(rf"(?:^ *|[|;&(] *|-- +|exec carillon ){name}((?: +(?:'[^']*'|\"[^\"]*\"|[^\s|;&#)'\"]+))+)", line):
                if "#" in line[: found.start()] or line[: found.start()].count("'") % 2:
                    continue
                try:
                    yield first + number, shlex.split(found.group(1))
                except ValueError:
                    yield first + number, found.group(1).split()


def fault(command, words):
    """Why a call of `carillon` with these words cannot be one, or None."""
    if words[:1] in ([name] for name in HANDED_OVER) or words[:2] == ["bench", "phone"]:
        return None
    subcommands = {each["commandName"]: each for each in command.get("subcommands") or []}
    if words and words[0] in subcommands:
        return fault(subcommands[words[0]], words[1:])
    if words and subcommands and re.fullmatch(r"[a-z][a-z-]*", words[0]) and not command.get("defaultSubcommand"):
        return f"{command['commandName']} has no command {words[0]}"
    if command.get("defaultSubcommand"):
        return fault(subcommands[command["defaultSubcommand"]], words)
    if any(argument.get("parsingStrategy") == "allRemainingInput" for argument in command.get("arguments") or []):
        return None
    known = {name["name"] for argument in command.get("arguments") or [] for name in argument.get("names") or []}
    for word in words:
        if word == "--":
            break
        if (option := re.match(r"--([a-z0-9-]+)", word)) and option.group(1) not in known | {"help", "version"}:
            return f"{command['commandName']} has no option --{option.group(1)}"
    return None


@pytest.mark.parametrize("name", PAGES)
def test_every_command_of_carillon_exists(name, program):
    faults = [f"{name}:{line}: carillon {' '.join(words)}: {why}" for line, words in commands(PAGES[name], "carillon")
              if (why := fault(program, words))]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", PAGES)
def test_every_target_of_make_and_every_product_exists(name, targets):
    manifest = (ROOT / "Package.swift").read_text()
    faults = [f"{name}:{line}: make {words[0]}" for line, words in commands(PAGES[name], "make")
              if re.fullmatch(r"[a-z-]+", words[0]) and words[0] not in targets]
    for line, words in commands(PAGES[name], "swift"):
        faults += [f"{name}:{line}: no product {product}" for option, product in zip(words, words[1:])
                   if option == "--product" and f'"{product}"' not in manifest]
    assert not faults, "\n".join(faults)


def test_the_commands_are_found():
    assert sum(1 for page in PAGES.values() for _ in commands(page, "carillon")) > 150
    assert sum(1 for page in PAGES.values() for _ in commands(page, "make")) > 60


@pytest.mark.parametrize("words, why", [
    ("serve --data ./data --prot 8080", "serve has no option --prot"), ("messages sent", "messages has no command sent"),
    ("serve --data ./data --port 8080", None), ("why train-42", None), ("check-sender -- python3 send.py --any", None),
    ("mesages send", "carillon has no command mesages"),
])
def test_a_command_that_is_not_there_is_told(program, words, why):
    assert fault(program, words.split()) == why
