#!/usr/bin/env python3
"""Breaks places of the sources that are drawn by chance, and tells which of them no test notices.

    scripts/mutate.py --count 30 --seed 7
    scripts/mutate.py --under Sources/CarillonServer --list     # only shows what would be broken

A mutant is a comparison that is turned, a constant that is changed, or a call that is left out. All mutants are built at
once, at most one in a file, each behind a switch that the environment variable CARILLON_MUTANT turns on; then the tests run
once for each. First the tests of its own module run; if they pass, those that depend on it; then those that start programs. A
suite that also fails without a mutant notices nothing, and is left out from then on; so is one that fails only sometimes.

The sources of this checkout are changed while it runs, and restored at the end, also after Ctrl-C. It refuses to begin with
changes that are not committed. Ends with status 1 if more than --allowed mutants have survived or hung.
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
# They read the sources, which are full of mutants.
TIDY_TESTS = r"^TidyTests\."
PROGRAM_TESTS = r"^(CarillonSimulatorTests|ParcelTests|RoundTripTests)\.|\.(ExtensionMemory|HistoryRepetition|PeerName)Tests/"
# Nothing here decides anything: declarations of Apple's, and programs that only measure.
LEFT_OUT = ("Sources/AppleFrameworks", "Sources/CPostgreSQL", "/Bench/")
# Twice the longest of the runs, on a busy machine.
LIMIT_SECONDS = 450

TURNED = {" < ": "<=", " <= ": "<", " > ": ">=", " >= ": ">", " == ": "!=", " != ": "=="}
JOINED = {" && ": "||", " || ": "&&"}
CALL = re.compile(r"^\s+(try )?(await )?[a-z]\w*(\.\w+)*\([^{}]*\)$")
CONSTANT = re.compile(r"(?<![\w.])([1-9]\d{0,3})(?![\w.])")


@dataclasses.dataclass
class Mutant:
    """A place that is broken, and the way it is."""

    file: pathlib.Path
    line: int
    old: str
    new: str
    # The declarations that the new line needs in its file.
    helpers: str
    kind: str

    def __str__(self):
        return f"{self.file.relative_to(ROOT)}:{self.line}: {self.kind}: {self.old.strip()}"

    def module(self):
        return self.file.relative_to(ROOT / "Sources").parts[0]


def operator(sign, other, joins):
    name = "%%" + sign
    if joins:
        body = f"try isMutant ? left {other} right() : left {sign} right()"
        head = "(left: Bool, right: @autoclosure () throws -> Bool) rethrows -> Bool"
    else:
        bound = "Equatable" if sign in ("==", "!=") else "Comparable"
        body = f"isMutant ? left {other} right : left {sign} right"
        head = f"<Value: {bound}>(left: Value, right: Value) -> Bool"
    return name, f"private func {name} {head} {{ {body} }}\n"


def mutants_of(line):
    """The ways in which a line can be broken: (kind, new line, helpers)."""
    text = line.rstrip("\n")
    if re.search(r'^\s*(//|///|#|@|case |extension |import |infix |precedencegroup)|func |init\(|where |"""|protocol |nil\b', text):
        return
    for table, joins in ((TURNED, False), (JOINED, True)):
        for sign, other in table.items():
            for match in re.finditer(re.escape(sign), text):
                if text[: match.start()].count('"') % 2:
                    continue
                name, helper = operator(sign.strip(), other, joins)
                kind = f"{sign.strip()} turned into {other}"
                yield kind, text[: match.start()] + f" {name} " + text[match.end():] + "\n", helper
    if re.match(r"^\s+(static let|let|return|guard|if|var) ", text):
        for match in CONSTANT.finditer(text):
            if text[: match.start()].count('"') % 2 or text[: match.start()].endswith(("$", "#", "[")):
                continue
            number = int(match.group(1))
            yield (f"{number} changed to {number * 2}",
                   text[: match.start()] + f"(isMutant ? {number * 2} : {number})" + text[match.end():] + "\n", "")
    if CALL.match(text) and text.count("(") == text.count(")"):
        indent = re.match(r"\s*", text).group()
        yield "call left out", f"{indent}if !isMutant {{ {text.strip()} }}\n", ""


def all_mutants(under):
    """Every mutant of the sources, by file."""
    for file in sorted((ROOT / under).rglob("*.swift")):
        path = str(file.relative_to(ROOT))
        if any(part in path for part in LEFT_OUT):
            continue
        lines = file.read_text().splitlines(keepends=True)
        found, is_text, conditions = [], False, 0
        for index, line in enumerate(lines):
            quotes = line.count('"""')
            conditions += bool(re.match(r"\s*#if", line)) - bool(re.match(r"\s*#endif", line))
            if is_text or quotes or conditions:
                is_text ^= quotes % 2 == 1
                continue
            before = lines[index - 1].rstrip() if index else ""
            after = lines[index + 1].strip() if index + 1 < len(lines) else ""
            for kind, new, helpers in mutants_of(line):
                is_whole = before.endswith(("{", "}", ")", "]")) or not before
                is_last = after.startswith((".", "?", ":", "+", "&", "|", "}"))
                if kind == "call left out" and (not is_whole or is_last):
                    continue
                found.append(Mutant(file, index + 1, line, new, helpers, kind))
        if found:
            yield found


