"""A simulated APNs for one test: `with carillon_apns() as apns:`. Needs the program carillon in PATH, or in $CARILLON.

With pytest, import the fixture `apns` in conftest.py: `from carillon_apns import apns`.
"""

import contextlib
import json
import os
import pathlib
import subprocess
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


@contextlib.contextmanager
def carillon_apns(*options):
    """Starts it on a free port with further options of `carillon apns-simulator`, and stops it at the end."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.environ.get("CARILLON", "carillon")
        arguments = [program, "apns-simulator", "--port", "0", "--directory", folder, *options]
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        try:
            if "is ready" not in process.stdout.readline():
                raise RuntimeError(f"{program} did not start: see its message above")
            yield APNs(folder)
        finally:
            process.terminate()
            process.wait(timeout=30)


@pytest.fixture(name="apns")
def apns():
    with carillon_apns() as started:
        yield started
