"""The commands of the pages, as a reader types them, against the real programs. `test_blocks.py` says who checks the other blocks."""

import gzip
import http.server
import json
import re
import shutil
import sys
import textwrap
import threading
import urllib.error
import urllib.request

import pytest

from blocks import runs, unplayed
from markdown import ROOT, Page
from reader import CARILLON, PROGRAMS, Reader, call, until


@pytest.fixture
def reader(tmp_path):
    reader = Reader(tmp_path)
    yield reader
    reader.end()


def parts(page):
    """The page's blocks of programs and commands, and its other blocks."""
    page = Page(ROOT / page)
    return [block for block in page.blocks if runs(block)], [block for block in page.blocks if not runs(block)]


def lines(block):
    """The commands of a block of which each is one line."""
    return [line for line in block.text.split("\n") if line]


def one(page, words):
    """The block of programs or commands on a page that has these words."""
    [found] = [block for block in parts(page)[0] if words in block.text]
    return found


# The languages in which README.md shows one request.
REQUEST_LANGUAGES = ("python", "js", "go", "php", "ruby")


@pytest.fixture(scope="module")
def ada(tmp_path_factory):
    """A reader to whom the phone of the user ada belongs."""
    reader = Reader(tmp_path_factory.mktemp("ada"))
    reader.serves()
    reader.has_phone("phone-1", "ada")
    yield reader
    reader.end()


@pytest.mark.parametrize("language", REQUEST_LANGUAGES)
def test_the_one_request_of_the_readme_sends_a_push(ada, language):
    [block] = [block for block in parts("README.md")[0] if block.language == language]
    if shutil.which(PROGRAMS[language][0]) is None:
        pytest.skip(f"{PROGRAMS[language][0]} is not installed")
    answer = ada.plays(block)
    sent = re.search(r"\b[0-9a-f]{32}\b", answer)
    assert "accepted" in answer and sent, answer
    until("the push", lambda: ada.report(sent.group())["counts"].get("accepted") == 1)
    assert ada.report(sent.group())["state"] == "sent"


def readme(reader):
    [send, host], [timeline, *_] = ([block for block in part if block.language not in REQUEST_LANGUAGES] for part in parts("README.md"))
    reader.plays(host)
    reader.makes_a_key()
    for phone in ("phone-1", "phone-2"):
        reader.has_phone(phone, "ada")
    assert json.loads(reader.plays(send)) == {"devices": 2, "id": "train-42", "state": "accepted"}
    until("the push", lambda: reader.report("train-42")["counts"].get("accepted") == 2)
    for phone in ("phone-1", "phone-2"):
        reader.reports(phone, "train-42", "received", "shown")
    page = (ROOT / "README.md").read_text()
    of_one = json.loads(reader.shell(reader.prepared(re.search(r"`(curl -sS \S+/timeline [^`]*)`", page).group(1))))["devices"][0]["events"]
    shown = [json.loads(line.replace(", …", "")) for line in lines(timeline)]
    assert [event["event"] for event in of_one] == [event["event"] for event in shown]
    for event, of_the_page in zip(of_one, shown):
        assert set(of_the_page) <= set(event), event
    taken_back = reader.shell(reader.prepared(re.search(r"`(curl -sS -X DELETE [^`]*)`", page).group(1)))
    assert json.loads(taken_back)["recall"] == {"pending until launch": 2}, taken_back


def doors(reader):
    [serve, gorush, onesignal], _ = parts("docs/doors.md")
    reader.shell("carillon apps add --data ./data --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456 --topic com.example.chime")
    reader.plays(serve)
    reader.makes_a_key()
    reader.has_phone("phone-1", "ada")
    answer = json.loads(reader.plays(gorush))
    assert len(answer.pop("ids")) == 1 and answer == {"counts": 1, "logs": [], "success": "ok"}
    answer = json.loads(reader.plays(onesignal))
    assert answer["id"] and "errors" not in answer


