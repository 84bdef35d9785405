"""A sender's tests. pytest Examples/InYourTests/python"""

import ssl
import time

import httpx
import jwt
from carillon_apns import apns, carillon_apns  # noqa: F401 (a fixture)


def send(apns, token):
    claims = {"iss": apns.team_id, "iat": int(time.time())}
    signed = jwt.encode(claims, open(apns.key).read(), algorithm="ES256", headers={"kid": apns.key_id})
    headers = {"authorization": f"bearer {signed}", "apns-topic": apns.topic, "apns-push-type": "alert"}
    with httpx.Client(http1=False, http2=True, verify=ssl.create_default_context(cafile=apns.ca)) as client:
        return client.post(f"{apns.url}/3/device/{token}", headers=headers, content=b'{"aps": {"alert": "Hello"}}')


def test_a_push_arrives(apns):
    assert send(apns, apns.device_tokens[0]).status_code == 200
    assert apns.requests()[-1]["payload"] == {"aps": {"alert": "Hello"}}


def test_an_app_that_was_deleted_is_410(apns):
    apns.call("DELETE", f"/tokens/{apns.device_tokens[0]}")
    assert send(apns, apns.device_tokens[0]).json()["reason"] == "Unregistered"


def test_two_at_once_with_options():
    with carillon_apns("--topic", "com.example.one") as one, carillon_apns("--topic", "com.example.two") as two:
        assert (one.topic, two.topic) == ("com.example.one", "com.example.two")
        assert send(two, one.device_tokens[0]).json()["reason"] == "BadDeviceToken"


def test_a_phone_that_is_offline_gets_the_newest_push_when_it_is_back(apns):
    phone = apns.device(offline=True)
    for _ in range(2):
        assert send(apns, phone.token).status_code == 200
    phone.connect()
    assert phone.push()["payload"] == {"aps": {"alert": "Hello"}}
    phone.disconnect()
    assert send(apns, phone.token).status_code == 200
    assert phone.arrived.empty()
    phone.delete_app()
    assert send(apns, phone.token).status_code == 410


def test_apns_is_away_for_half_a_minute(apns):
    apns.next_answer(503, retry_after=30)
    answer = send(apns, apns.device().token)
    assert (answer.status_code, answer.headers["retry-after"], answer.json()["reason"]) == (503, "30", "ServiceUnavailable")
    assert send(apns, apns.device_tokens[0]).status_code == 200


def test_a_push_that_waits_for_31_days_is_dropped(apns):
    phone = apns.device(offline=True)
    send(apns, phone.token)
    apns.advance("31d")
    phone.connect()
    assert apns.call("GET", "/fleet")["discarded"] == {"expired": 1}
