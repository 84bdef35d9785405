"""What the client libraries have, in no language: the calls of a backend, and the types that they take and return."""

import json
import re
import textwrap
from dataclasses import dataclass, field

# Each call of a backend by its name. A body's members that a call sets itself are left out of it.
#   page=MEMBER      a list in pages: the call has the entries of that member of all pages, and NAME_page one page
#   unwrap=MEMBER    the call returns that member of the answer
#   text             what it does, where the document speaks of another call of this path
#   once             a repetition may do something twice, so it is never made unasked
CALLS = {
    "send": ("POST /v1/notifications", {"result": "Sent"}),
    "dry_run": ("POST /v1/notifications", {"result": "DryRun", "sets": {"dry_run": True}, "unkeyed": True,
        "text": "What a send would do. Scope send. All of it is checked, and nothing is stored or sent."}),
    "report": ("GET /v1/notifications/{id}", {}),
    "messages": ("GET /v1/notifications", {"page": "notifications"}),
    "recipients": ("GET /v1/notifications/{id}/recipients", {"page": "recipients"}),
    "timeline": ("GET /v1/notifications/{id}/timeline", {"page": "devices"}),
    "recall": ("POST /v1/notifications/{id}/recall", {}),
    "pause": ("POST /v1/notifications/{id}/pause", {}),
    "resume": ("POST /v1/notifications/{id}/resume", {}),
    "cancel": ("POST /v1/notifications/{id}/cancel", {}),
    "resend": ("POST /v1/notifications/{id}/resend", {}),
    "count_audience": ("POST /v1/audiences/count", {"unwrap": "devices"}),
    "devices": ("GET /v1/devices", {"page": "devices"}),
    "device": ("GET /v1/devices/{id}", {}),
    "device_messages": ("GET /v1/devices/{id}/notifications", {"page": "notifications"}),
    "delete_device": ("DELETE /v1/devices/{id}", {}),
    "sign_out_device": ("DELETE /v1/devices/{id}/user", {}),
    "user": ("GET /v1/users/{id}", {}),
    "user_devices": ("GET /v1/users/{id}/devices", {"unwrap": "devices"}),
    "sign_out_user": ("POST /v1/users/{id}/sign-out", {"unwrap": "devices"}),
    "mark_read": ("POST /v1/users/{id}/read", {}),
    "erase_user": ("DELETE /v1/users/{id}", {}),
    "app": ("GET /v1/app", {}),
    "change_app": ("PATCH /v1/app", {}),
    "events": ("GET /v1/events", {}),
    "figures": ("GET /v1/figures", {}),
    "campaigns": ("GET /v1/figures/campaigns", {"page": "campaigns"}),
    "start_live_activity": ("POST /v1/live-activities", {}),
    "live_activity": ("GET /v1/live-activities/{id}", {}),
    "update_live_activity": ("PATCH /v1/live-activities/{id}", {}),
    "end_live_activity": ("POST /v1/live-activities/{id}/end", {}),
    "live_activity_timeline": ("GET /v1/live-activities/{id}/timeline", {"page": "phones"}),
    "reload_widgets": ("POST /v1/widgets", {}),
    "templates": ("GET /v1/templates", {"page": "templates"}),
    "template": ("GET /v1/templates/{name}", {}),
    "store_template": ("PUT /v1/templates/{name}", {}),
    "delete_template": ("DELETE /v1/templates/{name}", {}),
    "template_versions": ("GET /v1/templates/{name}/versions", {"unwrap": "versions"}),
    "revert_template": ("POST /v1/templates/{name}/revert", {}),
    "render_template": ("POST /v1/templates/{name}/render", {}),
    "webhooks": ("GET /v1/webhooks", {"unwrap": "webhooks"}),
    "add_webhook": ("POST /v1/webhooks", {}),
    "webhook": ("GET /v1/webhooks/{id}", {}),
    "change_webhook": ("PATCH /v1/webhooks/{id}", {}),
    "delete_webhook": ("DELETE /v1/webhooks/{id}", {}),
    "rotate_webhook": ("POST /v1/webhooks/{id}/rotate", {}),
    "replay_webhook": ("POST /v1/webhooks/{id}/replay", {}),
    "test_webhook": ("POST /v1/webhooks/{id}/test", {"once": True, "unkeyed": True}),
}
# The documented calls that have no method made from the table, and why.
WITHOUT = {
    "POST /v1/devices/import": "written by hand: it takes a file",
    "DELETE /v1/notifications/{id}": "recall does it",
    "DELETE /v1/live-activities/{id}": "end_live_activity does it",
    **dict.fromkeys(["GET /healthz", "GET /livez", "GET /readyz", "GET /metrics", "GET /openapi.json"], "for operators"),
}
# The names of objects that the document describes in their place; `map` for one of free members.
NAMES = {
    "MessageList.notifications": "ListedMessage", "RecipientList.recipients": "Recipient", "UserData.messages": "UserMessage",
    "UserMessage.devices": "UserMessageDevice", "Timeline.devices": "DeviceTimeline", "Recall.devices": "RecalledDevice",
    "RecallRequest.notice": "Notice", "ImportReport.refusals": "Refusal", "DryRun.variants": "Variant",
    "Webhook.last_failure": "WebhookFailure", "FigureReport.days": "DayFigures", "CampaignFigures.campaigns": "CampaignTotal",
    "LiveActivity.channels": "LiveActivityChannel", "LiveActivityTimeline.phones": "LiveActivityPhone",
    "LiveActivityPhone.events": "LiveActivityPhoneEvent", "DeviceMessages.notifications": "DeviceMessage",
    "NewTemplate.payload": "map", "Template.message": "map", "Rendered.payload": "map", "FeedEvent.details": "EventDetails", "Send.payload": "map",
}
# Types that no call names: the report of an import, and the body of a webhook's request.
FURTHER = ["ImportReport"]