def imported(reader):
    [both], [table] = parts("docs/import.md")
    reader.serves()
    text = table.text.replace("8d0e…", "8d0e" * 16)
    (reader.folder / "tokens.csv").write_text(text)
    printed = reader.plays(both)
    assert "1 added" in printed and '"unchanged":1' in printed, printed
    [device] = call("GET", f"{reader.url}/v1/users/u-42/devices", bearer=reader.key)["devices"]
    assert set(device["tags"]) == {"beta", "vip"} and device["locale"] == "de_AT"


def files_of_others(reader, page):
    """A page that makes a file for the import from what another service, or the reader's own database, has."""
    reader.shell("carillon apps add --data ./data --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456 --topic com.example.chime")
    [block, *_], _ = parts(page)
    return reader.plays(block)


def from_firebase(reader):
    reader.has_command("psql", f"printf 'token,user\\n{'8d0e' * 16},u-42\\n{'9d0e' * 16},u-43\\n'\n")
    assert "2 added" in files_of_others(reader, "docs/import/firebase.md")


def from_infobip(reader):
    (reader.folder / "tokens-from-support.csv").write_text(f"{'8d0e' * 16},u-42\n{'9d0e' * 16},u-43\n")
    assert "2 added" in files_of_others(reader, "docs/import/infobip.md")


def sending(reader):
    send = one("docs/sending.md", '"dry_run": true')
    answer, other = (block for block in parts("docs/sending.md")[1] if block.language == "json" and "variants" in block.text)
    reader.serves()
    for phone in ("phone-1", "phone-2"):
        reader.has_phone(phone, locale="en_GB")
    had, shown = json.loads(reader.plays(send)), json.loads(answer.text)
    assert had["devices"] == shown["devices"] and had["dry_run"] is True
    assert [set(each) for each in had["variants"]] == [set(each) for each in shown["variants"]]
    assert [(each["devices"], each.get("locale")) for each in had["variants"]] == [
        (each["devices"], each.get("locale")) for each in shown["variants"]]
    assert set(json.loads(other.text)) == set(had)


def bodies(reader):
    """The blocks of JSON that are the body of a send: each is taken, as a dry run."""
    reader.serves()
    for page, number in (("docs/audiences.md", 1), ("docs/texts.md", 2)):
        found = [block for block in parts(page)[1] if block.language == "json"]
        assert len(found) == number, page
        for block in found:
            body = json.loads(block.text) | {"dry_run": True}
            assert call("POST", f"{reader.url}/v1/notifications", body, reader.key)["dry_run"] is True, block.place


def events(reader):
    pages, stream = (one("docs/events.md", words) for words in ("after=42-0", "text/event-stream"))
    reader.serves()
    first, second = lines(pages)
    first = json.loads(reader.plays(pages, first))
    assert first["events"] == []
    assert set(json.loads(reader.plays(pages, second.replace("42-0", first["next"])))) == set(first)
    with reader.apps_are_deleted():
        printed = reader.plays(stream).split("\n")
    assert json.loads(printed[0].removeprefix("data: "))["type"]
    assert re.search(r"push\.rejected|device\.gone", printed[-1]), printed


def figures(reader):
    block = one("docs/figures.md", "campaign=spring")
    reader.serves()
    reader.has_phone("d-1", "u-42")
    reader.sends("spring-1", campaign="spring")
    printed = reader.plays(block)
    answer, _, table = printed.partition("\n")
    assert json.loads(answer)["total"]["accepted"] == 1 and "accepted" in table


