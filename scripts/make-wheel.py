#!/usr/bin/env python3
"""Makes the wheel carillon-apns-simulator: the program, and a fixture for pytest that starts it."""

import argparse
import pathlib

from wheel.wheelfile import WheelFile

ROOT = pathlib.Path(__file__).resolve().parents[1]
NAME = "carillon_apns_simulator"
METADATA = """Metadata-Version: 2.1
Name: carillon-apns-simulator
Version: {version}
Summary: A simulated Apple Push Notification service with Apple's checks, for tests of senders in any language
License: Apache-2.0
Requires-Python: >=3.9
Description-Content-Type: text/markdown

{description}"""
TAG = "py3-none-manylinux_2_36_{machine}"


def normal(version):
    """The version in the form of PEP 440: 0.1.0-dev is 0.1.0.dev0."""
    number, _, suffix = version.partition("-")
    return number + (f".{suffix}0" if suffix else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="the program, stripped")
    parser.add_argument("--version", required=True, help="its version, such as 0.1.0-dev")
    parser.add_argument("--machine", required=True, help="its architecture, such as x86_64")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="the folder for the wheel")
    options = parser.parse_args()
    version, tag = normal(options.version), TAG.format(machine=options.machine)
    path = options.output / f"{NAME}-{version}-{tag}.whl"
    info = f"{NAME}-{version}.dist-info"
    description = (ROOT / "Packaging/wheel/README.md").read_text()
    with WheelFile(path, "w") as wheel:
        wheel.write(ROOT / "Examples/InYourTests/python/carillon_apns.py", "carillon_apns.py")
        options.program.chmod(0o755)
        wheel.write(options.program, f"{NAME}-{version}.data/scripts/carillon-apns-simulator")
        # pytest finds the fixture `apns` by itself.
        wheel.writestr(f"{info}/entry_points.txt", "[pytest11]\ncarillon_apns = carillon_apns\n")
        wheel.writestr(f"{info}/METADATA", METADATA.format(version=version, description=description))
        wheel.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: carillon\nRoot-Is-Purelib: false\nTag: {tag}\n")
        wheel.write(ROOT / "LICENSE", f"{info}/LICENSE")
    print(path)


if __name__ == "__main__":
    main()