def draw(count, seed, under):
    """Draws mutants, at most one in a file; every place has the same chance."""
    chance = random.Random(seed)
    places = [mutant for mutants in all_mutants(under) for mutant in mutants]
    chance.shuffle(places)
    files, drawn = set(), []
    for mutant in places:
        if len(drawn) == count:
            break
        if mutant.file not in files:
            files.add(mutant.file)
            drawn.append(mutant)
    return drawn


OPERATORS = "".join(
    f"infix operator %%{sign}: {precedence}\n"
    for signs, precedence in ((("<", "<=", ">", ">=", "==", "!="), "ComparisonPrecedence"),
                              (("&&",), "LogicalConjunctionPrecedence"), (("||",), "LogicalDisjunctionPrecedence"))
    for sign in signs)


def write(number, mutant):
    """Builds a mutant into its file, behind its switch."""
    lines = mutant.file.read_text().splitlines(keepends=True)
    lines[mutant.line - 1] = mutant.new
    switch = (f"import Foundation\n\n"
              f'private let isMutant = ProcessInfo.processInfo.environment["CARILLON_MUTANT"] == "{number}"\n')
    mutant.file.write_text("".join(lines) + "\n" + switch + mutant.helpers)


def restore():
    subprocess.run(["git", "checkout", "--quiet", "--", "Sources"], cwd=ROOT, check=True)
    for file in (ROOT / "Sources").glob("*/MutantOperators.swift"):
        file.unlink()


def build(drawn):
    """Builds all mutants; returns those that compile, with their numbers."""
    alive = dict(enumerate(drawn, start=1))
    while alive:
        restore()
        for number, mutant in alive.items():
            write(number, mutant)
            target = ROOT / "Sources" / mutant.module() / "MutantOperators.swift"
            target.write_text(OPERATORS)
        print(f"building {len(alive)} mutants", flush=True)
        # A mutant may make a warning, such as of code that is never reached.
        run = subprocess.run(["swift", "build", "--build-tests"], cwd=ROOT, capture_output=True, text=True)
        if run.returncode == 0:
            return alive
        bad = {path for path in re.findall(r"^(/\S+\.swift):\d+:\d+: error:", run.stdout + run.stderr, re.M)}
        dropped = [number for number, mutant in alive.items() if str(mutant.file) in bad]
        if not dropped:
            sys.exit(f"error: the mutants do not build\n{(run.stdout + run.stderr)[-3000:]}")
        for number in dropped:
            print(f"does not compile, left out: {alive.pop(number)}", flush=True)
    return alive


STARTED = re.compile(r"^◇ Test (?!run |case )(.*) started\.$")
ENDED = re.compile(r"^[✔✘] Test (.*?) (?:with \d+ test cases )?(?:passed|failed) after ")
FAILED = re.compile(r"^✘ Test (.*?) (?:recorded an issue.*? at (\w+)\.swift|failed)")
# The number of no mutant.
WHOLE = 0


@dataclasses.dataclass
class Failure:
    """The first failure of a run: what is told of it, and the suite, which is named as its file; `None` after a hang or a crash."""

    told: str
    suite: str | None = None
    is_hang: bool = False


def end_session(session, sign):
    """Sends a signal to all processes of a session."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getsid(int(process)) == session:
                os.kill(int(process), sign)
        except ProcessLookupError:
            pass


def run_tests(number, *arguments):
    """The first failure with a mutant, which ends the run, or `None`; a hang is one, and tells which tests did not end."""
    command = ["scripts/own-temporary-folder.sh", "swift", "test", "--skip-build", *arguments]
    # A session of its own: what hangs is a child's child in a group of its own, and would take the machine from the mutants
    # that follow.
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "CARILLON_MUTANT": str(number)}, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as run:
        hang = threading.Event()

        def end():
            hang.set()
            end_session(run.pid, signal.SIGKILL)

        timer = threading.Timer(LIMIT_SECONDS, end)
        timer.start()
        failure, lines, running = None, collections.deque(maxlen=500), set()
        try:
            for line in run.stdout:
                lines.append(line)
                if started := STARTED.match(line):
                    running.add(started.group(1))
                elif ended := ENDED.match(line):
                    running.discard(ended.group(1))
                if found := FAILED.match(line):
                    failure = Failure(*found.groups())
                    end_session(run.pid, signal.SIGTERM)
                    break
            lines.extend(run.stdout)
        finally:
            timer.cancel()
        code = run.wait()
        end_session(run.pid, signal.SIGKILL)
    if hang.is_set():
        return Failure("did not end: " + ", ".join(sorted(running)[:5]), is_hang=True)
    if failure or not code:
        return failure
    # The program has crashed, or could not start.
    log = ROOT / f".build/mutant-{number}.log"
    log.write_text("".join(lines))
    return Failure(f"ended with status {code}; its last lines are in {log.relative_to(ROOT)}")


def is_sure(number, suite, is_own):
    """Whether a suite fails because of a mutant: again by itself, if it is another module's, and not without the mutant."""
    return (is_own or run_tests(number, "--filter", suite) is not None) and run_tests(WHOLE, "--filter", suite) is None