def lists(reader):
    reader.serves()
    reader.has_phone("d-1", "u-42", tags=["vip"])
    reader.has_phone("d-2")
    reader.sends("news-1")
    reader.reports("d-2", "news-1", "shown")
    wanted = ("state=sending,paused", "/recipients?group=not_shown", "/resend", "state=quarantined", "devices/d-1/notifications",
              "carillon messages list")
    messages, recipients, resend, devices, got, terminal = (one("docs/lists.md", words) for words in wanted)
    assert json.loads(reader.plays(messages))["notifications"] == []
    assert [each["id"] for each in json.loads(reader.plays(got))["notifications"]] == ["news-1"]
    assert [each["device"] for each in json.loads(reader.plays(recipients))["recipients"]] == ["d-1"]
    assert json.loads(reader.plays(resend))["id"] == "news-1.2"
    assert json.loads(reader.plays(devices))["devices"] == []
    until("the copy", lambda: reader.report("news-1.2")["state"] == "sent")
    reader.reports("d-1", "news-1.2", "shown")
    assert "u-42" in reader.plays(terminal)


def live_activities(reader):
    [block], _ = parts("docs/live-activities.md")
    reader.serves()
    reader.has_phone("d-1", "u-42")
    printed = reader.plays(block)
    assert '"order-7"' in printed and "ended" in printed


def templates(reader):
    reader.serves()
    reader.has_phone("d-1", "u-42")
    store, render, versions = (one("docs/templates.md", words) for words in ("PUT", "templates render", "templates diff"))
    sent = json.loads(reader.plays(store).split("\n")[-1])
    until("the push", lambda: reader.report(sent["id"])["counts"].get("accepted") == 1)
    assert "Order 4711 is on its way" in json.dumps(reader.pushed("d-1"))
    assert "Bestellung 4711 ist unterwegs" in reader.plays(render)
    for number in (2, 3):
        call("PUT", f"{reader.url}/v1/templates/order-shipped", {"payload": {"aps": {"alert": f"Version {number}"}}}, reader.key)
    printed = reader.plays(versions)
    assert "Version 3" in printed and "Version 2" in printed


def widgets(reader):
    [block], _ = parts("docs/widgets.md")
    reader.serves()
    reader.has_phone("d-1", "u-42")
    assert [json.loads(line)["devices"] for line in reader.plays(block).split("\n")] == [1, 1]


