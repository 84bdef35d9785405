"""The update of Packaging/kubernetes, in the order of its steps, with processes in the place of pods.

A new process starts and is ready; no new call goes to an old one; SIGTERM ends that. Meanwhile a backend sends message after
message. What was accepted reaches APNs, and reaches it once.
"""

import collections
import http.client
import itertools
import json
import shutil
import threading
import time

import pytest

from containers import PATIENCE, MANIFESTS, Service, call, deployments, until

PODS = deployments()
PHONES = 8


class Deployment:
    """The processes of a deployment, and those of them that get new calls."""

    def __init__(self, service, name):
        self.service, self.words = service, PODS[name]["containers"][0]["args"]
        self.replicas = MANIFESTS["Deployment"][name]["spec"]["replicas"]
        self.processes = [service.starts(self.words) for _ in range(self.replicas)]

    def rolls(self):
        """Replaces one after the other: maxSurge 1, maxUnavailable 0."""
        for old in list(self.processes):
            new = self.service.starts(self.words)
            # The list of whom calls go to is replaced at once, so that a caller never sees half of it.
            self.processes = [each for each in self.processes if each is not old] + [new]
            assert old.ends() == 0, old.said()


class Backend:
    """Sends until it is told to stop, each message with an id of its own, and repeats what got no answer or a 5xx."""

    def __init__(self, api, key):
        self.api, self.key = api, key
        self.accepted, self.repeated, self.failed = [], 0, []
        self.stop = threading.Event()
        self.threads = [threading.Thread(target=self.sends, args=(name,)) for name in "abc"]
        for thread in self.threads:
            thread.start()

    def sends(self, name):
        # A connection is kept for as long as it holds, as libraries do.
        connection = None
        for number in itertools.count():
            if self.stop.is_set():
                return
            body = {"id": f"{name}-{number}", "to": {"devices": [f"phone-{number % PHONES}"]}, "payload": {"aps": {"alert": str(number)}}}
            end = time.monotonic() + PATIENCE
            while True:
                processes = self.api.processes
                try:
                    if connection is None or connection.port not in {int(each.operators) for each in processes}:
                        connection = http.client.HTTPConnection(
                            "127.0.0.1", int(processes[number % len(processes)].operators), timeout=PATIENCE)
                    connection.request("POST", "/v1/notifications", json.dumps(body), {
                        "Authorization": f"Bearer {self.key}", "Content-Type": "application/json"})
                    answer = connection.getresponse()
                    text = answer.read()
                    if answer.status == 202:
                        self.accepted.append(body["id"])
                        break
                    assert answer.status >= 500, text
                except (OSError, http.client.HTTPException):
                    pass
                except AssertionError as error:
                    self.failed.append(str(error))
                    return
                connection = None
                self.repeated += 1
                if time.monotonic() > end:
                    self.failed.append(f"{body['id']} was not accepted")
                    return

    def count(self):
        return len(self.accepted)

    def ends(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()
        assert not self.failed, self.failed


def arrivals(service):
    """How often APNs has accepted a push with the text of each message."""
    journal = call("GET", f"{service.apns['admin_url']}/requests")
    requests = [entry["request"] for entry in journal if "request" in entry]
    return collections.Counter(
        (request["payload"].get("carillon") or {}).get("id") for request in requests
        if request["status"] == 200 and isinstance(request.get("payload"), dict) and "alert" in request["payload"].get("aps", {}))


def unfinished(url, key):
    """The messages whose pushes have no outcome yet."""
    found, after = [], ""
    while True:
        page = call("GET", f"{url}/v1/notifications?limit=100{after}", bearer=key)
        found += [message["id"] for message in page["notifications"] if message["state"] != "sent"]
        if "next" not in page:
            return found
        after = f"&after={page['next']}"


@pytest.fixture
def service(tmp_path):
    if shutil.which("createdb") is None:
        pytest.skip("PostgreSQL is not installed")
    service = Service(tmp_path)
    try:
        service.runs_postgresql()
        settings = MANIFESTS["ConfigMap"]["carillon"]["data"]["carillon.yaml"]
        # APNs is the simulator, and is named on the command line.
        settings = "".join(line + "\n" for line in settings.split("\n") if line and not line.startswith("apns:"))
        (tmp_path / "carillon.yaml").write_text(service.here(settings))
        yield service
    finally:
        service.end()


def test_an_update_of_all_processes_loses_and_doubles_nothing(service):
    api, senders = Deployment(service, "carillon-api"), Deployment(service, "carillon-sender")
    made = service.runs("api-keys", "create", "--database-file", service.secrets / "database-url", "--name", "backend", "--scope", "admin")
    key = made.split()[0]
    url = f"http://127.0.0.1:{api.processes[0].operators}"
    for number in range(PHONES):
        token = call("POST", f"{service.apns['admin_url']}/devices/phone-{number}/tokens", {})["token"]
        call("POST", f"http://127.0.0.1:{api.processes[0].phones}/v1/devices", {
            "installation": f"phone-{number}", "secret": "5e" * 32, "topic": "com.example.app", "environment": "sandbox",
            "token": token, "permission": "authorized"})
    until("all tokens confirmed", lambda: len(call("GET", f"{url}/v1/devices?limit=100", bearer=key)["devices"]) == PHONES)

    # An answer of APNs takes its time, so that a sender that is told to end has pushes under way.
    call("PUT", f"{service.apns['admin_url']}/faults", {"latency": {"mean_ms": 60}})
    backend = Backend(api, key)
    try:
        until("the first messages", lambda: backend.count() > 20)
        senders.rolls()
        during = backend.count()
        api.rolls()
        after = backend.count()
        # The backend went on while each part was replaced, and goes on with the new ones.
        assert 20 < during < after
        until("further messages", lambda: backend.count() > after + 20)
    finally:
        backend.ends()

    accepted = set(backend.accepted)
    assert len(accepted) == backend.count()
    # What a sender had leased when it was told to end must not wait for the end of its lease, which is a minute.
    url = f"http://127.0.0.1:{api.processes[0].operators}"
    until("the outcome of each push", lambda: not unfinished(url, key))
    arrived = arrivals(service)
    wrong = {name: arrived[name] for name in accepted if arrived[name] != 1}
    assert not wrong, f"these of {len(accepted)} have not arrived once: {wrong}"
    print(f"{len(accepted)} messages, {backend.repeated} calls repeated")
