#!/usr/bin/env python3
"""Holds the project against declarations as strict as Apple's (Tests/AppleDeclarations).

First the code that an iPhone runs: the SDK's modules as their package builds them, also against what the oldest iOS has, then Chime, Ferry and the guides' samples in
Swift 5 and 6, with and without main-actor isolation by default, as Xcode's new projects have it. Conditions on the system are
read as on iOS; nothing is linked.

docs/sdk-surface.md must list the SDK's public symbols as they are.

Then how apps are written (Tests/AppleDeclarations/Idioms), against our modules: accepted, warned or refused in each mode.

Then the modules under Sources/AppleFrameworks, as they were built: each declaration as a whole, with async, isolation,
sendability, nullability, and the versions that introduced and deprecated it. Where they differ, docs/apple-coverage.md says so;
--record writes its table and docs/sdk-surface.md anew.
"""
import argparse
import concurrent.futures
import json
import pathlib
import platform
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
MODULES = {
    name: f"Sources/{name}"
    for name in ("CarillonCore", "CarillonUserInfo", "CarillonMessaging", "CarillonExtension", "CarillonApp", "CarillonBanner")
}
MODULES["Chime"] = "Examples/Chime/Chime"
MODULES["Parcel"] = "Examples/Parcel/Sources/Parcel"
MODULES["ParcelService"] = "Examples/Parcel/Sources/ParcelService"
APPS = {
    "Chime": ["Examples/Chime/Chime"],
    "Ferry": ["Examples/Ferry/Sources/Ferry"],
    "Parcel": ["Examples/Parcel/Sources/Parcel"],
    "ParcelService": ["Examples/Parcel/Sources/ParcelService"],
    "ParcelApp": ["Tests/AppleDeclarations/ParcelApp"],
    "ParcelExtension": ["Tests/AppleDeclarations/ParcelExtension"],
    "ChimeExtension": ["Tests/AppleDeclarations/ChimeExtension"],
    "Guides": ["Tests/CarillonAppTests/Documentation/GuideSamples.swift", "Tests/AppleDeclarations/Samples"],
}
MODES = {
    f"Swift {version}{', main actor by default' if isolated else ''}": ["-swift-version", version]
    + (["-default-isolation", "MainActor"] if isolated else [])
    for version in ("5", "6") for isolated in (False, True)
}


def as_on_ios(name, paths, folder, version=None):
    """Copies sources with the conditions on the system decided as on a phone; returns the copies.

    With a version, the copies lack what they declare for later ones."""
    copies = []
    for path in paths:
        source = ROOT / path
        for file in sorted(source.rglob("*.swift")) if source.is_dir() else [source]:
            text = file.read_text(encoding="utf-8")
            text = text.replace("os(iOS)", "true").replace("os(Linux)", "false").replace(
                "targetEnvironment(simulator)", "false")
            if version:
                text, _ = without_later(text, version)
            copy = folder / name / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, encoding="utf-8")
            copies.append(str(copy))
    return copies


def oldest_ios():
    """The lowest iOS that the package declares."""
    return int(re.search(r"\.iOS\(\.v(\d+)\)", (ROOT / "Package.swift").read_text(encoding="utf-8"))[1])


def without_later(text, version):
    """The declarations of a text without those that a later iOS introduced, and the statements for a later one; and how many are left out."""
    kept, left_out, skipping, depth = [], 0, False, 0
    for line in text.splitlines():
        introduced = re.match(r"\s*(@|if #)available\(iOS(?:, introduced:)? (\d+)", line)
        if not skipping and introduced and int(introduced[2]) > version:
            depth = sum(line.count(bracket) for bracket in "{([") - sum(line.count(bracket) for bracket in "})]")
            skipping = introduced[1] == "@" or depth > 0
            left_out += 1
            continue
        if not skipping:
            kept.append(line)
            continue
        # Further attributes belong to the declaration, which ends with its last bracket.
        if depth == 0 and re.match(r"\s*@\w+(\(.*\))?$", line):
            continue
        depth += sum(line.count(bracket) for bracket in "{([") - sum(line.count(bracket) for bracket in "})]")
        skipping = depth > 0
    return "\n".join(kept) + "\n", left_out


