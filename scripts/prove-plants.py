#!/usr/bin/env python3
"""Plants faults in a copy of the SDK, one by one, and checks that the search finds each with a short story.

    scripts/prove-plants.py [NAME...]

The copy is a small package in .build/plants with the SDK's core and the search. The shipped SDK has no switch for any of it.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / ".build/plants"
MESSAGES = "Sources/CarillonMessaging/Messages/"
# The longest story that a product manager reads, in steps.
LONGEST_STORY = 8

MANIFEST = """// swift-tools-version:6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "carillon", dependencies: [.package(path: "%s")],
    targets: [
        .target(name: "CarillonCore", swiftSettings: settings),
        .target(name: "CarillonUserInfo", dependencies: ["CarillonCore"], swiftSettings: settings),
        .target(name: "_SystemFoundation", path: "Sources/AppleFrameworks/_SystemFoundation", swiftSettings: settings),
        .target(name: "CoreLocation", path: "Sources/AppleFrameworks/CoreLocation", swiftSettings: settings),
        .target(
            name: "UserNotifications", dependencies: ["CoreLocation", "_SystemFoundation"],
            path: "Sources/AppleFrameworks/UserNotifications", swiftSettings: settings),
        .target(
            name: "CarillonMessaging", dependencies: ["CarillonCore", "CarillonUserInfo", "UserNotifications"],
            exclude: ["PrivacyInfo.xcprivacy"], swiftSettings: settings),
        .target(name: "CarillonProve", swiftSettings: settings),
        .target(
            name: "SDKWorld", dependencies: ["CarillonCore", "CarillonMessaging", "CarillonProve"],
            path: "Tests/Prove/SDKWorld", swiftSettings: settings),
        .executableTarget(
            name: "Prove",
            dependencies: [
                "CarillonProve", "SDKWorld", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Prove/Program", swiftSettings: settings),
    ])
"""

FOLDERS = [
    "Sources/CarillonCore", "Sources/CarillonUserInfo", "Sources/CarillonMessaging", "Sources/CarillonProve",
    "Sources/AppleFrameworks/UserNotifications", "Sources/AppleFrameworks/CoreLocation",
    "Sources/AppleFrameworks/_SystemFoundation", "Tests/Prove/SDKWorld", "Tests/Prove/Program",
]


class Plant:
    """A fault: what it replaces in which files, and how it is searched for."""

    def __init__(self, name, promise, scenario, bound, adversities, edits):
        self.name, self.promise, self.scenario = name, promise, scenario
        self.bound, self.adversities, self.edits = bound, adversities, edits


PLANTS = [
    Plant(
        "a retry loop without a pause", "retries-pause", "overloaded service", 5, 1,
        [
            ("Sources/CarillonMessaging/Service/RequestLane.swift",
             "hasWork ? backoff.end(at: phoneNow) : nil", "backoff.notBefore"),
            (MESSAGES + "ReceiptQueue.swift", "        remove(pending)\n        backoff.succeeded()\n", "        remove(pending)\n"),
        ]),
    Plant(
        "a tap on a withheld alert gives the app the message", "withheld-has-no-payload", "recalled alert", 3, 0,
        [
            ("Sources/CarillonMessaging/Push/PushInstructions.swift", "revision: revision, isNotice: true)",
             "revision: revision)"),
            (MESSAGES + "MessagePolicy+person.swift", "guard verdict.mayReachApp else {\n            recordWithheld",
             "guard verdict != .notice else {\n            recordWithheld"),
        ]),
    Plant(
        "a former user's alert is shown in the foreground", "former-users-is-not-shown", "sign-out", 3, 0,
        [
            (MESSAGES + "MessagePolicy+person.swift",
             "let verdict = record(message, moment)\n        switch verdict {\n        case .notice: return moment",
             "var verdict = record(message, moment)\n        if verdict == .formerUser { verdict = .new }\n"
             "        switch verdict {\n        case .notice: return moment"),
        ]),
    Plant(
        "a former user's message is given to the app by a tap", "former-users-opens-nothing", "sign-out", 4, 0,
        [
            (MESSAGES + "MessagePolicy.swift", "case .formerUser, .notice, .recalled, .expired: false\n"
             "        case .read,", "case .notice, .recalled, .expired: false\n        case .formerUser, .read,"),
        ]),
    Plant(
        "the extension loses a change whose file could not be written", "recalled-is-not-shown", "full disk", 5, 1,
        [
            ("Sources/CarillonMessaging/Store/ExtensionMemory.swift",
             "if changes[name] == nil { unwritten = change }", ""),
        ]),
    Plant(
        "a waiting message is given to the app after its recall", "recalled-is-not-given", "recalled alert without the extension", 2, 1,
        [
            (MESSAGES + "MessagePolicy+person.swift", "return verdict(on: message, moment).mayReachApp\n    }\n\n    /// Records",
             "_ = message\n        return true\n    }\n\n    /// Records"),
        ]),
    Plant(
        "the extension does not decide again after it has waited", "recalled-is-not-shown", "recalled alert", 3, 1,
        [
            (MESSAGES + "MessagePolicy+push.swift",
             "        case .formerUser, .recalled, .read, .expired: return withhold(message, verdict, moment)\n"
             "        case .stale: return .quiet\n        case .notice, .repeated, .new: return nil",
             "        case .formerUser, .recalled, .read, .expired, .stale, .notice, .repeated, .new: return nil"),
        ]),
]


def copy(folder):
    """Makes the copy's folder equal to the repository's; leaves equal files alone, so that they are not compiled again."""
    source, target = ROOT / folder, COPY / folder
    wanted = {file.relative_to(source) for file in source.rglob("*") if file.is_file()}
    for name in wanted:
        data, file = (source / name).read_bytes(), target / name
        if not file.exists() or file.read_bytes() != data:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    for file in [file for file in target.rglob("*") if file.is_file() and file.relative_to(target) not in wanted]:
        file.unlink()


def edit(path, old, new):
    file = COPY / path
    text = file.read_text()
    if text.count(old) != 1:
        sys.exit(f"error: {path} has {text.count(old)} places like this, and one is needed: {old!r}. Adapt the plant to the code.")
    file.write_text(text.replace(old, new))


def build():
    done = subprocess.run(
        ["swift", "build", "--package-path", str(COPY), "--product", "Prove"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: the copy does not build:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


def search(plant):
    return subprocess.run(
        [str(COPY / ".build/debug/Prove"), "--scenario", plant.scenario, "--bound", str(plant.bound),
         "--adversities", str(plant.adversities), "--promise", plant.promise, "--output", str(COPY / "found")],
        capture_output=True, text=True).stdout


def story(plant, output):
    """The story that breaks the plant's promise; `None` if there is none."""
    for block in output.split("\n\n"):
        if f"Broken: {plant.promise}." in block:
            return block.strip().split("\n")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("name", nargs="*", help="parts of the names of the faults to plant; all by default")
    names = parser.parse_args().name
    chosen = [plant for plant in PLANTS if not names or any(name in plant.name for name in names)]
    if not chosen:
        sys.exit(f"error: no fault has such a name. These are: {', '.join(plant.name for plant in PLANTS)}")
    COPY.mkdir(parents=True, exist_ok=True)
    (COPY / "Package.swift").write_text(MANIFEST % (ROOT / ".build/checkouts/swift-argument-parser"))
    missed = 0
    for plant in chosen:
        for folder in FOLDERS:
            copy(folder)
        for path, old, new in plant.edits:
            edit(path, old, new)
        build()
        lines = story(plant, search(plant))
        steps = len([line for line in lines or [] if re.match(r"\d+\. |At last: ", line)])
        if lines is None or steps > LONGEST_STORY:
            missed += 1
        print(f"{plant.name}: {'not found' if lines is None else f'found in {steps} steps'}")
        for line in lines or []:
            print(f"    {line}")
        print()
    print(f"{len(chosen) - missed} of {len(chosen)} found with at most {LONGEST_STORY} steps.")
    sys.exit(1 if missed else 0)


main()
