"""A sender in Python on one library: python_sender.py LIBRARY. Reads JSON lines, answers each with one.

The first line has host, port, ca, topic, payload (which may be left out) and either key, key_id and team_id (files) or certificate
(a PEM file). Each further one has tokens, to each of which an alert is sent, all at once where the library can, and clock, by how
many seconds the machine's clock is to be ahead. The answer counts what the library said: "200", a reason, or the name of an
exception.
"""

import asyncio
import collections
import json
import os
import socket
import sys
import threading
import time

LIBRARY = sys.argv[1]
SETUP = json.loads(sys.stdin.readline())
PAYLOAD = SETUP.get("payload", {"aps": {"alert": "Hello"}})
# What a user does whose library offers no trust setting: the process trusts what this names.
os.environ["SSL_CERT_FILE"] = SETUP["ca"]
AUTHORITY = f"[{SETUP['host']}]:{SETUP['port']}" if ":" in SETUP["host"] else f"{SETUP['host']}:{SETUP['port']}"

real_time, offset = time.time, 0
time.time = lambda: real_time() + offset


class Aioapns:
    def __init__(self):
        import aioapns.connection

        self.library = aioapns
        # As in a server: the loop goes on running, and so reads what comes between two sends.
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.client = asyncio.run_coroutine_threadsafe(self.make(), self.loop).result()

    async def make(self):
        aioapns = self.library
        for protocol in (aioapns.connection.APNsTLSClientProtocol, aioapns.connection.APNsProductionClientProtocol):
            protocol.APNS_SERVER, protocol.APNS_PORT = SETUP["host"], SETUP["port"]
        if "certificate" in SETUP:
            credential = {"client_cert": SETUP["certificate"]}
        else:
            credential = {"key": open(SETUP["key"]).read(), "key_id": SETUP["key_id"], "team_id": SETUP["team_id"]}
        client = aioapns.APNs(topic=SETUP["topic"], **credential)
        client.pool.ssl_context.set_alpn_protocols(["h2"])
        return client

    async def one(self, token):
        request = self.library.NotificationRequest(
            device_token=token, message=PAYLOAD, push_type=self.library.PushType.ALERT
        )
        try:
            result = await self.client.send_notification(request)
        except Exception as error:
            return type(error).__name__
        return result.description or result.status

    async def all(self, tokens):
        return await asyncio.gather(*(self.one(token) for token in tokens))

    def send(self, tokens):
        return asyncio.run_coroutine_threadsafe(self.all(tokens), self.loop).result()


class Kalyke:
    def __init__(self):
        import kalyke
        from kalyke.clients.apns import ApnsClient
        from kalyke.models import ApnsConfig

        class Client(ApnsClient):
            _base_url = f"https://{AUTHORITY}"

        self.library, self.config = kalyke, ApnsConfig
        self.client = Client(
            use_sandbox=True, team_id=SETUP["team_id"], auth_key_id=SETUP["key_id"], auth_key_filepath=SETUP["key"]
        )

    async def one(self, token):
        try:
            await self.client.send_message(
                device_token=token, payload=PAYLOAD, apns_config=self.config(topic=SETUP["topic"])
            )
        except Exception as error:
            return type(error).__name__
        return "200"

    def send(self, tokens):
        async def all():
            return [await self.one(token) for token in tokens]

        return asyncio.run(all())


class Apns2Up:
    def __init__(self):
        from apns2.client import APNsClient
        from apns2.credentials import CertificateCredentials, TokenCredentials
        from apns2.payload import Payload

        APNsClient.LIVE_SERVER, APNsClient.DEFAULT_PORT = SETUP["host"], SETUP["port"]
        # Else it waits for a lost answer for ever.
        socket.setdefaulttimeout(5)
        self.library, self.payload = APNsClient, Payload(alert=PAYLOAD["aps"]["alert"])
        if "certificate" in SETUP:
            self.credential = CertificateCredentials(SETUP["certificate"])
        else:
            self.credential = TokenCredentials(SETUP["key"], SETUP["key_id"], SETUP["team_id"])
        self.client = APNsClient(self.credential)

    def one(self, token):
        try:
            self.client.send_notification(token, self.payload, SETUP["topic"])
        except OSError as error:
            # It does not connect again by itself.
            self.client = self.library(self.credential)
            return type(error).__name__
        except Exception as error:
            return type(error).__name__
        return "200"

    def send(self, tokens):
        return [self.one(token) for token in tokens]


class PyapnsClient:
    def __init__(self):
        import pyapns_client

        self.library = pyapns_client
        pyapns_client.APNSClient.BASE_URLS["dev"] = f"https://{AUTHORITY}"
        self.client = pyapns_client.APNSClient(
            mode="dev", root_cert_path=SETUP["ca"], auth_key_path=SETUP["key"], auth_key_id=SETUP["key_id"],
            team_id=SETUP["team_id"],
        )

    def one(self, token):
        alert = self.library.IOSPayloadAlert(title="Hello", body=PAYLOAD["aps"]["alert"])
        notification = self.library.IOSNotification(
            payload=self.library.IOSPayload(alert=alert), topic=SETUP["topic"]
        )
        try:
            self.client.push(notification=notification, device_token=token)
        except Exception as error:
            return type(error).__name__
        return "200"

    def send(self, tokens):
        return [self.one(token) for token in tokens]


class Httpx:
    def __init__(self):
        import ssl

        import httpx
        import jwt

        self.httpx, self.jwt = httpx, jwt
        context = ssl.create_default_context(cafile=SETUP["ca"])
        if "certificate" in SETUP:
            context.load_cert_chain(SETUP["certificate"])
        self.client = httpx.Client(http1=False, http2=True, verify=context)
        self.origin = f"https://{AUTHORITY}/3/device/"
        self.token, self.signed = None, 0

    def headers(self):
        headers = {"apns-topic": SETUP["topic"], "apns-push-type": "alert"}
        if "certificate" in SETUP:
            return headers
        if time.time() > self.signed + 50 * 60:
            self.signed = int(time.time())
            self.token = self.jwt.encode(
                {"iss": SETUP["team_id"], "iat": self.signed}, open(SETUP["key"]).read(), algorithm="ES256",
                headers={"kid": SETUP["key_id"]},
            )
        return {**headers, "authorization": f"bearer {self.token}"}

    def one(self, token):
        try:
            answer = self.client.post(self.origin + token, headers=self.headers(), content=json.dumps(PAYLOAD, separators=(",", ":")))
        except self.httpx.HTTPError as error:
            return type(error).__name__
        return "200" if answer.status_code == 200 else answer.json()["reason"]

    def send(self, tokens):
        return [self.one(token) for token in tokens]


sender = {
    "aioapns": Aioapns, "kalyke-apns": Kalyke, "apns2-up": Apns2Up, "pyapns-client": PyapnsClient, "httpx": Httpx,
}[LIBRARY]()
for line in sys.stdin:
    command = json.loads(line)
    offset = command["clock"]
    print(json.dumps(collections.Counter(sender.send(command["tokens"]))), flush=True)