def declarations_of(version, folder):
    """Copies the declarations without those that a later iOS introduced; returns the copies' folder and how many are left out."""
    folder.mkdir(parents=True)
    left_out = 0
    for file in sorted(DECLARATIONS.glob("*.swiftinterface")):
        text, count = without_later(file.read_text(encoding="utf-8"), version)
        left_out += count
        (folder / file.name).write_text(text, encoding="utf-8")
    return folder, left_out


def compile_(name, files, arguments, folder, apple=DECLARATIONS):
    command = ["swiftc", "-parse-as-library", "-module-name", name, "-I", str(apple), "-I", str(folder / "modules"),
               "-module-cache-path", str(folder / "cache"), *WARNINGS, *arguments, *files,
               str(DECLARATIONS / "FoundationOnApple.swift")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if run.returncode == 0:
        return ""
    lines = [line for line in (run.stderr + run.stdout).splitlines() if re.match(r"\S+:\d+:\d+: (error|warning)", line)]
    # The file that can be edited, not its copy.
    return ("\n".join(dict.fromkeys(lines)) or run.stderr[-2000:]).replace(f"{folder / name}/", "")


APPLE_MODULES = ("UserNotifications", "UserNotificationsUI", "CoreLocation", "Intents", "UIKit", "SafariServices", "PushKit", "AVFAudio",
                 "CallKit", "BackgroundTasks", "ActivityKit", "WidgetKit")
LEDGER = ROOT / "docs/apple-coverage.md"
BEGIN, END = "<!-- declarations: begin -->\n", "\n<!-- declarations: end -->"
# Conformances that decide what compiles; the others follow from what a type has.
MARKERS = ("Sendable", "Hashable", "Codable", "OptionSet", "Error")


# Also the initialisers that every class of UIKit inherits.
IMPLIED = re.compile(r"\.(init\((rawValue:|coder:|nibName:bundle:|frame:)?\)|hash\(into:\)|==\(_:_:\)|encode\((to|with):\)|rawValue)$")


def declarations(module, modules, folder):
    """What a module declares: for each symbol the texts of its declarations."""
    command = ["swift-symbolgraph-extract", "-module-name", module, "-I", str(modules), "-output-dir", str(folder),
               "-target", f"{platform.machine()}-unknown-linux-gnu", "-minimum-access-level", "public",
               "-skip-synthesized-members", "-module-cache-path", str(folder / "cache")]
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    found, names = {}, {}
    for file in folder.glob(f"{module}*.symbols.json"):
        graph = json.loads(file.read_text())
        for symbol in graph["symbols"]:
            name = ".".join(symbol["pathComponents"])
            names[symbol["identifier"]["precise"]] = name
            # What overrides only does otherwise, and what follows from a raw value is not told by every graph.
            if not IMPLIED.search(name) and not any(part["spelling"] == "override" for part in symbol["declarationFragments"]):
                found.setdefault(name, set()).add(declaration(symbol))
        for relation in graph["relationships"]:
            marker = relation.get("targetFallback", "").split(".")[-1]
            if relation["kind"] == "conformsTo" and marker in MARKERS and relation["source"] in names:
                found.setdefault(names[relation["source"]], set()).add(f": {marker}")
    return found


def declaration(symbol):
    """One declaration as text, without what says nothing to a caller, and with iOS's versions."""
    text = " ".join("".join(part["spelling"] for part in symbol["declarationFragments"]).split())
    for word in ("@preconcurrency ", "@discardableResult ", "@nonexhaustive ", "final ", "convenience ", "required ", "override "):
        text = text.replace(word, "")
    text = text.replace("NSNotification.Name", "Notification.Name").replace("static ", "class ")
    text = re.sub(r"^(.*?)\blet (`?\w+`?: [^{]*)$", r"\1var \2 { get }", text)
    for availability in symbol.get("availability", []):
        if availability.get("domain") == "iOS":
            for key in ("introduced", "deprecated"):
                if key in availability:
                    version = availability[key]
                    text += f" · {key} {version['major']}" + (f".{version['minor']}" if version.get("minor") else "")
    return text


def differences(built, folder):
    """Rows of the ledger: each declaration that Apple's and ours do not share."""
    rows = []
    for module in APPLE_MODULES:
        apple = declarations(module, DECLARATIONS, folder / "apple")
        ours = declarations(module, built, folder / "ours")
        for name in sorted(set(apple) | set(ours)):
            theirs, here = apple.get(name, set()) - ours.get(name, set()), ours.get(name, set()) - apple.get(name, set())
            # The graph does not know whether a lazy property may be set from outside.
            lazy = {text.replace("lazy ", "").split(" {")[0] for text in here if "lazy " in text}
            theirs = {text for text in theirs if text.split(" {")[0] not in lazy}
            here = {text for text in here if "lazy " not in text}
            if theirs or here:
                cells = ["<br>".join(f"`{text}`" for text in sorted(texts)).replace("|", "\\|") for texts in (theirs, here)]
                rows.append(f"| {module} | `{name}` | {cells[0] or '–'} | {cells[1] or '–'} |")
    return rows


SURFACE = ROOT / "docs/sdk-surface.md"
SURFACE_HEAD = """# The SDK's public surface

For developers of an app with the SDK. A page to look a symbol up in.

All that an app or its service extension can name, with the first sentence of its documentation; inherited and synthesized members
are left out. `make check-apple ARGS=--record` writes this page. Types of other modules that the surface names are Apple's, and
`MessageID` and `JSONValue` of CarillonCore.
"""


def surface(folder):
    """The page of the SDK's public symbols, from the modules as they were just compiled."""
    page, types, members = [SURFACE_HEAD], 0, 0
    for module in ("CarillonApp", "CarillonExtension", "CarillonBanner", "CarillonMessaging"):
        output = folder / "surface"
        output.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["swift-symbolgraph-extract", "-module-name", module, "-I", str(folder / "modules"), "-I", str(DECLARATIONS),
             "-output-dir", str(output), "-target", f"{platform.machine()}-unknown-linux-gnu", "-minimum-access-level", "public",
             "-skip-synthesized-members", "-module-cache-path", str(folder / "cache")],
            check=True, capture_output=True, timeout=120)
        rows = {}
        for file in output.glob(f"{module}*.symbols.json"):
            for symbol in json.loads(file.read_text())["symbols"]:
                fragments = "".join(part["spelling"] for part in symbol["declarationFragments"])
                comment = " ".join(line["text"].strip() for line in symbol.get("docComment", {}).get("lines", [])).strip()
                if not comment or fragments.startswith("override") or "override " in fragments:
                    continue
                sentence = re.split(r"(?<=\.) ", re.sub(r"``([^`]*)``", r"`\1`", comment))[0]
                name = ".".join(symbol["pathComponents"])
                if name.endswith((".init(from:)", ".init(rawValue:)")):
                    continue
                is_type = symbol["kind"]["identifier"] in (
                    "swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.typealias")
                rows[name] = (is_type, sentence)
        page.append(f"## {module}\n\n| symbol | what it is |\n|---|---|")
        page += [f"| {'**' if is_type else ''}`{name}`{'**' if is_type else ''} | {sentence} |".replace("||", "\\|\\|")
                 for name, (is_type, sentence) in sorted(rows.items())]
        page.append("")
        types += sum(is_type for is_type, _ in rows.values())
        members += sum(not is_type for is_type, _ in rows.values())
    page.append(f"In all {types} types and names of types, and {members} members.")
    return "\n".join(page) + "\n"


