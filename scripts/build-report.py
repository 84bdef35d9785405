#!/usr/bin/env python3
"""Builds from nothing, in a folder of its own, and tells where the time went.

  scripts/build-report.py                          what `make up` builds
  scripts/build-report.py -- --build-tests         what `make test` builds
  scripts/build-report.py --keep                   leaves the folder, .build/report, for a second look

It prints the time of the compiler's processes by module (dependencies together, each of ours by itself), of linking, and the
slowest function bodies and expressions of ours. CPU seconds are those of all processes; with two cores, the wall time is at
best half of them.
"""

import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = ROOT / ".build" / "report"
# The compiler's place is taken by a script that notes what each process cost.
WRAPPER = """#!/bin/bash
"{swift}" "$@"
status=$?
# Not in a subshell, which would tell its own times.
times >"{log}.$$"
times=$(tail -1 "{log}.$$")
rm "{log}.$$"
module=link
what="$*"
[[ $what =~ -module-name\\ ([^ ]+) ]] && module=${{BASH_REMATCH[1]}}
[[ $what == *-emit-executable* || $what == *-emit-library* && $what != *-emit-module* ]] && module="link"
echo "$module $times" >>"{log}"
exit $status
"""
SLOW_MILLISECONDS = 150
SLOW = re.compile(r"^(/\S+?\.swift):(\d+):\d+: warning: (.*?) took (\d+)ms to type-check")


def seconds(text):
    """The seconds of bash's `times`: 1m2.345s."""
    minutes, rest = text.split("m")
    return 60 * float(minutes) + float(rest.rstrip("s"))


def build(arguments, folder):
    swift = shutil.which("swiftc")
    if not swift:
        sys.exit("error: swiftc is not on the path: https://www.swift.org/install/")
    # SwiftPM finds the toolchain's libraries beside the folder of the compiler.
    (folder / "bin").mkdir()
    (folder / "lib").symlink_to(pathlib.Path(swift).resolve().parent.parent / "lib")
    log, wrapper = folder / "log", folder / "bin" / "swiftc"
    wrapper.write_text(WRAPPER.format(swift=pathlib.Path(swift).absolute(), log=log))
    wrapper.chmod(0o755)
    limits = [f"-warn-long-function-bodies={SLOW_MILLISECONDS}", f"-warn-long-expression-type-checking={SLOW_MILLISECONDS}"]
    flags = [part for limit in limits for part in ("-Xswiftc", "-Xfrontend", "-Xswiftc", limit)]
    # Slow places are warnings, which CARILLON_STRICT makes errors.
    environment = {key: value for key, value in os.environ.items() if key != "CARILLON_STRICT"} | {"SWIFT_EXEC": str(wrapper)}
    start = time.monotonic()
    command = ["swift", "build", "--scratch-path", str(SCRATCH), *flags, *arguments]
    print("building from nothing: " + " ".join(command), flush=True)
    run = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = []
    for line in run.stdout:
        output.append(line.rstrip())
        step = re.match(r"\[(\d+)/(\d+)\]", line)
        if step and sys.stdout.isatty():
            print(f"\r{step.group(1)} of {step.group(2)} ", end="", flush=True)
    if run.wait() != 0:
        sys.exit("error: the build failed\n" + "\n".join(output[-20:]))
    return time.monotonic() - start, log.read_text().splitlines(), output


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true", help="leave the build in .build/report")
    parser.add_argument("arguments", nargs="*", default=[], help="arguments of swift build (default: --product carillon-phones)")
    options = parser.parse_args()
    shutil.rmtree(SCRATCH, ignore_errors=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            wall, log, output = build(options.arguments or ["--product", "carillon-phones"], pathlib.Path(folder))
    finally:
        if not options.keep:
            shutil.rmtree(SCRATCH, ignore_errors=True)

    ours = {path.name for path in (ROOT / "Sources").iterdir()} | {path.name for path in (ROOT / "Sources/AppleFrameworks").iterdir()}
    ours |= {path.name for path in (ROOT / "Tests").iterdir()} | {path.name for path in (ROOT / "Examples").iterdir()}
    cost = collections.Counter()
    for line in log:
        module, user, system = line.split()
        name = module if module in ours or module == "link" or module.endswith(("Tests", "App", "Support")) else "dependencies"
        cost[name] += seconds(user) + seconds(system)
    whole = sum(cost.values())
    print(f"\n{wall:.0f} s, {whole:.0f} CPU s of the Swift compiler\n")
    print(f"{'module':<28} {'CPU s':>7} {'share':>6}")
    for name, spent in sorted(cost.items(), key=lambda pair: (pair[0] != "dependencies", -pair[1])):
        if spent >= 0.5:
            print(f"{name:<28} {spent:>7.1f} {spent / whole:>6.1%}")
    slow = {}
    for line in output:
        found = SLOW.match(line)
        if found:
            path, number, what, milliseconds = found.groups()
            slow[path, int(number), what] = int(milliseconds)
    print(f"\nthe slowest of ours to type-check, from {SLOW_MILLISECONDS} ms on")
    for (path, number, what), milliseconds in sorted(slow.items(), key=lambda pair: -pair[1])[:10]:
        print(f"{milliseconds:>6} ms  {pathlib.Path(path).relative_to(ROOT)}:{number}: {what}")
    if not slow:
        print("     none")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