def webhooks(reader):
    block = one("docs/webhooks.md", "carillon webhooks add")
    [request] = [block for block in parts("docs/webhooks.md")[1] if "webhook-signature" in block.text]
    reader.serves("--webhooks-to-private-networks")
    requests = []

    class Backend(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            requests.append((self.path, self.headers, json.loads(self.rfile.read(int(self.headers["content-length"])))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Backend) as backend:
        threading.Thread(target=backend.serve_forever, daemon=True).start()
        add, test = lines(block)
        added = reader.plays(block, add.replace("https://backend.example.com", f"http://127.0.0.1:{backend.server_port}"))
        reader.shell(re.sub(r"\b[0-9a-f]{16}\b", re.search(r"\b[0-9a-f]{16}\b", added).group(), test))
        backend.shutdown()
    [(path, headers, body)] = requests
    assert request.text.startswith(f"POST {path}\n") and list(body) == ["events"]
    for name in re.findall(r"^([a-z-]+): ", request.text, re.MULTILINE):
        assert headers[name], name


def sign_in_keys(reader):
    keys = [block for block in parts("docs/sign-in.md")[0] if block.language == "sh"]
    reader.serves()
    (reader.folder / "DIR").symlink_to("data")
    for block in keys:
        printed, shown = (json.loads(re.search(r"\{.*\}", text).group()) for text in (reader.plays(block), block.text))
        assert set(printed) == set(shown) and printed["alg"] == shown["alg"]


def rpush(reader):
    [table, send], _ = parts("docs/import/rpush.md")
    reader.serves()
    reader.has_phone("phone-1", "ada")
    rows = f"""
        Row = Struct.new(:token, :user_id)
        class Device
          def self.where(platform:) = new
          def find_each = yield(Row.new("{'8d0e' * 16}", "u-42"))
        end
    """
    assert reader.plays(table, rows + table.text) == f"token,user,environment\n{'8d0e' * 16},u-42,production"
    reader.plays(send)
    until("the push", lambda: len(call("GET", f"{reader.url}/v1/notifications", bearer=reader.key)["notifications"]) == 1)


def from_onesignal(reader):
    columns = ("id,identifier,session_count,language,timezone,game_version,device_os,device_type,device_model,tags,last_active,"
               "created_at,invalid_identifier,external_user_id,timezone_id")
    def row(token, kind, invalid):
        return (f"0b1c,{token},3,de,3600,2.1,17.5,{kind},iPhone,\"{{\"\"level\"\":\"\"3\"\"}}\",2026-11-01,2026-01-01,{invalid},"
                f"u-42,Europe/Vienna")
    rows = [columns, row("8d0e" * 16, 0, "f"), row("9d0e" * 16, 0, "t"), row("APA91b", 1, "f")]
    (reader.folder / "users.csv.gz").write_bytes(gzip.compress("\n".join(rows).encode()))
    assert "1 added" in files_of_others(reader, "docs/import/onesignal.md")
    device = json.loads((reader.folder / "devices.ndjson").read_text())
    assert device["tags"] == ["level:3"] and device["user"] == "u-42"


def from_pushwoosh(reader):
    rows = ["HWID,Push Token,User ID,Language", f"h-1,{'8d0e' * 16},u-42,de", f"h-2,{'9d0e' * 16},h-2,en", "h-3,APA91b,u-43,en"]
    (reader.folder / "export.csv").write_text("\n".join(rows) + "\n")
    printed = files_of_others(reader, "docs/import/pushwoosh.md")
    assert "2 added" in printed and "1 refused" in printed
    assert [json.loads(line).get("user") for line in (reader.folder / "devices.ndjson").read_text().split("\n") if line] == [
        "u-42", None, "u-43"]


def from_airship(reader):
    """Two pages of channels, as Airship's reference and its client have them: tokens in capitals, `null` where nothing is set."""
    def channel(token, kind="ios", **members):
        return {"channel_id": "9c36e8c7", "device_type": kind, "installed": True, "opt_in": True, "push_address": token,
                "named_user_id": None, "alias": None, "tags": [], "tag_groups": {}} | members
    groups = {"timezone": ["Europe/Vienna"], "ua_locale_language": ["de"], "ua_ios_app_version": ["2.1"]}
    first = [channel("8D0E" * 16, named_user_id="u-42", tags=["vip"], tag_groups=groups), channel("APA91b", "android")]
    second = [channel("9D0E" * 16, installed=False), channel(None), channel("AD0E" * 16)]
    asked = []

    class Airship(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.path, self.headers["Authorization"]))
            page = {"ok": True, "channels": second}
            if "start" not in self.path:
                page = {"ok": True, "channels": first, "next_page": f"http://127.0.0.1:{self.server.server_port}/api/channels?start=2"}
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(page).encode())

        def log_message(self, *_):
            pass

    reader.shell("carillon apps add --data ./data --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456 --topic com.example.chime")
    [block], _ = parts("docs/import/airship.md")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Airship) as airship:
        threading.Thread(target=airship.serve_forever, daemon=True).start()
        text = block.text.replace("https://go.urbanairship.com", f"http://127.0.0.1:{airship.server_port}")
        printed = reader.plays(block, "AIRSHIP_KEY=key AIRSHIP_SECRET=secret\n" + textwrap.dedent(text))
        airship.shutdown()
    assert [path for path, _ in asked] == ["/api/channels", "/api/channels?start=2"]
    assert {secret for _, secret in asked} == {"Basic a2V5OnNlY3JldA=="}
    assert "2 added" in printed and "0 refused" in printed, printed
    devices = [json.loads(line) for line in (reader.folder / "devices.ndjson").read_text().splitlines()]
    assert devices == [
        {"token": "8D0E" * 16, "user": "u-42", "tags": ["vip"], "time_zone": "Europe/Vienna", "locale": "de", "app_version": "2.1"},
        {"token": "AD0E" * 16, "tags": []}]


