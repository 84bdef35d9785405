"""A simulated APNs for one test: `with carillon_apns() as apns:`. The wheel carillon-apns-simulator has it and the program.

Without the wheel it needs the program carillon in PATH, or in $CARILLON.

With pytest, import the fixture `apns` in conftest.py: `from carillon_apns import apns`.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request

import pytest


class APNs:
    """Where it is (url, host, port), whom to trust (ca), the credentials (key, key_id, team_id, certificate), and tokens."""

    def __init__(self, folder):
        vars(self).update(json.loads((pathlib.Path(folder) / "simulator.json").read_text()))
        self.url = f"https://{self.host}:{self.port}"

    def call(self, method, path, body=None):
        """A call of the admin API, such as call("DELETE", f"/tokens/{token}")."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.admin_url + path, data=data, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    def requests(self):
        """The journal: what came, and what was made of it."""
        return [event["request"] for event in self.call("GET", "/requests")]


def command():
    """The program to start: of $CARILLON, of the wheel, or of PATH."""
    if program := os.environ.get("CARILLON"):
        return [program, "apns-simulator"]
    beside = pathlib.Path(sys.executable).with_name("carillon-apns-simulator")
    alone = str(beside) if beside.exists() else shutil.which("carillon-apns-simulator")
    return [alone] if alone else ["carillon", "apns-simulator"]


@contextlib.contextmanager
def carillon_apns(*options):
    """Starts it on a free port with further options of `carillon apns-simulator`, and stops it at the end."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [*command(), "--port", "0", "--directory", folder, *options]
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        try:
            if "is ready" not in process.stdout.readline():
                raise RuntimeError(f"{arguments[0]} did not start: see its message above")
            yield APNs(folder)
        finally:
            process.terminate()
            process.wait(timeout=30)


@pytest.fixture(name="apns")
def apns():
    with carillon_apns() as started:
        yield started
