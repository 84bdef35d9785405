"""What the tests have the Python client do: driver.py SCENARIO [ARGUMENT …]. It prints one line of JSON."""

import json
import os
import sys
import time

from carillon import APIError, Carillon, NoAnswerError, WebhookError, verify_webhook


def client():
    seconds = float(os.environ.get("CLIENT_TIMEOUT", "30000")) / 1000
    return Carillon(
        os.environ["CARILLON_URL"], os.environ["CARILLON_API_KEY"], topic=os.environ.get("CARILLON_TOPIC"), timeout=seconds,
        attempts=int(os.environ.get("CLIENT_ATTEMPTS", "4")))


def verify(path):
    with open(path) as file:
        request = json.load(file)
    events = verify_webhook(request["secrets"], request["headers"], request["body"].encode())
    return [[event["type"], event.get("message", "")] for event in events]


def change(carillon, webhook, etag):
    return carillon.change_webhook(webhook, {"texts": True}, if_match=etag)["id"]


def import_file(carillon, path):
    with open(path, "rb") as file:
        return carillon.import_devices(file)["added"]


def awaited(carillon, message):
    for _ in range(400):
        report = carillon.report(message)
        if report["counts"].get("accepted") == 1:
            return report["state"]
        time.sleep(0.05)
    raise AssertionError(f"{message} is not accepted by APNs: {report}")


def messages(carillon, me, out):
    body = {"to": {"user": "u-42"}, "payload": {"aps": {"alert": {"title": "Zug 🚆"}}}, "id": f"{me}-1", "campaign": me}
    out["count"] = carillon.count_audience({"to": {"devices": ["phone"]}})
    out["dry_run"] = carillon.dry_run(body)["devices"]
    out["send"] = carillon.send(body)["devices"]
    out["again"] = carillon.send(body)["id"]
    out["report"] = awaited(carillon, f"{me}-1")
    later = {"to": {"user": "u-42"}, "payload": {"aps": {"alert": "Later"}}, "id": f"{me}-2", "send_at": time.time() + 3600}
    out["later"] = carillon.send(later)["state"]
    out["steered"] = [carillon.pause(f"{me}-2")["state"], carillon.resume(f"{me}-2")["state"], carillon.cancel(f"{me}-2")["state"]]
    out["messages"] = [each["id"] for each in carillon.messages(id=f"{me}-", limit=1)]
    out["cancelled"] = [each["title"] for each in carillon.messages(id=f"{me}-", state=["cancelled", "paused"])]
    out["recipients"] = [[each["device"], each["state"]] for each in carillon.recipients(f"{me}-1", group="not_shown")]
    out["timeline"] = [each["event"] for device in carillon.timeline(f"{me}-1") for each in device["events"]]
    out["resend"] = carillon.resend(f"{me}-1")["id"]
    out["read"] = carillon.mark_read("u-42", {"messages": [f"{me}-1"]})["marked"]
    out["recall"] = carillon.recall(f"{me}-1", {"notice": {"title": "Vorbei"}})["state"]
    out["figures"] = carillon.figures(campaign=me)["total"]["accepted"] > 0
    out["campaigns"] = [each["campaign"] for each in carillon.campaigns(limit=1) if each["campaign"] == me]


def people(carillon, me, out):
    user = f"u/{me} ü"
    row = f"token,user\n{me.encode().hex() * 8},{user}\n".encode()
    out["import"] = carillon.import_devices(row)["added"]
    [device] = carillon.user_devices(user)
    out["devices"] = [each["installation"] == device["installation"] for each in carillon.devices(user=user)]
    out["device"] = carillon.device("phone")["user"]
    out["sign_out_device"] = carillon.sign_out_device(device["installation"])["removals"]
    out["sign_out_user"] = carillon.sign_out_user(user)
    out["user"] = [each["id"] for each in carillon.user("u-42", limit=100)["messages"] if each["id"] == f"{me}-1"]
    out["erase_user"] = carillon.erase_user(user)["remaining"]
    carillon.delete_device(device["installation"])
    carillon.change_app({"sends_per_second": 500})
    out["app"] = carillon.app()["sends_per_second"]
    out["change_app"] = carillon.change_app({"sends_per_second": 0}).get("sends_per_second", 0)


def activities(carillon, me, out):
    started = carillon.start_live_activity({
        "id": f"{me}-live", "to": {"user": "u-42"}, "attributes-type": "OrderAttributes", "attributes": {"order": f"{me}-live"},
        "content-state": {"stops": 9}, "alert": {"title": "Your order"}})
    out["started"] = [started["state"], started["phones"]]
    out["updated"] = carillon.update_live_activity(f"{me}-live", {"content-state": {"stops": 8}})["revision"]
    out["activity"] = carillon.live_activity(f"{me}-live")["content-state"]
    out["phones"] = [each["device"] for each in carillon.live_activity_timeline(f"{me}-live")]
    out["ended"] = carillon.end_live_activity(f"{me}-live")["state"]


def webhooks(carillon, me, out):
    added = carillon.add_webhook({"url": f"http://127.0.0.1:1/{me}", "types": ["message.opened"]})
    webhook = added["id"]
    out["secret"] = added["secret"].startswith("whsec_") and "secret" not in carillon.webhook(webhook)
    etag = carillon.request("GET", f"/v1/webhooks/{webhook}").etag
    out["changed"] = carillon.change_webhook(webhook, {"texts": True}, if_match=etag)["texts"]
    try:
        change(carillon, webhook, etag)
    except APIError as error:
        out["stale"] = [error.status, error.name]
    out["rotated"] = carillon.rotate_webhook(webhook)["secret"] != added["secret"]
    carillon.replay_webhook(webhook, {"since": time.time() - 60})
    out["tested"] = carillon.test_webhook(webhook)["id"] == webhook
    out["webhooks"] = [each["id"] == webhook for each in carillon.webhooks()]
    carillon.delete_webhook(webhook)


def everything(carillon, me):
    out = {}
    cursor = carillon.events()["next"]
    for part in (messages, people, activities, webhooks):
        part(carillon, me, out)
    out["events"] = [each["message"] for each in carillon.follow(cursor, types=["message.accepted"], wait=None)]
    return out


SCENARIOS = {
    "new": lambda carillon: "made",
    "report": lambda carillon, message: carillon.report(message)["state"],
    "send": lambda carillon: carillon.send({"to": {"user": "u-42"}, "payload": {"aps": {"alert": "Zug 🚆 ü\u2028\\"}}})["id"],
    "messages": lambda carillon: [each["id"] for each in carillon.messages()],
    "delete-device": lambda carillon, device: carillon.delete_device(device),
    "test-webhook": lambda carillon, webhook: carillon.test_webhook(webhook)["id"],
    "change-webhook": change,
    "import": import_file,
    "all": everything,
}


def main(scenario, *arguments):
    shown = ""
    try:
        if scenario == "verify":
            return {"value": verify(*arguments)}
        carillon = client()
        shown = f"{carillon} {carillon!r}"
        return {"value": SCENARIOS[scenario](carillon, *arguments), "shown": shown}
    except APIError as error:
        return {"error": {
            "kind": "api", "status": error.status, "type": error.type, "name": error.name or "", "title": error.title,
            "detail": error.detail, "pointer": error.pointer or "", "retry_after": error.retry_after, "text": str(error)}}
    except NoAnswerError as error:
        return {"error": {"kind": "no-answer", "text": str(error)}}
    except WebhookError as error:
        return {"error": {"kind": "webhook", "text": str(error)}}
    except ValueError as error:
        return {"error": {"kind": "argument", "text": str(error)}}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