def simulator(reader):
    [_, strict, _, channels], _ = parts("docs/simulator.md")
    (reader.folder / "score.json").write_text('{"aps": {"timestamp": 1, "event": "update", "content-state": {}}}')
    printed = reader.plays(channels, channels.text.replace("com.example.app", "com.example.chime"))
    assert "accepted" in printed, printed
    reader.plays(strict, strict.text.replace("--directory apns", "--directory strict"))
    assert (reader.folder / "strict/AuthKey_OTHERKEY01.p8").exists()


def postgresql(reader):
    [create, serve, copy], _ = parts("docs/postgresql.md")
    if not shutil.which("createuser"):
        pytest.skip("PostgreSQL is not installed")
    reader.runs_postgresql()
    # The server's own role is called carillon, and a password is typed by hand.
    reader.plays(create, create.text.replace(" --pwprompt", "").replace("carillon", "owner"))
    address = f"postgres://owner@/owner?host={reader.database}"
    def here(block):
        return re.sub(r"postgres://carillon@db\.example\.com/carillon\?[\w=&-]+", address, block.text)
    reader.plays(serve, here(serve))
    reader.shell("createdb empty --owner owner")
    [sql] = parts("docs/capacity.md")[0]
    reader.plays(sql, f'psql --csv -c "{sql.text}" owner')
    reader.shell("carillon apps add --data ./data --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456 --topic com.example.app")
    address = address.replace("/owner?", "/empty?")
    assert "apps" in reader.plays(copy, here(copy))


def senders(reader):
    """The lines that connect a sender's library to the simulator, followed by a send."""
    known = f"""
import json, os, ssl, time
import aioapns, asyncio, httpx, jwt
about = json.load(open("apns/simulator.json"))
team_id, key_id, key_file = about["team_id"], about["key_id"], about["key"]
topic, device_token = "com.example.chime", about["device_tokens"][0]
"""
    ends = ["print(answer.status_code, answer.text)", """
async def send():
    request = aioapns.NotificationRequest(device_token=device_token, message={"aps": {"alert": "Hello"}}, push_type=aioapns.PushType.ALERT)
    print((await client.send_notification(request)).status)
asyncio.run(send())
"""]
    blocks = [block for block in parts("docs/senders/python.md")[0] if re.search("httpx|aioapns", block.text)]
    for block, end in zip(blocks, ends, strict=True):
        text = block.text.replace('"127.0.0.1", 2197', f'"localhost", {reader.apns["port"]}')
        if "create_task" not in text and "aioapns.APNs(" in text:
            # The client wants the loop in which it sends.
            text, end = "async def main():\n" + textwrap.indent(text + end.replace("asyncio.run(send())", "await send()"), "    "), "asyncio.run(main())"
        assert reader.plays(block, known + text + end).startswith("200"), block.place


def sender_of_node(reader):
    [block], _ = parts("docs/senders/node.md")
    known = """
const http2 = require("node:http2"), fs = require("node:fs"), { createSign } = require("node:crypto");
const about = JSON.parse(fs.readFileSync("apns/simulator.json"));
const topic = "com.example.chime", deviceToken = about.device_tokens[0];
const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const signed = `${part({ alg: "ES256", kid: about.key_id })}.${part({ iss: about.team_id, iat: Math.floor(Date.now() / 1000) })}`;
const key = { key: fs.readFileSync(about.key), dsaEncoding: "ieee-p1363" };
const token = `${signed}.${createSign("sha256").update(signed).sign(key, "base64url")}`;
"""
    end = """
stream.on("response", (headers) => { console.log(headers[":status"]); session.close(); });
stream.on("data", (data) => console.log(data.toString()));
stream.end('{"aps": {"alert": "Hello"}}');
"""
    assert reader.plays(block, known + block.text + end).startswith("200")


