"""The commands of docs/host-it.md, and a shell that plays them in their order.

A block's first line may have attributes, which a reader does not see:
  name=NAME       the block's name; every block of bash has one
  in=debian       it is played only on a machine of its own: in_debian.py
  alone=yes       it belongs to no step, and is played alone, in an empty folder
  by-hand="WHY"   nobody but a person can run it, and why
"""

import pathlib
import re
import shlex
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "host-it.md"


class Block:
    def __init__(self, attributes, text, line):
        words = dict(word.split("=", 1) for word in shlex.split(attributes))
        self.name = words.pop("name", None)
        self.needs_debian = words.pop("in", None) == "debian"
        self.is_alone = words.pop("alone", None) == "yes"
        self.by_hand = words.pop("by-hand", None)
        self.text, self.line = text, line
        assert self.name, f"the block at line {line} has no name"
        assert not words, f"the block {self.name} has unknown attributes: {', '.join(words)}"
        assert self.by_hand is None or len(self.by_hand) > 20, f"the block {self.name} needs a reason"


def blocks(page=None):
    """The page's blocks of bash, in their order."""
    page = PAGE.read_text() if page is None else page
    found = [
        Block(match.group(1), match.group(2), page[: match.start()].count("\n") + 1)
        for match in re.finditer(r"^```bash(.*)\n((?:(?!^```).*\n)*)^```$", page, re.MULTILINE)
    ]
    names = [block.name for block in found]
    assert len(set(names)) == len(names), f"two blocks have one name: {names}"
    assert len(found) == page.count("```bash"), "a block of bash does not end"
    return found


class Failure(AssertionError):
    """A block that ended with an error, with all that it printed."""


class Shell:
    """One bash for all blocks, so that a later one has the variables of an earlier one."""

    DONE = "-- the block has ended --"
    FAILED = "-- the block has failed --"

    def __init__(self, command, environment=None, folder=None, seen_as=None):
        """`folder` gets each block as a file; the shell sees that folder as `seen_as`."""
        self.files = pathlib.Path(folder or tempfile.mkdtemp())
        self.seen_as = seen_as or str(self.files)
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # A program that a block has left running keeps the output open, so bash says itself that it ends.
        self.tell(f"set -eu -o pipefail; trap \"echo; echo '{self.FAILED}'\" EXIT")

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def run(self, name, text):
        """Runs commands, and returns what they print."""
        (self.files / f"{name}.sh").write_text(text)
        printed = []
        try:
            # A command that reads its input must not get the next block.
            self.tell(f"source {shlex.quote(self.seen_as)}/{name}.sh </dev/null")
            self.tell(f"echo; echo '{self.DONE}'")
        except BrokenPipeError:
            pass
        for line in self.process.stdout:
            if line.rstrip("\n") == self.DONE:
                return "".join(printed).rstrip("\n")
            if line.rstrip("\n") == self.FAILED:
                break
            printed.append(line)
        raise Failure(f"{name} failed, with status {self.process.wait()}:\n{text}\n{''.join(printed)}")

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait()


def play(steps, shell, before, instead=None, prepared=lambda text: text):
    """Plays blocks in their order, and returns what each printed.

    `before` and `instead` have a function for the name of a block: the world's part before it, such as a phone that registers,
    and the substitute of a block that is by hand. `prepared` rewrites the text of a block.
    """
    printed = {}
    for block in steps:
        before.get(block.name, lambda: None)()
        if block.by_hand:
            (instead or {})[block.name]()
        else:
            printed[block.name] = shell.run(block.name, prepared(block.text))
    return printed
