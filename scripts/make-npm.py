#!/usr/bin/env python3
"""Makes the npm package carillon-apns-simulator, and the package with the program for one machine, on which it depends."""

import argparse
import io
import json
import pathlib
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
NAME = "carillon-apns-simulator"
MACHINES = {"x86_64": "x64", "aarch64": "arm64"}
SHARED = {"license": "Apache-2.0", "engines": {"node": ">=18"}}


def pack(path, files):
    """Writes a package; `files` has each file's text or bytes, with whether it is a program."""
    with tarfile.open(path, "w:gz") as archive:
        for name, (content, is_program) in files.items():
            data = content.encode() if isinstance(content, str) else content
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mode = len(data), 0o755 if is_program else 0o644
            archive.addfile(entry, io.BytesIO(data))
    print(path)


def manifest(**members):
    return json.dumps({**members, **SHARED}, indent=2) + "\n", False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="the program, stripped")
    parser.add_argument("--version", required=True, help="its version, such as 0.1.0-dev")
    parser.add_argument("--machine", required=True, choices=MACHINES, help="its architecture")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="the folder for the packages")
    options = parser.parse_args()
    machine, version = MACHINES[options.machine], options.version
    licence = (ROOT / "LICENSE").read_text(), False
    about = "A simulated Apple Push Notification service with Apple's checks, for tests of senders"
    pack(options.output / f"{NAME}-linux-{machine}-{version}.tgz", {
        "package.json": manifest(
            name=f"{NAME}-linux-{machine}", version=version, description=f"The program of {NAME} for Linux on {machine}",
            os=["linux"], cpu=[machine], libc=["glibc"]),
        "bin/carillon-apns-simulator": (options.program.read_bytes(), True), "LICENSE": licence})
    pack(options.output / f"{NAME}-{version}.tgz", {
        "package.json": manifest(
            name=NAME, version=version, description=about, type="module", exports="./carillon-apns.mjs",
            bin={NAME: "cli.mjs"}, optionalDependencies={f"{NAME}-linux-{each}": version for each in MACHINES.values()}),
        "carillon-apns.mjs": ((ROOT / "Examples/InYourTests/node/carillon-apns.mjs").read_text(), False),
        "cli.mjs": ((ROOT / "Packaging/npm/cli.mjs").read_text(), True),
        "README.md": ((ROOT / "Packaging/npm/README.md").read_text(), False), "LICENSE": licence})


if __name__ == "__main__":
    main()
