#!/usr/bin/env python3
"""Tells how long the phases of `make test` took, beside what they took in a run that was recorded.

  scripts/phases.py              prints the table of the last run
  scripts/phases.py --record     also writes it to Tests/phases.json

Machines differ by a factor of three, so a phase is held against its share of the whole: one whose share is more than half
as large again, and by more than five hundredths of the whole, is marked. It never fails a run.
"""

import argparse
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAST = ROOT / ".build" / "phases"
RECORD = ROOT / "Tests" / "phases.json"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="keep these times as those of a usual run")
    options = parser.parse_args()
    if not LAST.exists():
        parser.error("there is no run yet: make test")
    took = {}
    for line in LAST.read_text().splitlines():
        name, seconds, _ = line.split()
        took[name] = took.get(name, 0) + int(seconds)
    known = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    whole, usual = max(1, sum(took.values())), max(1, sum(known.values()))
    print(f"\n{'phase':<16} {'seconds':>7} {'share':>6}   recorded")
    for name, seconds in took.items():
        share, before = seconds / whole, known.get(name, 0) / usual
        grown = share > 1.5 * before and share - before > 0.05
        mark = "   larger than it was" if name in known and grown else "   new" if known and name not in known else ""
        print(f"{name:<16} {seconds:>7} {share:>6.0%}   {before:>6.0%}{mark}")
    print(f"{'all':<16} {whole:>7}           {usual} s")
    if options.record:
        RECORD.write_text(json.dumps(took, indent=2) + "\n")


if __name__ == "__main__":
    main()
