"""What a release has, from small stand-ins for what `make package` builds."""

import json
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import release  # noqa: E402

VERSION = release.source_version()
MACHINE = platform.machine()
PINS = [
    {"identity": "swift-log", "kind": "remoteSourceControl", "location": "https://github.com/apple/swift-log.git",
     "state": {"revision": "a" * 40, "version": "1.16.2"}},
    {"identity": "yams", "kind": "remoteSourceControl", "location": "https://github.com/jpsim/Yams",
     "state": {"revision": "b" * 40, "version": "6.2.2"}}]


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    return packages_of(MACHINE, tmp_path_factory.mktemp("packages"))


def packages_of(machine, folder):
    """A folder as `make package` makes it, with programs that can only print their version."""
    if shutil.which("dpkg-deb") is None:
        pytest.skip("dpkg-deb is not installed")
    for program in release.SERVICE_PROGRAMS:
        (folder / program).write_text(f"#!/bin/sh\necho {VERSION}\n")
        (folder / program).chmod(0o755)
    simulator = folder / "carillon-apns-simulator"
    for script in ("make-wheel.py", "make-npm.py"):
        status, text = run(sys.executable, ROOT / "scripts" / script, "--program", simulator, "--version", VERSION, "--machine", machine,
                           "--output", folder)
        assert status == 0, text
    for name, programs in (("carillon", release.SERVICE_PROGRAMS), ("carillon-apns-simulator", release.SERVICE_PROGRAMS[1:])):
        with tarfile.open(folder / f"{name}-{VERSION}-linux-{machine}.tar.gz", "w:gz") as archive:
            for program in programs:
                archive.add(folder / program, program)
    debian = release.MACHINES[machine][0]
    control = (ROOT / "Packaging/deb/control").read_text()
    for name, value in (("VERSION", VERSION.replace("-", "~")), ("ARCHITECTURE", debian), ("SIZE", "1")):
        control = control.replace(f"@{name}@", value)
    root = folder / "root"
    (root / "DEBIAN").mkdir(parents=True)
    (root / "DEBIAN/control").write_text(control)
    status, text = run("dpkg-deb", "--build", root, folder / f"carillon_{VERSION.replace('-', '~')}_{debian}.deb")
    assert status == 0, text
    (folder / "image/root").mkdir(parents=True)
    shutil.copy(simulator, folder / "image/root")
    (folder / "image/root/link").symlink_to("carillon-apns-simulator")
    for name, licence in (("swift-log", "Apache License\nVersion 2.0"), ("Yams", "Permission is hereby granted, free of charge, to")):
        (folder / "checkouts" / name).mkdir(parents=True)
        (folder / "checkouts" / name / "LICENSE.txt").write_text(licence)
    (folder / "Package.resolved").write_text(json.dumps({"pins": PINS, "version": 3}))
    return folder


def made(packages, output, *more):
    return run(sys.executable, ROOT / "scripts/release.py", "make", "--packages", packages, "--resolved", packages / "Package.resolved",
               "--checkouts", packages / "checkouts", "--swift", "6.2", "--output", output, *more)


def checked(folder):
    return run(sys.executable, ROOT / "scripts/release.py", "check", folder)


@pytest.fixture(scope="module")
def whole(packages, tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    status, text = made(packages, folder)
    assert status == 0 and "all checked" in text, text
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    return pathlib.Path(shutil.copytree(whole, tmp_path / "release"))


def test_a_release_has_everything_and_sha256sum_agrees(folder):
    names = {file.name for file in folder.iterdir()}
    for part in (".deb", ".whl", f"{VERSION}.tgz", "-source.tar.gz", "-containers.tar.gz", "-image-", ".cdx.json", "CHANGES.md", "SHA256SUMS"):
        assert any(part in name for name in names), part
    done = subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder, timeout=60, check=False)
    assert done.returncode == 0
    with tarfile.open(folder / f"carillon-{VERSION}-containers.tar.gz") as archive:
        assert {"Containerfile", "compose/compose.yaml", "compose/Caddyfile", "compose/env.example", "kubernetes/api.yaml"} <= set(
            archive.getnames())
    with tarfile.open(folder / f"carillon-apns-simulator-{VERSION}-image-{MACHINE}.tar.gz") as archive:
        assert archive.getmember("image/root/link").linkname == "carillon-apns-simulator"
    assert checked(folder)[0] == 0