def wheel(reader):
    """The tests of the wheel's page, with the fixture that the wheel has and a sender on httpx."""
    [_, block], _ = parts("Packaging/wheel/README.md")
    shutil.copy(ROOT / "Examples/InYourTests/python/carillon_apns.py", reader.folder)
    (reader.folder / "conftest.py").write_text("from carillon_apns import apns\n")
    (reader.folder / "test_page.py").write_text("""
import json, ssl, time
import httpx, jwt

class my_sender:
    def __init__(self, host, port, ca, key, key_id, team_id):
        token = jwt.encode({"iss": team_id, "iat": int(time.time())}, open(key).read(), algorithm="ES256", headers={"kid": key_id})
        self.url, self.headers = f"https://{host}:{port}/3/device/", {"authorization": f"bearer {token}", "apns-push-type": "alert"}
        self.context = ssl.create_default_context(cafile=ca)

    def send(self, token, topic, payload):
        with httpx.Client(http1=False, http2=True, verify=self.context) as client:
            client.post(self.url + token, headers=self.headers | {"apns-topic": topic}, content=json.dumps(payload))

""" + block.text)
    reader.played.append(block)
    printed = reader.shell(f"CARILLON='{CARILLON}' '{sys.executable}' -m pytest -p no:cacheprovider -q test_page.py")
    assert "2 passed" in printed, printed


def npm(reader):
    """The lines of the npm package's page, with its module and a sender on node:http2."""
    [block], _ = parts("Packaging/npm/README.md")
    package = reader.folder / "node_modules/carillon-apns-simulator"
    package.mkdir(parents=True)
    shutil.copy(ROOT / "Examples/InYourTests/node/carillon-apns.mjs", package)
    (package / "package.json").write_text('{"name": "carillon-apns-simulator", "type": "module", "exports": "./carillon-apns.mjs"}')
    sender = """
import http2 from "node:http2"
import { readFileSync } from "node:fs"
import { createSign } from "node:crypto"
process.env.CARILLON = process.env.REAL
const mySender = ({ url, ca, key, keyId, teamId }) => ({
  send: (token) => new Promise((resolve, reject) => {
    const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const signed = `${part({ alg: "ES256", kid: keyId })}.${part({ iss: teamId, iat: Math.floor(Date.now() / 1000) })}`
    const signature = createSign("sha256").update(signed).sign({ key: readFileSync(key), dsaEncoding: "ieee-p1363" }, "base64url")
    const session = http2.connect(url, { ca: readFileSync(ca) })
    const stream = session.request({ ":method": "POST", ":path": `/3/device/${token}`, "apns-topic": "com.example.app",
      "apns-push-type": "alert", authorization: `bearer ${signed}.${signature}` })
    stream.on("response", (headers) => { console.log(headers[":status"]); session.close(); resolve() })
    stream.on("error", reject)
    stream.end('{"aps": {"alert": "Hello"}}')
  }) })
"""
    assert reader.plays(block, sender + block.text) == "200"


def recall(reader):
    delete, notice = [block for block in parts("Sources/CarillonApp/CarillonApp.docc/RecallANotification.md")[0]]
    reader.serves()
    reader.has_phone("d-1", "u-42")
    for block in (delete, notice):
        reader.sends(f"news-42")
        call("POST", f"{reader.url}/v1/notifications", {"id": "news-42", "to": {"everyone": True}, "payload": {"aps": {"alert": "2"}}}, reader.key)
        assert '"recall"' in reader.plays(block, block.text.replace("$API_KEY", "$KEY"))


def own_machine(reader):
    [serve], _ = parts("Sources/CarillonApp/CarillonApp.docc/AServiceOnYourOwnMachine.md")
    reader.plays(serve)


