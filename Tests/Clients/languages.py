"""The clients, built with what this machine has: a program of each that plays a scenario, and the example of its page."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENTS, DRIVERS = ROOT / "clients", pathlib.Path(__file__).parent / "drivers"
PATIENCE = 300


# Every name in the types of the Python client is one: a type checker would find the others.
RESOLVED = """
import typing, carillon.types
all = [each for each in vars(carillon.types).values() if typing.is_typeddict(each)]
assert len(all) > 40, len(all)
for each in all:
    typing.get_type_hints(each)
"""


def example(language, fence):
    """The example of a client's page."""
    page = (CLIENTS / language / "README.md").read_text()
    [found] = re.findall(rf"^```{fence}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return found


def need(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed: make test-senders installs what the clients need")


def made(*command, folder=None, **environment):
    run = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, env=os.environ | environment)
    assert run.returncode == 0, f"{command}\n{run.stdout}{run.stderr}"


class Language:
    """`driver` and `example` are the commands of the two programs."""

    environment = {}

    def __init__(self, folder):
        self.folder = folder
        self.build()

    def start(self, command, **environment):
        # A program that is started with SIGINT ignored, as behind a shell's "&", goes on ignoring it.
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", cwd=self.folder,
            env=os.environ | self.environment | environment, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def output(self, command, **environment):
        process = self.start(command, **environment)
        try:
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
        assert process.returncode == 0, f"{command} ended with {process.returncode}: {out}{err}"
        return out

    def play(self, scenario, *arguments, **environment):
        return json.loads(self.output([*self.driver, scenario, *arguments], **environment))


class Python(Language):
    environment = {"PYTHONPATH": str(CLIENTS / "python"), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}

    def build(self):
        (self.folder / "example.py").write_text(example("python", "python"))
        made(sys.executable, "-c", RESOLVED, **self.environment)
        self.driver = [sys.executable, str(DRIVERS / "driver.py")]
        self.example = [sys.executable, "example.py"]


class TypeScript(Language):
    def build(self):
        need("node", "tsc")
        (self.folder / "driver.ts").write_text((DRIVERS / "driver.ts").read_text())
        (self.folder / "example.ts").write_text(
            "declare const process: {env: Record<string, string | undefined>};\n" + example("typescript", "ts"))
        shutil.copy(DRIVERS / "node.d.ts", self.folder)
        package = self.folder / "node_modules/carillon-client"
        package.mkdir(parents=True)
        shutil.copy(CLIENTS / "typescript/package.json", package)
        made("tsc", "-p", str(CLIENTS / "typescript"), "--outDir", str(package / "dist"))
        (self.folder / "package.json").write_text('{"type": "module"}')
        # As a project of a user has it: strict, and with the declarations alone.
        made("tsc", "--strict", "--target", "ES2022", "--module", "Node16", "--moduleResolution", "Node16",
             "--lib", "ES2022,DOM,DOM.Iterable", "--outDir", ".", "driver.ts", "example.ts", "node.d.ts", folder=self.folder)
        self.driver, self.example = ["node", "driver.js"], ["node", "example.js"]


class Go(Language):
    def build(self):
        need("go", "gofmt")
        environment = {"GOCACHE": str(self.folder / "cache"), "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local"}
        listed = subprocess.run(
            ["gofmt", "-l", str(CLIENTS / "go"), str(DRIVERS)], capture_output=True, text=True, timeout=PATIENCE, check=True)
        assert listed.stdout == "", "gofmt would change these files"
        made("go", "vet", "./...", folder=CLIENTS / "go", **environment)
        for name, text in [("driver", (DRIVERS / "driver.go").read_text()), ("example", example("go", "go"))]:
            folder = self.folder / ("make-" + name)
            folder.mkdir()
            (folder / "main.go").write_text(text)
            (folder / "go.mod").write_text(
                "module main\n\ngo 1.19\n\nrequire carillon.example/carillon v1.0.0\n"
                f"replace carillon.example/carillon => {CLIENTS / 'go'}\n")
            made("go", "build", "-o", str(self.folder / name), folder=folder, **environment)
        self.driver, self.example = [str(self.folder / "driver")], [str(self.folder / "example")]


class Java(Language):
    def build(self):
        need("java", "javac", "jar")
        (self.folder / "Example.java").write_text(example("java", "java"))
        shutil.copytree(CLIENTS / "java/src", self.folder / "src")
        made("bash", "-e", "-c", example("java", "bash name=jar"), folder=self.folder)
        made("javac", "--release", "11", "-encoding", "UTF-8", "-Xlint:all", "-Werror", "-cp", "carillon.jar", "-d", ".",
             "Example.java", str(DRIVERS / "Driver.java"), folder=self.folder)
        run = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp",
               "carillon.jar:."]
        self.driver, self.example = [*run, "Driver"], [*run, "Example"]


LANGUAGES = {"python": Python, "typescript": TypeScript, "go": Go, "java": Java}
