#!/usr/bin/env python3
"""Makes and checks the files of a release.

  scripts/release.py make     puts all of it into .build/release-files, from what `make package` has made, and checks it
  scripts/release.py check    checks a folder, also one that was downloaded

A release has the packages and archives of each machine that was built, the sources, the files for containers, Package.resolved, a bill
of materials in CycloneDX 1.6, the changelog's part, and SHA256SUMS. `make --packages` may be given once for each machine.
"""

import argparse
import gzip
import hashlib
import io
import json
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import uuid
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SUMS = "SHA256SUMS"
SERVICE_PROGRAMS = ("carillon", "carillon-apns-simulator")
# The names of a machine in Debian and in npm.
MACHINES = {"x86_64": ("amd64", "x64"), "aarch64": ("arm64", "arm64")}
LICENCES = {"Apache License": "Apache-2.0", "Permission is hereby granted, free of charge": "MIT"}
# https://cyclonedx.org/docs/1.6/json/: what a document and a component must have, and the types of a component.
BILL_MEMBERS = {"bomFormat", "specVersion"}
COMPONENT_MEMBERS = {"type", "name"}
COMPONENT_TYPES = {
    "application", "framework", "library", "container", "platform", "operating-system", "device", "device-driver", "firmware", "file",
    "machine-learning-model", "data", "cryptographic-asset"}


class Fault(Exception):
    """Why a folder is not a release."""


def source_version(root=ROOT):
    return re.search(r'text = "([^"]+)"', (root / "Sources/CommandSupport/CommandVersion.swift").read_text()).group(1)


def is_final(version):
    return re.fullmatch(r"\d+\.\d+\.\d+", version) is not None


def changelog_part(text, version):
    """The part of CHANGELOG.md about a version: until its release that under "Unreleased"."""
    wanted = version if is_final(version) else "Unreleased"
    parts = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    found = [part for part in parts if re.match(rf"\[?{re.escape(wanted)}\]?(?: |$)", part.split("\n")[0])]
    if len(found) != 1:
        raise Fault(f"CHANGELOG.md has {len(found)} parts with the title {wanted}")
    title, _, rest = found[0].partition("\n")
    if not re.search(r"^- ", rest, re.MULTILINE):
        raise Fault(f"CHANGELOG.md says nothing of {wanted}")
    return f"# Carillon {version}\n\n{rest.strip()}\n"


# The bill of materials.


def licence_of(folder):
    """The licence of a package, by its text; None if the folder or the text is not known."""
    for file in sorted(folder.glob("LICEN[CS]E*")) if folder.is_dir() else ():
        text = file.read_text(errors="replace")
        for words, name in LICENCES.items():
            if words in text:
                return name
    return None


def component(pin, checkouts):
    location = pin["location"].removesuffix(".git")
    if not (match := re.fullmatch(r"https://([\w.-]+)/([\w.-]+)/([\w.-]+)", location)):
        raise Fault(f"{pin['identity']} is not from a public repository: {pin['location']}")
    host, owner, name = match.groups()
    state = pin["state"]
    if "version" not in state:
        raise Fault(f"{pin['identity']} has no version")
    purl = f"pkg:swift/{host}/{owner}/{name}@{state['version']}"
    made = {
        "type": "library", "bom-ref": purl, "group": owner, "name": name, "version": state["version"], "purl": purl,
        "externalReferences": [{"type": "vcs", "url": location}],
        "pedigree": {"commits": [{"uid": state["revision"], "url": f"{location}/commit/{state['revision']}"}]}}
    if licence := licence_of(checkouts / name):
        made["licenses"] = [{"license": {"id": licence}}]
    return made