def dependents():
    """The test targets that depend on each target, also by way of others."""
    described = subprocess.run(["swift", "package", "describe", "--type", "json"], cwd=ROOT, capture_output=True, check=True)
    targets = {target["name"]: target for target in json.loads(described.stdout)["targets"]}

    def below(name):
        direct = targets[name].get("target_dependencies", [])
        return set(direct).union(*(below(other) for other in direct))

    tests = {name: below(name) for name, target in targets.items() if target["type"] == "test"}
    return {name: sorted(test for test, names in tests.items() if name in names) for name in targets}


def first_notice(number, mutant, unsure, tests):
    """The failure that tells of a mutant; `None` if none does. Adds to `unsure` the suites whose failures say nothing.

    `tests` has, for each module, the test targets that depend on it.
    """
    module = mutant.module()
    own = {"CarillonApp": "CarillonAppTests", "CarillonMessaging": "CarillonAppTests", "CarillonExtension": "CarillonAppTests",
           "CarillonBanner": "CarillonAppTests", "CarillonExplain": "CarillonDeviceTests", "carillon": "CommandTests",
           "CommandSupport": "CommandTests"}.get(module, module + "Tests")
    others = ["--filter", rf"^({'|'.join(tests[module])})\.", "--skip", PROGRAM_TESTS]
    groups = (["--filter", rf"^{own}\."], others, ["--filter", PROGRAM_TESTS])
    for arguments in groups:
        while True:
            skips = [part for suite in (TIDY_TESTS, *sorted(unsure)) for part in ("--skip", suite)]
            failure = run_tests(number, *arguments, *skips)
            if failure is None:
                break
            if failure.suite is None or is_sure(number, failure.suite, is_own=arguments is groups[0]):
                return failure
            print(f"fails without a mutant too, or only sometimes, left out: {failure.suite}: {failure.told}", flush=True)
            unsure.add(failure.suite)
    return None


def numbers(text):
    """The numbers that `3,8,25-30` names."""
    parts = [part.split("-") for part in text.split(",")]
    return {number for part in parts for number in range(int(part[0]), int(part[-1]) + 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=30, help="how many places to break (default: 30)")
    parser.add_argument("--seed", type=int, default=None, help="the seed of the draw (default: a new one, which is printed)")
    parser.add_argument("--under", default="Sources", help="the folder whose sources are broken (default: Sources)")
    parser.add_argument("--allowed", type=int, default=3, help="how many may survive (default: 3)")
    parser.add_argument("--only", type=numbers, metavar="N,N-N", help="run the tests only with these of them, as in 3,8,25-30")
    parser.add_argument("--list", action="store_true", help="print the places and end")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    print(f"seed {seed}", flush=True)
    drawn = draw(options.count, seed, options.under)
    if options.list:
        for mutant in drawn:
            print(mutant)
        return 0
    if subprocess.run(["git", "status", "--porcelain", "--", "Sources"], cwd=ROOT, capture_output=True, text=True).stdout:
        sys.exit("error: Sources has changes that are not committed")
    os.environ.pop("CARILLON_STRICT", None)
    # As scripts/swift-test.sh runs them.
    os.environ.setdefault("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "16")
    survivors, hung, unsure = [], [], set()
    try:
        alive = {number: mutant for number, mutant in build(drawn).items() if not options.only or number in options.only}
        tests = dependents()
        for number, mutant in alive.items():
            start = time.monotonic()
            noticed = first_notice(number, mutant, unsure, tests)
            took = time.monotonic() - start
            result = "SURVIVED" if noticed is None else "HUNG" if noticed.is_hang else "noticed"
            print(f"{number:2} {result:8} {took:4.0f} s  {mutant}", flush=True)
            if noticed is None:
                survivors.append(mutant)
            else:
                print(f"                 {noticed.told if noticed.is_hang else 'by ' + noticed.told}", flush=True)
                if noticed.is_hang:
                    hung.append(mutant)
    finally:
        restore()
    print(f"\n{len(survivors)} of {len(alive)} survived, {len(hung)} hung; "
          f"repeat with --seed {seed} --count {options.count}")
    for mutant in survivors + hung:
        print(f"  {mutant}")
    return 1 if len(survivors) + len(hung) > options.allowed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
