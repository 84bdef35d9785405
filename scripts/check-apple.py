#!/usr/bin/env python3
"""Typechecks what an iPhone's compiler will see against declarations as strict as Apple's (Tests/AppleDeclarations).

The SDK's modules as their package builds them, then Chime, Ferry and the guides' samples in Swift 5 and 6, with and without
main-actor isolation by default, as Xcode's new projects have it. Conditions on the system are read as on iOS. Nothing is linked.
"""
import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DECLARATIONS = ROOT / "Tests/AppleDeclarations"
STRICT = ["-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "MemberImportVisibility"]
# An app may use what Apple has deprecated; everything else that the compiler warns of is a mistake here.
WARNINGS = ["-warnings-as-errors", "-Wwarning", "DeprecatedDeclaration"]

# The SDK's modules, each after those that it imports.
MODULES = {"CarillonCore": ["Sources/CarillonCore"], "CarillonApp": ["Sources/CarillonApp"]}
APPS = {
    "Chime": ["Examples/Chime/Chime"],
    "Ferry": ["Examples/Ferry/Sources/Ferry"],
    # GUIDES
}
MODES = {
    f"Swift {version}{', main actor by default' if isolated else ''}": ["-swift-version", version]
    + (["-default-isolation", "MainActor"] if isolated else [])
    for version in ("5", "6") for isolated in (False, True)
}


def as_on_ios(name, paths, folder):
    """Copies sources with the conditions on the system decided as on a phone; returns the copies."""
    copies = []
    for path in paths:
        source = ROOT / path
        for file in sorted(source.rglob("*.swift")) if source.is_dir() else [source]:
            text = file.read_text(encoding="utf-8")
            text = text.replace("os(iOS)", "true").replace("os(Linux)", "false").replace(
                "targetEnvironment(simulator)", "false")
            copy = folder / name / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, encoding="utf-8")
            copies.append(str(copy))
    return copies


def compile_(name, files, arguments, folder):
    command = ["swiftc", "-parse-as-library", "-module-name", name, "-I", str(DECLARATIONS), "-I", str(folder / "modules"),
               "-module-cache-path", str(folder / "cache"), *WARNINGS, *arguments, *files,
               str(DECLARATIONS / "FoundationOnApple.swift")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if run.returncode == 0:
        return ""
    lines = [line for line in (run.stderr + run.stdout).splitlines() if re.match(r"\S+:\d+:\d+: (error|warning)", line)]
    # The file that can be edited, not its copy.
    return ("\n".join(dict.fromkeys(lines)) or run.stderr[-2000:]).replace(f"{folder / name}/", "")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--scratch", type=pathlib.Path, default=ROOT / ".build/apple", help="a folder that is emptied first")
    folder = options.parse_args().scratch
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "modules").mkdir(parents=True)
    begin, failures = time.monotonic(), 0

    def report(title, problems):
        nonlocal failures
        failures += bool(problems)
        print(f"{'✘' if problems else '✔'} {title}" + (f"\n{problems}" if problems else ""), flush=True)

    for name, paths in MODULES.items():
        module = ["-emit-module", "-emit-module-path", str(folder / f"modules/{name}.swiftmodule"), "-package-name", "sdk"]
        problems = compile_(name, as_on_ios(name, paths, folder), ["-swift-version", "6", *STRICT, *module], folder)
        report(f"{name}, Swift 6", problems)
        if problems:
            sys.exit(1)
    files = {name: as_on_ios(name, paths, folder) for name, paths in APPS.items()}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = {
            (name, mode): pool.submit(compile_, name, files[name], ["-typecheck", *arguments], folder)
            for mode, arguments in MODES.items() for name in APPS
        }
        for (name, mode), run in runs.items():
            report(f"{name}, {mode}", run.result())
    print(f"{time.monotonic() - begin:.0f} s")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
