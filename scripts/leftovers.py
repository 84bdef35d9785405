#!/usr/bin/env python3
"""Finds what a run of the tests has left behind: temporary files and folders, and processes that still run.

  scripts/leftovers.py --note FILE     before the run: notes what is there already
  scripts/leftovers.py --check FILE    after it: names what is new, and ends with status 1 if there is something

It looks at names that begin with "carillon" in the temporary folder and in /dev/shm, and at processes of programs that were built
here. A folder that a running process has in its environment, as the tests of another checkout have, is in use and not left behind.
Without /proc, as on macOS, it looks at files only.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = [pathlib.Path(tempfile.gettempdir()), pathlib.Path("/dev/shm")]
BUILT = [str(ROOT / ".build") + "/", str(ROOT / ".venv") + "/"]


def files():
    found = {str(path) for folder in FOLDERS if folder.is_dir() for path in folder.iterdir() if path.name.startswith("carillon")}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_bytes()
        except OSError:
            continue
        found = {path for path in found if path.encode() not in environment}
    return found


def command(process):
    """The command line of a process that was built here; an empty text for another, or for one that has ended."""
    try:
        program = os.readlink(process / "exe")
        words = (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    built = program if any(program.startswith(folder) for folder in BUILT) else ""
    # An interpreter, or a server of the tests that runs as another user, names its files.
    named = next((word.decode(errors="replace") for word in words if any(word.decode(errors="replace").startswith(folder)
                                                                          for folder in BUILT)), "")
    return " ".join(word.decode(errors="replace") for word in words if word)[:200] if built or named else ""


def processes():
    """The processes that were built here, but for this one and those that wait for it, by their numbers and commands."""
    own, mine = os.getpid(), set()
    while own > 1:
        mine.add(own)
        try:
            own = int(pathlib.Path(f"/proc/{own}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            break
    found = {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        text = command(process)
        if text and int(process.name) not in mine:
            found[f"{process.name} {text}"] = text
    return set(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--note", type=pathlib.Path, metavar="FILE", help="write what is there to FILE")
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE", help="compare with what FILE has")
    options = parser.parse_args()
    if (options.note is None) == (options.check is None):
        parser.error("either --note or --check is needed")
    present = {"files": sorted(files()), "processes": sorted(processes())}
    if options.note:
        options.note.parent.mkdir(parents=True, exist_ok=True)
        options.note.write_text(json.dumps(present))
        return
    try:
        before = json.loads(options.check.read_text())
    except (OSError, ValueError) as error:
        parser.error(f"{options.check} cannot be read: {error}; write it with --note before the tests")
    new = [(kind, name) for kind in present for name in present[kind] if name not in set(before.get(kind, []))]
    for kind, name in new:
        print(f"left behind: {'process' if kind == 'processes' else 'file'} {name}", file=sys.stderr)
    if new:
        sys.exit("error: the tests must remove their files and end their processes")


if __name__ == "__main__":
    main()