def idioms(built, mode, arguments, folder):
    """How our modules take what apps write (Tests/AppleDeclarations/Idioms), against what each file's first line says."""
    expected = {}
    for file in sorted((DECLARATIONS / "Idioms").glob("*.swift")):
        entries = dict(entry.split(": ") for entry in file.read_text().splitlines()[0][3:].split(" · "))
        expected[file] = entries[mode]
    said = {file: set() for file in expected}
    lines = {file: [] for file in expected}
    # Each that is refused alone: where the compiler finds an error, it may not come to what is said of the others.
    refused = [file for file in expected if expected[file] == "refused"]
    for files in [[file for file in expected if file not in refused], *([file] for file in refused)]:
        command = ["swiftc", "-typecheck", "-parse-as-library", "-module-name", "Idioms", "-I", str(built),
                   "-module-cache-path", str(folder / "cache"), *arguments, *map(str, files)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=300)
        for line in dict.fromkeys(run.stderr.splitlines()):
            for file in files:
                if match := re.match(rf"{re.escape(str(file))}:\d+:\d+: (error|warning)", line):
                    said[file].add(match[1])
                    lines[file].append(line)
    problems = []
    for file in expected:
        found = "refused" if "error" in said[file] else "warned" if said[file] else "accepted"
        if found != expected[file]:
            problems.append("\n".join([f"{file.name} is {found}, not {expected[file]}", *lines[file]]))
    return "\n".join(problems)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--scratch", type=pathlib.Path, default=ROOT / ".build/apple", help="a folder that is emptied first")
    options.add_argument("--modules", type=pathlib.Path, default=ROOT / ".build/debug/Modules", help="where the build's are")
    options.add_argument("--record", action="store_true", help="writes the ledger's table and the page of the SDK's surface anew")
    options = options.parse_args()
    folder = options.scratch
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "modules").mkdir(parents=True)
    begin, failures = time.monotonic(), 0

    def report(title, problems):
        nonlocal failures
        failures += bool(problems)
        print(f"{'✘' if problems else '✔'} {title}" + (f"\n{problems}" if problems else ""), flush=True)

    for name, path in MODULES.items():
        module = ["-emit-module", "-emit-module-path", str(folder / f"modules/{name}.swiftmodule"), "-package-name", "sdk"]
        problems = compile_(name, as_on_ios(name, [path], folder), ["-swift-version", "6", *STRICT, *module], folder)
        report(f"{name}, Swift 6", problems)
        if problems:
            sys.exit(1)
    version = oldest_ios()
    old, left_out = declarations_of(version, folder / "oldest" / "declarations")
    (folder / "oldest" / "modules").mkdir(parents=True)
    for name, path in MODULES.items():
        module = ["-emit-module", "-emit-module-path", str(folder / f"oldest/modules/{name}.swiftmodule"), "-package-name", "sdk"]
        files = as_on_ios(name, [path], folder / "oldest", version)
        report(f"{name}, with what iOS {version} has ({left_out} newer declarations left out)",
               compile_(name, files, ["-swift-version", "6", *STRICT, *module], folder / "oldest", old))
    page = surface(folder)
    if options.record:
        SURFACE.write_text(page, encoding="utf-8")
    is_stale = not SURFACE.exists() or SURFACE.read_text(encoding="utf-8") != page
    report("docs/sdk-surface.md shows the SDK's public symbols", "write it: make check-apple ARGS=--record" if is_stale else "")
    files = {name: as_on_ios(name, paths, folder) for name, paths in APPS.items()}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = {
            (name, mode): pool.submit(compile_, name, files[name], ["-typecheck", *arguments], folder)
            for mode, arguments in MODES.items() for name in APPS
        }
        for (name, mode), run in runs.items():
            report(f"{name}, {mode}", run.result())
        runs = {mode: pool.submit(idioms, options.modules, mode, arguments, folder) for mode, arguments in MODES.items()}
        for mode, run in runs.items():
            report(f"Idioms, {mode}", run.result())
    rows, text = differences(options.modules, folder / "graphs"), LEDGER.read_text(encoding="utf-8")
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    head = "| module | symbol | Apple | here |\n|---|---|---|---|"
    if options.record:
        LEDGER.write_text(text[:start] + "\n".join([head, *rows]) + text[end:], encoding="utf-8")
    listed = set(text[start:end].splitlines()) - set(head.splitlines())
    problems = [f"not listed: {row}" for row in sorted(set(rows) - listed)]
    problems += [f"listed, and not so: {row}" for row in sorted(listed - set(rows))]
    report("Sources/AppleFrameworks against Apple's declarations", "" if options.record else "\n".join(problems))
    print(f"{time.monotonic() - begin:.0f} s")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