def containers(reader):
    """With stand-ins for docker and kubectl, which look at what they are given; Tests/HostIt runs what the containers run."""
    build, secrets, up, cluster = parts("docs/host-it-in-containers.md")[0]
    shutil.copytree(ROOT / "Packaging", reader.folder / "Packaging")
    inside = 'shift; set -- "${@/--database-file/--data}"; exec "$REAL" "${@/*database-url/$PLACE/data}"'
    reader.has_command("make", f"exec /usr/bin/make -C '{ROOT}' --dry-run \"$@\" >/dev/null")
    reader.has_command("chown", '[ "$*" = "-R 10001:10001 secrets" ]')
    reader.has_command("docker", f"""
case "$1 $2" in
"build --tag") [ -f "$5" ] && grep -q "image: $3\\$" Packaging/compose/compose.yaml ;;
"compose up") for file in compose.yaml Caddyfile .env secrets/database-url; do [ -f "$file" ] || exit 1; done ;;
"compose exec") grep -q "^  $3:" compose.yaml; shift 3; {inside} ;;
*) exit 1 ;;
esac
""")
    reader.has_command("kubectl", f"""
case "$*" in
"create namespace carillon") ;;
*" create secret generic carillon "*) for word in "${{@:7}}"; do [ -f "${{word#--from-file=}}" ] || exit 1; done ;;
"apply --kustomize "*) [ -f "$3/kustomization.yaml" ] ;;
*" rollout status deployment/"*) grep -q "name: ${{5#deployment/}}" Packaging/kubernetes/*.yaml ;;
*" exec deployment/carillon-api -- carillon "*) shift 5; {inside} ;;
*) echo "kubectl $*"; exit 1 ;;
esac
""")
    reader.serves()
    reader.plays(build)
    reader.plays(secrets)
    made = reader.folder / "Packaging/compose/secrets"
    assert {file.name for file in made.iterdir()} == {"database-password", "database-url", "sign-in-secret", "AuthKey_ABC123DEFG.p8"}
    assert all(file.stat().st_mode & 0o777 == 0o400 for file in made.iterdir())
    password = (made / "database-password").read_text()
    assert len(password) == 48 and (made / "database-url").read_text() == f"postgres://carillon:{password}@database/carillon"
    assert reader.plays(up, "cd Packaging/compose\n" + up.text).startswith("ck_")
    known = "KEY=AuthKey_ABC123DEFG.p8; cp Packaging/compose/secrets/[ds]* .\n"
    assert reader.plays(cluster, known + cluster.text).startswith("ck_")


def cloud(reader):
    """What is typed on the machine, with another database; the clouds' own commands are in unplayed.json."""
    machine = one("docs/host-it-in-the-cloud.md", "database-url")
    if not shutil.which("createuser"):
        pytest.skip("PostgreSQL is not installed")
    reader.runs_postgresql()
    reader.shell("createuser owner && createdb owner --owner owner --encoding UTF8 --template template0")
    settings = reader.folder / "etc"
    settings.mkdir()
    shutil.copy(ROOT / "Packaging/deb/carillon.yaml", settings)
    reader.has_command("runuser", '[ "$1 $2 $3" = "-u carillon --" ] && shift 3 && exec "$@"')
    reader.has_command("install", '[ "$1 $2" = "--owner carillon" ] && shift 2 && exec /usr/bin/install "$@"')
    text = machine.text.replace("/etc/carillon/", f"{settings}/")
    text = text.replace("postgres://carillon:%s@%s/carillon?%s", "postgres://owner:%s@/owner?host=%s&%s")
    ours = f"TOPIC=com.example.app TEAM=TEAM123456 KEY=AuthKey_ABC123DEFG.p8 TLS=sslmode=disable PASSWORD=secret HOST={reader.database}"
    shutil.copy(reader.folder / "apns/AuthKey_ABC123DEFG.p8", settings)
    assert "com.example.app" in reader.plays(machine, re.sub(r"^TLS=.*", ours, text))
    kept = (settings / "carillon.yaml").read_text()
    assert f"\ndatabase-file: {settings}/database-url\nsign-in-secret: {settings}/sign-in-secret\n" in kept and "\ndata:" not in kept
    assert (settings / "database-url").read_text() == f"postgres://owner:secret@/owner?host={reader.database}&sslmode=disable"
    assert len((settings / "sign-in-secret").read_text().strip()) == 64
    assert all((settings / name).stat().st_mode & 0o777 == 0o400 for name in ("database-url", "sign-in-secret"))


