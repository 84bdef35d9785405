"""A simulated APNs and a service with two apps, for those who measure what one app's calls cost the other.

`neighbours.py` and `Benchmarks/attack/attack.py` use it.
"""
import http.client
import json
import sys

from broadcast import TOPIC, Process, run

OTHER = "com.example.ferry"
SECRET = "5e" * 32
HEADERS = {"Content-Type": "application/json"}


class TwoApps:
    """`carillon apns-simulator`, and `carillon serve` on `place` with two apps, each with a key and with devices.

    - `devices` has the number of devices of each topic, which are imported, each with a user; `tokens` those of the second app.
    - `columns` returns the further columns of an imported device, by its number.
    - `serve` has further options of `carillon serve`. With `--operator-port`, `port` is that of operators.
    """

    def __init__(self, carillon, place, folder, apns, devices, columns=None, serve=()):
        self.simulator = Process(carillon, "apns-simulator", "--port", "0", "--directory", apns, "--topic", TOPIC,
                                 "--topic", OTHER, "--journal", "0")
        described = json.loads((apns / "simulator.json").read_text())
        self.admin = int(described["admin_url"].rsplit(":", 1)[1].rstrip("/"))
        for topic in (TOPIC, OTHER):
            run(carillon, "apps", "add", *place, "--topic", topic)
        self.keys = {topic: run(carillon, "api-keys", "create", *place, "--name", "bench", "--topic", topic, "--scope",
                                "admin").strip() for topic in (TOPIC, OTHER)}
        for topic in (TOPIC, OTHER):
            self.tokens = self._import(carillon, place, folder, topic, devices[topic], columns or (lambda number: {}))
        self.service = Process(
            carillon, "serve", *place, "--port", "0", "--apns-url", f"https://localhost:{described['port']}", "--apns-ca",
            apns / "ca.pem", "--key", next(apns.glob("AuthKey_*.p8")), "--key-id", "SIMKEY0001", "--team-id", "SIMTEAM001",
            "--topic", TOPIC, "--topic", OTHER, *serve, lines=2 if "--operator-port" in serve else 1)
        self.port = self.service.port()

    def ask(self, method, path, body):
        """Calls the simulator's admin API."""
        connection = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=60)
        connection.request(method, path, json.dumps(body), HEADERS)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            sys.exit(f"error: {method} {path} of the simulator answered {answer.status}: {text.decode()}")
        return json.loads(text) if text else None

    def issue(self, prefix, count, topic=OTHER):
        """Tokens that the simulator knows: one that APNs does not know would be its device's end."""
        return self.ask("POST", "/fleet/tokens", {"prefix": prefix, "count": count, "topic": topic})["tokens"]

    def register(self, name, topic=OTHER):
        """A phone that registers itself; its credentials."""
        body = {"installation": name, "secret": SECRET, "topic": topic, "environment": "sandbox", "permission": "authorized",
                "token": self.issue(f"{name}-", 1, topic)[0]}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", "/v1/devices", json.dumps(body), HEADERS)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            sys.exit(f"error: registering answered {answer.status}: {text.decode()}")
        return f"{name}:{SECRET}"

    def stop(self):
        self.service.stop()
        self.simulator.stop()

    def _import(self, carillon, place, folder, topic, count, columns):
        tokens = self.issue(f"{topic}-", count, topic)
        records = folder / "devices.csv"
        names = list(columns(0))
        with records.open("w") as file:
            file.write(",".join(["token", "topic", "environment", "user", *names]) + "\n")
            for number, token in enumerate(tokens):
                file.write(",".join([token, topic, "sandbox", f"u-{number}", *columns(number).values()]) + "\n")
        run(carillon, "devices", "import", *place, records)
        return tokens
