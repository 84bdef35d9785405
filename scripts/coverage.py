#!/usr/bin/env python3
"""Line coverage of each target, held against Tests/coverage.json: it may only rise.

`make test COVERAGE=1` builds with coverage, runs every test with LLVM_PROFILE_FILE set to a file in the folder given
here, and calls this script. It merges the profiles, prints a line for each target, and fails where a target is below its
floor.

  scripts/coverage.py --profiles .build/coverage --build .build/debug
  scripts/coverage.py --profiles .build/coverage --build .build/debug --raise
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLOORS = ROOT / "Tests" / "coverage.json"
# Random tests and races take other ways in every run: a target may be this much below its floor, in per cent.
TOLERANCE = 0.5


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {pathlib.Path(command[0]).name} failed:\n{done.stderr.strip()[-2000:]}")
    return done.stdout


def tool(name):
    """The tool that belongs to the compiler: profiles of another version cannot be read."""
    swift = pathlib.Path(run("which", "swift").strip()).resolve()
    beside = swift.parent / name
    return str(beside) if beside.exists() else name


def target_of(path):
    match = re.match(r"Sources/(?:AppleFrameworks/)?([^/]+)/", path)
    return match.group(1) if match else None


def measure(profiles, build):
    raw = sorted(str(path) for path in profiles.glob("*.profraw"))
    if not raw:
        sys.exit(f"error: no profiles in {profiles}: run the tests with `make test COVERAGE=1`")
    merged = profiles / "merged.profdata"
    # A file for each process: the runtime's own merging into one file (%m) leaves counters that overflow. Programs that a
    # test kills may leave half a file, which is passed over.
    listed = profiles / "files.txt"
    listed.write_text("\n".join(raw))
    run(tool("llvm-profdata"), "merge", "-sparse", "-failure-mode=all", "-o", str(merged), "-f", str(listed))
    objects = [path for path in sorted(build.glob("*.xctest")) if path.is_file()] + [build / "carillon", build / "carillon-phones"]
    arguments = [argument for path in objects[1:] for argument in ("-object", str(path))]
    report = json.loads(run(tool("llvm-cov"), "export", "-summary-only", f"-instr-profile={merged}", str(objects[0]), *arguments))
    lines = {}
    for file in report["data"][0]["files"]:
        path = pathlib.Path(file["filename"])
        if ROOT not in path.parents:
            continue
        target = target_of(str(path.relative_to(ROOT)))
        if target is None:
            continue
        covered, count = lines.get(target, (0, 0))
        summary = file["summary"]["lines"]
        lines[target] = (covered + summary["covered"], count + summary["count"])
    return {target: 100 * covered / count for target, (covered, count) in lines.items() if count}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profiles", type=pathlib.Path, required=True, help="the folder with the .profraw files")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the folder with the test bundle")
    parser.add_argument("--raise", dest="raises", action="store_true", help="write higher floors into Tests/coverage.json")
    options = parser.parse_args()
    measured = measure(options.profiles, options.build.resolve())
    floors = json.loads(FLOORS.read_text()) if FLOORS.exists() else {}
    low = []
    for target in sorted(measured.keys() | floors.keys()):
        value, floor = measured.get(target, 0.0), floors.get(target, 0.0)
        note = ""
        if value < floor - TOLERANCE:
            low.append(target)
            note = "  below its floor"
        elif math.floor(value * 10) / 10 > floor + TOLERANCE:
            note = f"  the floor may be raised to {math.floor(value * 10) / 10}"
        print(f"{target:22} {value:5.1f} %  floor {floor:5.1f} %{note}")
    if options.raises:
        raised = {t: max(floors.get(t, 0.0), math.floor(v * 10) / 10) for t, v in sorted(measured.items())}
        FLOORS.write_text(json.dumps(raised, indent=2) + "\n")
        print(f"wrote {FLOORS.relative_to(ROOT)}")
    elif low:
        sys.exit(f"error: less of {', '.join(low)} is tested than before: add tests for what is new")


if __name__ == "__main__":
    main()
