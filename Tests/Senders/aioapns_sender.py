"""aioapns as a sender: sends n alerts to each of the tokens at once, and one to a token that nobody has.

Reads host, port, ca, key (PEM), key_id, team_id, topic, tokens, n from standard input; writes the results in order,
as [status, description].
"""

import asyncio
import json
import ssl
import sys

import aioapns.connection
from aioapns import APNs, NotificationRequest, PushType


async def send(setup):
    # The lines that a user of aioapns changes: where APNs is, and whom to trust.
    for protocol in (aioapns.connection.APNsTLSClientProtocol, aioapns.connection.APNsProductionClientProtocol):
        protocol.APNS_SERVER = setup["host"]
        protocol.APNS_PORT = setup["port"]
    context = ssl.create_default_context(cadata=setup["ca"])
    context.set_alpn_protocols(["h2"])
    client = APNs(
        key=setup["key"],
        key_id=setup["key_id"],
        team_id=setup["team_id"],
        topic=setup["topic"],
        max_connections=10,
        ssl_context=context,
    )
    requests = [
        NotificationRequest(device_token=token, message={"aps": {"alert": "Hello"}}, push_type=PushType.ALERT)
        for token in setup["tokens"] + ["00ff"]
        for _ in range(setup["n"])
    ]
    results = await asyncio.gather(*(client.send_notification(request) for request in requests))
    return [[result.status, result.description] for result in results]


setup = json.load(sys.stdin)
json.dump(asyncio.run(send(setup)), sys.stdout)