PLAYS = {
    "docs/host-it-in-the-cloud.md": cloud,
    "docs/host-it-in-containers.md": containers,
    "README.md": readme, "docs/doors.md": doors, "docs/events.md": events, "docs/figures.md": figures, "docs/import.md": imported,
    "docs/import/firebase.md": from_firebase, "docs/import/infobip.md": from_infobip, "docs/import/rpush.md": rpush,
    "docs/lists.md": lists, "docs/live-activities.md": live_activities, "docs/sending.md": sending, "docs/sign-in.md": sign_in_keys,
    "docs/templates.md": templates,
    "docs/import/airship.md": from_airship, "docs/webhooks.md": webhooks, "docs/widgets.md": widgets, "docs/import/onesignal.md": from_onesignal,
    "docs/import/pushwoosh.md": from_pushwoosh, "docs/simulator.md": simulator, "docs/postgresql.md": postgresql,
    "Packaging/wheel/README.md": wheel, "Packaging/npm/README.md": npm, "docs/senders/python.md": senders, "docs/senders/node.md": sender_of_node,
    "Sources/CarillonApp/CarillonApp.docc/RecallANotification.md": recall,
    "Sources/CarillonApp/CarillonApp.docc/AServiceOnYourOwnMachine.md": own_machine,
}
# Pages whose blocks another page's reader runs too.
PLAYED_WITH = {"docs/capacity.md": "docs/postgresql.md"}


@pytest.mark.parametrize("page", PLAYS)
def test_what_a_page_tells_its_reader_to_run_works(reader, page):
    PLAYS[page](reader)
    wanted = [block for each in (page, *(each for each, other in PLAYED_WITH.items() if other == page)) for block in parts(each)[0]]
    if page == "README.md":
        wanted = [block for block in wanted if block.language not in REQUEST_LANGUAGES]
    left = [block for block in wanted if block.place not in {played.place for played in reader.played}]
    assert [block.place for block in left] == [block.place for block in unplayed(left)], f"{page} has blocks that nobody runs"


def test_a_body_of_a_send_is_taken(reader):
    bodies(reader)


def test_the_one_page_s_send_is_taken_and_its_words_are_those_of_the_service(reader):
    page = Page(ROOT / "docs/one-page.md")
    block = page.blocks[0]
    first, _, body = block.text.partition("\n")
    method, path, status, answer = re.fullmatch(r"(\w+) (\S+) +(\d+) (\{.*\})", first).groups()
    # What a line says of its member follows after spaces.
    body = json.loads(reader.prepared(re.sub(r"(?m)^( *\S.*?) {2,}[^\s\"{}].*$", r"\1", body)))
    reader.serves()
    reader.has_phone("phone-1", "u-42")
    reader.has_phone("phone-2", "u-42")
    assert body["dry_run"] is True
    dry = call(method, f"{reader.url}{path}", body, reader.key)
    assert dry["dry_run"] is True and dry["devices"] == 2
    del body["dry_run"]
    sent = call(method, f"{reader.url}{path}", body, reader.key)
    assert status == "202" and sent | {"state": "accepted"} == json.loads(answer)

    document = call("GET", f"{reader.url}/openapi.json")
    states = re.search(r"States of a message: ([^.]*)\.", page.text).group(1)
    assert set(re.findall(r"`(\w+)`", states)) == set(document["components"]["schemas"]["MessageState"]["enum"])
    problem = call_refused(f"{reader.url}{path}?anything=1", reader.key)
    assert {"type", "title", "detail"} <= set(problem) and problem["status"] == 400
    simulator = re.search(r"`DIR/simulator.json` says ([^.]*)\.", page.text).group(1)
    assert set(re.findall(r"`(\w+)`", simulator)) <= set(reader.apns)


def call_refused(url, key):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {key}"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    assert refused.value.headers["Content-Type"].startswith("application/problem+json")
    return json.loads(refused.value.read())
