"""The Python client's types and calls."""

import keyword
import re

from .model import comment

HEAD = '"""{} Made by scripts/clients.py: do not change it by hand."""\n\nfrom __future__ import annotations\n\n'


def spelled(type, quoted=False):
    match type.kind:
        case "string" | "moment":
            return "str"
        case "given_moment":
            return "str | float"
        case "integer":
            return "int"
        case "number":
            return "float"
        case "boolean":
            return "bool"
        case "list":
            return f"list[{spelled(type.of)}]"
        case "map":
            return f"dict[str, {spelled(type.of)}]"
        case "enum":
            return type.name or f"Literal[{', '.join(map(repr, type.values))}]".replace("'", '"')
        case "object":
            return type.name
        case "none":
            return "None"
    return "Any"


def argument(name):
    return name + "_" if keyword.iskeyword(name) else name


def types(model):
    out = [HEAD.format("The objects of the API."), "from typing import Any, Literal, NotRequired, TypedDict\n"]
    for name, (values, text) in model.enums.items():
        out.append("\n" + comment(text, "# ") + f"{name} = Literal[\n" + "".join(f'    "{each}",\n' for each in values) + "]\n")
    for struct in model.structs.values():
        names = [each.name for each in struct.members]
        is_plain = all(each.isidentifier() and not keyword.iskeyword(each) for each in names)
        out.append("\n\n" if is_plain else "\n\n" + comment(struct.text, "# "))
        out.append(f"class {struct.name}(TypedDict):\n" if is_plain else f'{struct.name} = TypedDict("{struct.name}", {{\n')
        text = struct.text + (" It has exactly one of these members." if struct.is_choice else "")
        if is_plain and text.strip():
            out.append(comment(text, "    ", first='    """').rstrip("\n") + '"""\n\n')
        for member in struct.members:
            kind = spelled(member.type)
            kind = kind if member.is_required else f"NotRequired[{kind}]"
            kind = kind if is_plain else kind.replace('"', "'")
            out.append(comment(member.text, "    #: "))
            out.append(f"    {member.name}: {kind}\n" if is_plain else f'    "{member.name}": "{kind}",\n')
        out.append("" if is_plain else "})\n")
    return "".join(out)


def signature(call):
    before = (["id: str"] if call.has_id else [])
    if call.body:
        before.append(f"body: {spelled(call.body)}" + ("" if call.needs_body else " | None = None"))
    after = [f"{argument(each.name)}: {spelled(each.type)} | None = None" for each in call.query]
    after += ["idempotency_key: str | None = None"] if call.is_keyed else []
    after += ["if_match: str | None = None"] if call.takes_if_match else []
    return ["self", *before, *(["*", *after] if after else [])]


def docs(call):
    text = [comment(call.text, "        ", first='        """').rstrip("\n")]
    named = [each for each in call.query if each.text]
    if named:
        text.append("\n")
    for each in named:
        text.append("\n" + comment(f"- {argument(each.name)}: {each.text}", "        ").rstrip("\n"))
    text.append('\n        """\n' if named else '"""\n')
    return "".join(text)


def request(call):
    path = '"' + call.path + '"' if not call.has_id else 'f"' + call.path.replace("{id}", "{encoded(id)}") + '"'
    parts = [f'"{call.method}"', path]
    if call.query:
        parts.append("query={" + ", ".join(f'"{each.name}": {argument(each.name)}' for each in call.query) + "}")
    if call.body:
        sets = "".join(f', "{name}": {value!r}' for name, value in call.sets.items())
        parts.append("body={**body" + sets + "}" if sets else "body=body")
    parts += ["is_keyed=True, idempotency_key=idempotency_key"] if call.is_keyed else []
    parts += ["if_match=if_match"] if call.takes_if_match else []
    parts += ["may_repeat=False"] if call.is_once else []
    parts += ["takes_topic=False"] if not call.takes_topic else []
    line = f"self.request({', '.join(parts)}).body"
    return line if len(line) < 112 else f"self.request(\n            {', '.join(parts)}).body"


def method(call):
    def define(name, result):
        line = f"    def {name}({', '.join(signature(call))}) -> {result}:\n"
        if len(line) > 130:
            line = f"    def {name}(\n{comment(', '.join(signature(call)), ' ' * 8)}    ) -> {result}:\n"
        return "\n" + line

    if not call.page:
        get = f'["{call.unwrap}"]' if call.unwrap else ""
        verb = "" if call.result.kind == "none" else "return "
        return define(call.name, spelled(call.result)) + docs(call) + f"        {verb}{request(call)}{get}\n"
    given = ", ".join((["id"] if call.has_id else []) + [f"{argument(each.name)}={argument(each.name)}" for each in call.query if each.name != "after"])
    return (
        define(call.name, f"Iterator[{spelled(call.entry)}]") + docs(call)
        + f"        while True:\n            page = self.{call.name}_page({given + ', ' if given else ''}after=after)\n"
        + f'            yield from page["{call.page}"]\n'
        + '            if (after := page.get("next")) is None:\n                return\n'
        + define(call.name + "_page", spelled(call.result)) + f'        """One page of `{call.name}`."""\n'
        + f"        return {request(call)}\n")


def calls(model):
    body = "".join(map(method, model.calls))
    signatures = " ".join(re.findall(r"    def .*?:\n", body, re.DOTALL))
    names = sorted((set(model.structs) | set(model.enums)) & set(re.findall(r"\w+", signatures)))
    return (
        HEAD.format("The calls of the API.")
        + "from collections.abc import Iterator\nfrom typing import Any, Literal\nfrom urllib.parse import quote\n\n"
        + "from .types import (\n" + "".join(f"    {name},\n" for name in names) + ")\n\n\n"
        + "def encoded(id: str) -> str:\n"
        + '    """A part of a path."""\n'
        + '    if id in ("", ".", ".."):\n        raise ValueError("an id has at least one character, and is not . or ..")\n'
        + '    return quote(id, safe="")\n\n\n'
        + 'class Calls:\n    """The calls of a backend, by name. The scope that a call needs stands in its description."""\n\n'
        + "    def request(self, *arguments: Any, **options: Any) -> Any:\n        raise NotImplementedError\n"
        + body)


def files(model):
    return {"python/carillon/types.py": types(model), "python/carillon/calls.py": calls(model)}