def test_a_release_of_two_machines_has_both(packages, tmp_path):
    (tmp_path / "other").mkdir()
    other = packages_of(release.other(MACHINE), tmp_path / "other")
    status, text = made(packages, tmp_path / "release", "--packages", other)
    assert status == 0 and all(machine in text for machine in release.MACHINES), text
    assert sum(file.suffix == ".deb" for file in (tmp_path / "release").iterdir()) == 2
    assert checked(tmp_path / "release")[0] == 0


def test_equal_files_make_an_equal_release(packages, whole, tmp_path):
    assert made(packages, tmp_path)[0] == 0
    for name in ("containers.tar.gz", "cdx.json"):
        file = f"carillon-{VERSION}-{name}" if name != "cdx.json" else f"carillon-{VERSION}.cdx.json"
        assert (tmp_path / file).read_bytes() == (whole / file).read_bytes(), file


def change(folder, name, edit):
    [file] = [file for file in folder.iterdir() if name in file.name]
    edit(file)
    return file


def edit_bill(edit):
    def change_file(file):
        document = json.loads(file.read_text())
        edit(document)
        file.write_text(json.dumps(document))
    return change_file


FAULTS = {
    "a byte of a package": ("_2_36_", lambda file: file.write_bytes(file.read_bytes()[:-1] + b"x"), False, "another sum"),
    "a package is missing": (".deb", pathlib.Path.unlink, True, "is missing"),
    "an image is missing": ("-image-", pathlib.Path.unlink, True, "too much or too little"),
    "a file too much": ("CHANGES", lambda file: (file.parent / "notes.txt").write_text("x"), True, "too much or too little"),
    "a file that the sums lack": ("SHA256SUMS", lambda file: file.write_text("".join(file.read_text().splitlines(True)[1:])), False, "differ"),
    "a sum twice": ("SHA256SUMS", lambda file: file.write_text(file.read_text() + file.read_text().splitlines(True)[0]), False, "differ"),
    "an empty file": ("CHANGES", lambda file: file.write_text(""), True, "empty"),
    "another version's changes": ("CHANGES", lambda file: file.write_text("# Carillon 9.9.9\n"), True, "of another version"),
    "no format": (".cdx.json", edit_bill(lambda bill: bill.pop("bomFormat")), True, "the bill has no"),
    "no type": (".cdx.json", edit_bill(lambda bill: bill["components"][0].pop("type")), True, "a component has no"),
    "an unknown type": (".cdx.json", edit_bill(lambda bill: bill["components"][0].update(type="thing")), True, "unknown type"),
    "a package that the bill lacks": (".cdx.json", edit_bill(lambda bill: bill["components"].pop()), True, "differ"),
    "a licence that is not known": (".cdx.json", edit_bill(lambda bill: bill["components"][0].pop("licenses")), True, "licence of"),
    "a wrong serial number": (".cdx.json", edit_bill(lambda bill: bill.update(serialNumber="1")), True, "serial number"),
    "another package was built": ("resolved", lambda file: file.write_text(file.read_text().replace("a" * 40, "c" * 40)), True, "differ"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(folder, fault):
    name, edit, with_sums, words = FAULTS[fault]
    change(folder, name, edit)
    if with_sums:
        release.write_sums(folder)
    status, text = checked(folder)
    assert status == 1 and words in text, text


def test_a_program_of_another_version_is_found(packages, tmp_path):
    other = pathlib.Path(shutil.copytree(packages, tmp_path / "packages", symlinks=True))
    (other / "carillon").write_text("#!/bin/sh\necho 9.9.9\n")
    with tarfile.open(other / f"carillon-{VERSION}-linux-{MACHINE}.tar.gz", "w:gz") as archive:
        for program in release.SERVICE_PROGRAMS:
            archive.add(other / program, program)
    status, text = made(other, tmp_path / "release")
    assert status == 1 and "9.9.9" in text, text


def test_files_of_somebody_are_not_deleted(packages, tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    status, text = made(packages, tmp_path)
    assert status == 1 and "has other files" in text and (tmp_path / "mine.txt").exists()


def test_packages_of_nothing_are_told(tmp_path):
    (tmp_path / "packages").mkdir()
    status, text = run(sys.executable, ROOT / "scripts/release.py", "make", "--packages", tmp_path / "packages", "--output", tmp_path / "release")
    assert status == 1 and "run `make package`" in text, text


def test_a_version_that_is_not_ready_is_refused():
    with pytest.raises(release.Fault, match="no number of a release"):
        release.require_final("0.1.0-dev")
    assert release.is_final("1.2.3") and not release.is_final("1.2.3-dev")


@pytest.mark.parametrize("version, text, found", [
    ("0.2.0", "# Changelog\n\n## 0.2.0 - 2027-01-31\n\n- New.\n\n## 0.1.0\n\n- Old.\n", "# Carillon 0.2.0\n\n- New.\n"),
    ("0.1.0", "# Changelog\n\n## [0.2.0] - 2027-01-31\n\n- New.\n\n## [0.1.0]\n\n- Old.\n", "# Carillon 0.1.0\n\n- Old.\n"),
    ("0.2.0-dev", "## Unreleased\n\n### A part\n- New.\n\n## 0.1.0\n\n- Old.\n", "# Carillon 0.2.0-dev\n\n### A part\n- New.\n"),
    ("0.2.0", "## Unreleased\n\n- New.\n", None), ("0.2.0", "## 0.2.0\n\nNothing.\n", None),
    ("0.2.0", "## 0.2.0\n\n- One.\n\n## 0.2.0\n\n- Two.\n", None), ("0.2.0", "## 0.2.01\n\n- One.\n", None),
])
def test_the_part_of_the_changelog(version, text, found):
    if found is None:
        with pytest.raises(release.Fault):
            release.changelog_part(text, version)
    else:
        assert release.changelog_part(text, version) == found


@pytest.mark.parametrize("location", ["/home/somebody/swift-log", "git@github.com:apple/swift-log.git", "http://mirror/swift-log"])
def test_a_package_from_elsewhere_is_refused(location):
    with pytest.raises(release.Fault, match="public repository"):
        release.component(PINS[0] | {"location": location}, ROOT)


def test_a_package_of_a_branch_is_refused():
    with pytest.raises(release.Fault, match="no version"):
        release.component(PINS[0] | {"state": {"revision": "a" * 40, "branch": "main"}}, ROOT)


def test_the_workflow_calls_what_everybody_calls():
    for file in (ROOT / ".github/workflows").glob("*.yml"):
        workflow = yaml.safe_load(file.read_text())
        commands = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
        targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
        for command in commands:
            called = re.fullmatch(r"make (test|release)(?: ARGS=--final)?|apt-get update && apt-get install [a-z0-9 -]+", command)
            assert called, command
            assert called.group(1) is None or called.group(1) in targets
        assert {command.split()[1] for command in commands if command.startswith("make ")} == {"test", "release"}
        assert workflow["permissions"] == {"contents": "read"}
        for job in workflow["jobs"].values():
            for step in job["steps"]:
                assert "uses" not in step or re.fullmatch(r"actions/(checkout|upload-artifact)@v\d+", step["uses"])


def test_make_release_begins_with_what_is_packaged():
    done = subprocess.run(["make", "--dry-run", "release"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.split("\n") if "scripts/" in line]
    assert lines.index(next(line for line in lines if "package.sh" in line)) < lines.index(next(line for line in lines if "release.py make" in line))