def bill(resolved, version, moment, checkouts, swift=None):
    """The bill of materials of a version, from the text of Package.resolved."""
    pins = json.loads(resolved)["pins"]
    components = sorted((component(pin, checkouts) for pin in pins), key=lambda each: each["bom-ref"])
    ref = f"pkg:generic/carillon@{version}"
    tools = [{"type": "application", "name": "carillon-release", "version": version}]
    if swift:
        tools.append({"type": "application", "name": "swift", "version": swift})
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        # The same materials have the same number.
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, f"{ref} {hashlib.sha256(resolved.encode()).hexdigest()}").urn,
        "metadata": {
            "timestamp": moment, "tools": {"components": tools},
            "component": {
                "type": "application", "bom-ref": ref, "name": "carillon", "version": version, "purl": ref,
                "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": components,
        "dependencies": [{"ref": ref, "dependsOn": [each["bom-ref"] for each in components]}]}


def check_bill(document, resolved, version):
    """Holds a bill against the members that CycloneDX requires, and against what was resolved."""
    if missing := BILL_MEMBERS - set(document):
        raise Fault(f"the bill has no {sorted(missing)}")
    if document["bomFormat"] != "CycloneDX" or document["specVersion"] != "1.6":
        raise Fault("the bill is of another format")
    if not re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", document.get("serialNumber", "")):
        raise Fault("the bill has a wrong serial number")
    if not isinstance(document.get("version"), int) or document["version"] < 1:
        raise Fault("the bill has a wrong version")
    whole = document["metadata"]["component"]
    for each in [whole, *document["metadata"]["tools"]["components"], *document["components"]]:
        if missing := COMPONENT_MEMBERS - set(each):
            raise Fault(f"a component has no {sorted(missing)}: {each}")
        if each["type"] not in COMPONENT_TYPES:
            raise Fault(f"{each['name']} has an unknown type")
    if whole["version"] != version:
        raise Fault(f"the bill is of {whole['version']}")
    refs = [each["bom-ref"] for each in [whole, *document["components"]]]
    if len(set(refs)) != len(refs):
        raise Fault("two components have one name")
    named = {ref for each in document["dependencies"] for ref in [each["ref"], *each["dependsOn"]]}
    if named != set(refs):
        raise Fault(f"the dependencies differ from the components: {sorted(named ^ set(refs))}")
    listed = {each["pedigree"]["commits"][0]["uid"] for each in document["components"]}
    pinned = {pin["state"]["revision"] for pin in json.loads(resolved)["pins"]}
    if listed != pinned:
        raise Fault(f"the bill and Package.resolved differ in {sorted(listed ^ pinned)}")
    if unknown := [each["name"] for each in document["components"] if "licenses" not in each]:
        raise Fault(f"the licence of {', '.join(unknown)} is not known")


# Files.


def archive(path, files, moment):
    """Writes an archive that has equal bytes for equal files. `files` has each member's file."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as made:
        for name, file in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.mtime, entry.mode = moment, 0o755 if file.stat().st_mode & 0o100 else 0o644
            if file.is_symlink():
                entry.type, entry.linkname = tarfile.SYMTYPE, str(file.readlink())
                made.addfile(entry)
                continue
            data = file.read_bytes()
            entry.size = len(data)
            made.addfile(entry, io.BytesIO(data))
    with open(path, "wb") as file, gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=moment) as packed:
        packed.write(raw.getvalue())


def below(folder, prefix):
    """The files below a folder, under their names in an archive."""
    return {f"{prefix}/{file.relative_to(folder)}": file for file in folder.rglob("*") if file.is_file() or file.is_symlink()}


def digest(file):
    with open(file, "rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def write_sums(folder):
    names = sorted(file.name for file in folder.iterdir() if file.name != SUMS)
    (folder / SUMS).write_text("".join(f"{digest(folder / name)}  {name}\n" for name in names))


def check_sums(folder):
    """Requires that the sums name each file of the folder and no other, and that each is right."""
    lines = (folder / SUMS).read_text().splitlines()
    known = {}
    for line in lines:
        if not (match := re.fullmatch(r"([0-9a-f]{64})  ([^/\s]+)", line)):
            raise Fault(f"{SUMS} has the line {line}")
        known[match.group(2)] = match.group(1)
    there = {file.name for file in folder.iterdir()} - {SUMS}
    if len(known) != len(lines) or set(known) != there:
        raise Fault(f"{SUMS} and the folder differ in {sorted(set(known) ^ there)}")
    for name, sum in known.items():
        if digest(folder / name) != sum:
            raise Fault(f"{name} has another sum")


def names_of(version, machine):
    """The files of one machine, each with the function that finds the version inside."""
    debian, npm = MACHINES[machine]
    number, _, suffix = version.partition("-")
    wheel = number + (f".{suffix}0" if suffix else "")
    return {
        f"carillon_{version.replace('-', '~')}_{debian}.deb": version_of_deb,
        f"carillon-{version}-linux-{machine}.tar.gz": lambda file: version_of_archive(file, SERVICE_PROGRAMS, machine),
        f"carillon-apns-simulator-{version}-linux-{machine}.tar.gz":
            lambda file: version_of_archive(file, SERVICE_PROGRAMS[1:], machine),
        f"carillon_apns_simulator-{wheel}-py3-none-manylinux_2_36_{machine}.whl": version_of_wheel,
        f"carillon-apns-simulator-linux-{npm}-{version}.tgz": version_of_npm,
        f"carillon-apns-simulator-{version}.tgz": version_of_npm,
    }


def shared_names(version):
    return [f"carillon-{version}-source.tar.gz", f"carillon-{version}-containers.tar.gz", f"carillon-{version}.cdx.json",
            "CHANGES.md", "Package.resolved"]


def version_of_deb(file):
    done = subprocess.run(["dpkg-deb", "--field", file, "Version"], capture_output=True, text=True, check=True)
    return done.stdout.strip().replace("~", "-")


def version_of_wheel(file):
    with zipfile.ZipFile(file) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        version = re.search(r"^Version: (.+)$", archive.read(name).decode(), re.MULTILINE).group(1)
    return re.sub(r"\.([a-z]+)0$", r"-\1", version)


def version_of_npm(file):
    with tarfile.open(file) as archive:
        return json.load(archive.extractfile("package/package.json"))["version"]


def version_of_archive(file, programs, machine):
    """The version that the programs of an archive print, or None on another machine."""
    with tarfile.open(file) as archive, tempfile.TemporaryDirectory() as folder:
        if sorted(archive.getnames()) != sorted(programs):
            raise Fault(f"{file.name} has {archive.getnames()}")
        if platform.machine() != machine:
            return None
        archive.extractall(folder)
        printed = {subprocess.run([f"{folder}/{each}", "--version"], capture_output=True, text=True, check=True).stdout.strip()
                   for each in programs}
    return printed.pop() if len(printed) == 1 else f"{printed}"


def check(folder, version):
    """Requires that a folder is a release, of at least one machine."""
    there = {file.name for file in folder.iterdir()}
    machines = [machine for machine in MACHINES if names_of(version, machine).keys() & there - names_of(version, other(machine)).keys()]
    if not machines:
        raise Fault(f"{folder} has the packages of no machine")
    wanted = {SUMS, *shared_names(version)}
    for machine in machines:
        for name, version_in in names_of(version, machine).items():
            wanted.add(name)
            if not (folder / name).exists():
                raise Fault(f"{name} is missing")
            if (found := version_in(folder / name)) not in (version, None):
                raise Fault(f"{name} has the version {found}")
        wanted.add(f"carillon-apns-simulator-{version}-image-{machine}.tar.gz")
    if wanted != there:
        raise Fault(f"too much or too little: {sorted(wanted ^ there)}")
    if empty := [name for name in there if (folder / name).stat().st_size == 0]:
        raise Fault(f"empty: {empty}")
    resolved = (folder / "Package.resolved").read_text()
    check_bill(json.loads((folder / f"carillon-{version}.cdx.json").read_text()), resolved, version)
    if not (folder / "CHANGES.md").read_text().startswith(f"# Carillon {version}\n"):
        raise Fault("CHANGES.md is of another version")
    with tarfile.open(folder / f"carillon-{version}-source.tar.gz") as source:
        names = set(source.getnames())
    if f"carillon-{version}/Package.swift" not in names or any("/.build" in name for name in names):
        raise Fault("the sources are not whole, or too much")
    check_sums(folder)
    return machines


def other(machine):
    return next(each for each in MACHINES if each != machine)


def git(*words):
    # In a container, the folder is often another user's.
    return subprocess.run(["git", "-c", f"safe.directory={ROOT}", "-C", ROOT, *words], capture_output=True, text=True, check=True).stdout.strip()


def require_final(version):
    """Refuses what must not be given out under a number."""
    if not is_final(version):
        raise Fault(f"{version} is no number of a release: change CommandVersion.swift and CHANGELOG.md first")
    if dirty := git("status", "--porcelain"):
        raise Fault(f"the folder differs from its commit:\n{dirty}")
    if f"v{version}" not in git("tag", "--points-at", "HEAD").split():
        raise Fault(f"the commit has no tag v{version}")


def make(options):
    version = source_version()
    if options.final:
        require_final(version)
    if options.output.exists() and any(options.output.iterdir()) and not (options.output / SUMS).exists():
        raise Fault(f"{options.output} has other files")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    # A run that is interrupted leaves the former release as it was.
    with tempfile.TemporaryDirectory(dir=options.output.parent) as folder:
        output = pathlib.Path(folder) / "release"
        output.mkdir()
        machines = fill(output, options, version)
        if options.output.exists():
            shutil.rmtree(options.output)
        output.rename(options.output)
    print(f"{options.output}: Carillon {version} for {' and '.join(machines)}, {len(list(options.output.iterdir()))} files, all checked")


def fill(output, options, version):
    """Makes the files in an empty folder, checks them, and returns the machines that they are for."""
    moment = int(git("log", "-1", "--format=%ct"))
    for packages in options.packages or [ROOT / ".build/package"]:
        found = [machine for machine in MACHINES if all((packages / name).exists() for name in names_of(version, machine))]
        if len(found) != 1:
            raise Fault(f"{packages} has not the packages of one machine: run `make package`")
        for name in names_of(version, found[0]):
            (output / name).write_bytes((packages / name).read_bytes())
        image = {"Containerfile": ROOT / "Packaging/simulator/Containerfile"} | below(packages / "image", "image")
        archive(output / f"carillon-apns-simulator-{version}-image-{found[0]}.tar.gz", image, moment)
    git("archive", "--format=tar.gz", f"--prefix=carillon-{version}/",
        f"--output={(output / f'carillon-{version}-source.tar.gz').absolute()}", "HEAD")
    packaging = ROOT / "Packaging"
    files = {"Containerfile": packaging / "Containerfile"}
    for name in ("compose", "kubernetes"):
        files |= below(packaging / name, name)
    archive(output / f"carillon-{version}-containers.tar.gz", files, moment)
    resolved = options.resolved.read_text()
    (output / "Package.resolved").write_text(resolved)
    when = git("log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd")
    document = bill(resolved, version, when, options.checkouts, options.swift)
    (output / f"carillon-{version}.cdx.json").write_text(json.dumps(document, indent=2) + "\n")
    (output / "CHANGES.md").write_text(changelog_part((ROOT / "CHANGELOG.md").read_text(), version))
    write_sums(output)
    return check(output, version)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    making = verbs.add_parser("make", help="make the files of a release")
    making.add_argument("--packages", type=pathlib.Path, action="append", help="what make package has made; once for each machine")
    making.add_argument("--resolved", type=pathlib.Path, default=ROOT / "Package.resolved", help="the packages that were built")
    making.add_argument("--checkouts", type=pathlib.Path, default=ROOT / ".build-package/checkouts", help="their sources, for licences")
    making.add_argument("--swift", help="the compiler's version")
    making.add_argument("--output", type=pathlib.Path, default=ROOT / ".build/release-files")
    making.add_argument("--final", action="store_true", help="refuse a version that is not ready to be given out")
    checking = verbs.add_parser("check", help="check the files of a release")
    checking.add_argument("folder", type=pathlib.Path, nargs="?", default=ROOT / ".build/release-files")
    checking.add_argument("--version", default=None, help="the version that it must be of")
    options = parser.parse_args()
    try:
        if options.verb == "make":
            make(options)
        else:
            machines = check(options.folder, options.version or source_version())
            print(f"{options.folder}: all checked, for {' and '.join(machines)}")
    except (Fault, OSError, KeyError, ValueError, subprocess.CalledProcessError, tarfile.TarError, zipfile.BadZipFile) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
