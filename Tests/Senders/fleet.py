"""A fleet of foreign phones over one connection to the admin port, and a sender that sends to each of them.

Reads host, port, ca (PEM), admin_url, authorization, topic and count from standard input. Writes the statuses that the
sender saw, how many devices got a push, how many pushes came, how many of them were for devices of nobody, and the
simulator's own census.
"""

import asyncio
import collections
import http.client
import json
import ssl
import sys
import urllib.parse

import httpx


def ask(setup, method, path, body=None):
    url = urllib.parse.urlparse(setup["admin_url"])
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    connection.request(method, path, body=json.dumps(body) if body else None)
    return connection.getresponse()


def take(stream, count):
    devices = collections.Counter()
    while sum(devices.values()) < count:
        line = stream.readline().decode()
        if line.startswith("data: "):
            devices[json.loads(line[6:])["device"]] += 1
    return devices


async def send(setup, tokens):
    headers = {
        "authorization": setup["authorization"],
        "apns-topic": setup["topic"],
        "apns-push-type": "alert",
        "apns-expiration": "0",
    }
    origin = f"https://{setup['host']}:{setup['port']}"
    context = ssl.create_default_context(cadata=setup["ca"])
    statuses = collections.Counter()
    async with httpx.AsyncClient(http1=False, http2=True, verify=context, timeout=60) as client:

        async def push(token):
            answer = await client.post(f"{origin}/3/device/{token}", headers=headers, content=b'{"aps":{"alert":"Hi"}}')
            statuses[str(answer.status_code)] += 1

        # The first alone: until it is answered, a connection has one stream.
        await push(tokens[0])
        for start in range(1, len(tokens), 100):
            await asyncio.gather(*(push(token) for token in tokens[start : start + 100]))
    return statuses


def main():
    setup = json.load(sys.stdin)
    order = {"prefix": "phone-", "count": setup["count"]}
    tokens = json.load(ask(setup, "POST", "/fleet/tokens", {**order, "topic": setup["topic"]}))["tokens"]
    stream = ask(setup, "POST", "/fleet/pushes", order)
    while stream.readline() != b": attached\n":
        pass
    statuses = asyncio.run(send(setup, tokens))
    devices = take(stream, setup["count"])
    expected = {f"phone-{number}" for number in range(1, setup["count"] + 1)}
    result = {
        "statuses": statuses,
        "devices_reached": len(expected & devices.keys()),
        "pushes": sum(devices.values()),
        "strangers": len(devices.keys() - expected),
        "census": json.load(ask(setup, "GET", "/fleet")),
    }
    json.dump(result, sys.stdout)


main()