def load(raw):
    return json.loads(raw)


@dataclass(frozen=True)
class Type:
    """kind: string, moment, given_moment, integer, number, boolean, any, map, list, object, enum, none."""

    kind: str
    of: "Type | None" = None
    name: str = ""
    values: tuple = ()


STRING, INTEGER, NUMBER, BOOLEAN, ANY, NONE = map(Type, ["string", "integer", "number", "boolean", "any", "none"])
MOMENT, GIVEN, FREE = Type("moment"), Type("given_moment"), Type("map", ANY)


@dataclass
class Member:
    name: str
    type: Type
    is_required: bool
    text: str = ""


@dataclass
class Struct:
    name: str
    members: list
    text: str = ""
    is_sent: bool = False
    # Of an object that has exactly one of several members, such as an audience.
    is_choice: bool = False


@dataclass
class Call:
    name: str
    method: str
    path: str
    text: str
    result: Type
    has_id: bool = False
    query: list = field(default_factory=list)
    body: Type | None = None
    needs_body: bool = False
    is_keyed: bool = False
    takes_if_match: bool = False
    page: str | None = None
    entry: Type | None = None
    unwrap: str | None = None
    is_once: bool = False
    takes_topic: bool = True
    sets: dict = field(default_factory=dict)


class Model:
    def __init__(self, document):
        self.schemas = document["components"]["schemas"]
        self.document = document
        self.structs = {}
        self.enums = {}
        self.choices = {}
        known = {f"{method.upper()} {path}" for path, each in document["paths"].items() for method in each}
        mine = {place for place, _ in CALLS.values()}
        if missing := (mine | set(WITHOUT)) - known:
            raise SystemExit(f"the document has no call {sorted(missing)}: take it out of the table")
        left = {each for each in known - mine - set(WITHOUT) if {"backend": []} in self.operation(each).get("security", [])}
        if left:
            raise SystemExit(f"{sorted(left)} of the document has no name in CALLS, nor a reason in WITHOUT")
        self.calls = [self.call(name, place, options) for name, (place, options) in CALLS.items()]
        for name in FURTHER:
            self.type({"$ref": f"#/components/schemas/{name}"}, name)
        self.structs = dict(sorted(self.structs.items()))
        self.enums = dict(sorted(self.enums.items()))
        for call in self.calls:
            if call.body:
                self.mark_sent(call.body)

    def operation(self, place):
        method, path = place.split(" ", 1)
        return self.document["paths"][path][method.lower()]

    def call(self, name, place, options):
        method, path = place.split(" ", 1)
        operation = self.operation(place)
        path = path.replace("{name}", "{id}")  # a template's id is its name
        parameters = [self.resolved(each) for each in operation.get("parameters", [])]
        headers = {each["name"] for each in parameters if each["in"] == "header"}
        query = [self.parameter(each) for each in parameters if each["in"] == "query" and each["name"] != "topic"]
        body = operation.get("requestBody")
        text = options.get("text") or operation["summary"].rstrip(".") + ". " + operation.get("description", "")
        call = Call(
            name, method, path, text.strip(), self.result(name, operation, options), has_id="{id}" in path, query=query,
            is_keyed="Idempotency-Key" in headers and not options.get("unkeyed"), takes_if_match="If-Match" in headers,
            unwrap=options.get("unwrap"), is_once=options.get("once", False),
            takes_topic=any(each["name"] == "topic" for each in parameters), sets=options.get("sets", {}))
        if body:
            call.body = self.type(body["content"]["application/json"]["schema"], name)
            call.needs_body = body.get("required", False)
        if page := options.get("page"):
            call.page = page
            [member] = [each for each in self.structs[call.result.name].members if each.name == page]
            call.entry = member.type.of
        return call

    def resolved(self, value):
        while "$ref" in value:
            *_, kind, name = value["$ref"].split("/")
            value = self.document["components"][kind][name]
        return value

    def parameter(self, parameter):
        text = parameter.get("description", "")
        kind = self.type(parameter["schema"], parameter["name"])
        if "with commas between them" in text:
            kind = Type("list", STRING)
        return Member(parameter["name"], kind, False, text)

    def result(self, name, operation, options):
        for status, answer in sorted(operation["responses"].items()):
            answer = self.resolved(answer)
            content = answer.get("content", {}).get("application/json")
            if not status.startswith("2"):
                continue
            if content is None:
                return NONE
            schema = content["schema"]
            if options.get("result") and not schema.get("$ref", "").endswith("/" + options["result"]):
                continue
            if member := options.get("unwrap"):
                return self.type(self.resolved(schema)["properties"][member], name)
            return self.type(schema, name)
        raise SystemExit(f"{name} has no answer that is read")

    def type(self, schema, context):
        """The type of a schema; `context` is where it stands, as in `Parent.member`."""
        if "$ref" in schema:
            return self.named(schema["$ref"].rsplit("/", 1)[1])
        if "anyOf" in schema and "type" not in schema:
            kinds = [each for each in schema["anyOf"] if each != {"type": "null"}]
            types = {self.type(each, context) for each in kinds}
            if len(types) > 1 and any(each.kind == "object" for each in types):
                self.choices[context] = types
                return ANY
            return next(iter(types)) if len(types) == 1 else GIVEN if GIVEN in types else STRING
        if "allOf" in schema:
            return self.object(NAMES[context], schema)
        if "oneOf" in schema:
            return ANY
        if "enum" in schema:
            return Type("enum", values=tuple(schema["enum"]))
        if "const" in schema:
            return BOOLEAN if schema["const"] is True else INTEGER if schema["const"] == 0 else STRING
        return self.plain(schema, context)

    def plain(self, schema, context):
        kind = schema.get("type")
        if isinstance(kind, list):
            return ANY
        if kind == "array":
            return Type("list", self.type(schema["items"], context))
        if kind != "object":
            return {"string": STRING, "integer": INTEGER, "number": NUMBER, "boolean": BOOLEAN}.get(kind, ANY)
        members = schema.get("properties", {})
        if NAMES.get(context) == "map" or (not members and not isinstance(schema.get("additionalProperties"), dict)):
            return FREE
        if not members:
            return Type("map", self.type(schema["additionalProperties"], context))
        if "required" not in schema and all(each.get("type") == "integer" for each in members.values()):
            return Type("map", INTEGER)  # counts by states, of which there may be more one day
        if context not in NAMES:
            raise SystemExit(f"the object at {context} has no name in NAMES")
        return self.object(NAMES[context], schema)

    def named(self, name):
        schema = self.schemas[name]
        if name in ("Moment", "GivenMoment"):
            return MOMENT if name == "Moment" else GIVEN
        if "enum" in schema:
            self.enums[name] = (schema["enum"], schema.get("description", ""))
            return Type("enum", name=name, values=tuple(schema["enum"]))
        is_object = "properties" in schema or "properties" in schema.get("oneOf", [{}])[0]
        return self.object(name, schema) if is_object else self.type(schema, name)

    def object(self, name, schema):
        if name not in self.structs:
            self.structs[name] = struct = Struct(name, [], schema.get("description", ""), is_choice="oneOf" in schema)
            parts = schema.get("allOf") or schema.get("oneOf") or [schema]
            for part in map(self.resolved, parts):
                required = part.get("required", [])
                for member, value in part.get("properties", {}).items():
                    is_required = member in required and not struct.is_choice
                    text = value.get("description", "") or next(
                        (each["description"] for each in value.get("anyOf", []) if "description" in each), "")
                    struct.members.append(Member(member, self.type(value, f"{name}.{member}"), is_required, text))
            sets = {key for call in CALLS.values() for key in call[1].get("sets", {})}
            if name == "Send":
                struct.members = [each for each in struct.members if each.name not in sets]
            struct.members.sort(key=lambda each: (not each.is_required, each.name))
        return Type("object", name=name)

    def mark_sent(self, type):
        while type.kind in ("list", "map"):
            type = type.of
        if type.kind == "object" and not self.structs[type.name].is_sent:
            self.structs[type.name].is_sent = True
            for member in self.structs[type.name].members:
                for each in (member.type, *self.choices.get(f"{type.name}.{member.name}", ())):
                    self.mark_sent(each)


def comment(text, prefix, width=128, first=None):
    """Lines of a comment, each with the prefix."""
    text = re.sub(r"\s+", " ", text).strip()
    lines = textwrap.wrap(text, width - len(prefix), break_long_words=False, break_on_hyphens=False)
    return "".join(f"{prefix if index or first is None else first}{line}\n" for index, line in enumerate(lines))


def camel(name):
    head, *rest = re.split(r"[_-]", name)
    return head + "".join(each.capitalize() for each in rest)


def pascal(name):
    return "".join(each[:1].upper() + each[1:] for each in re.split(r"[_-]", name))
