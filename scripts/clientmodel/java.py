"""The Java client's types and calls."""

from .model import camel, comment, pascal

HEAD = "// Made by scripts/clients.py: do not change it by hand.\npackage dev.carillon;\n\n"


def spelled(type):
    match type.kind:
        case "string" | "enum":
            return "String"
        case "moment":
            return "Instant"
        case "integer":
            return "Long"
        case "number":
            return "Double"
        case "boolean":
            return "Boolean"
        case "list":
            return f"List<{spelled(type.of)}>"
        case "map":
            return f"Map<String, {spelled(type.of)}>"
        case "object":
            return type.name
        case "none":
            return "void"
    return "Object"


def bare(type, is_required):
    return {"Long": "long", "Double": "double", "Boolean": "boolean"}.get(spelled(type), spelled(type)) if is_required else spelled(type)


def reader(type, name="value"):
    """A function that makes the value from parsed JSON. `name` is that of its argument: those of nested functions differ."""
    match type.kind:
        case "string" | "enum":
            return "JsonObject::asText"
        case "moment":
            return "JsonObject::asInstant"
        case "integer":
            return "JsonObject::asLong"
        case "number":
            return "JsonObject::asDouble"
        case "boolean":
            return "JsonObject::asBoolean"
        case "list":
            return f"{name} -> asList({name}, {reader(type.of, name + 's')})"
        case "map":
            return f"{name} -> asMap({name}, {reader(type.of, name + 's')})"
        case "object":
            return type.name + "::new"
    return f"{name} -> {name}"


def doc(text, indent):
    text = text.replace("*/", "* /").replace("&", "&amp;").replace("<", "&lt;").replace("@", "&#64;").replace("{{", "{ {")
    lines = comment(text, indent + " * ")
    if not lines:
        return ""
    if lines.count("\n") == 1 and len(lines) < 110:
        return f"{indent}/** {lines.strip()[2:]} */\n"
    return f"{indent}/**\n{lines}{indent} */\n"


def described(member):
    text = member.text
    if not member.is_required:
        text += " Null if it is absent."
    return text.strip()


def setter(owner, member, kind):
    text = member.text
    if member.type.kind == "given_moment":
        text += " An Instant, a text of RFC 3339, or seconds since 1970."
    if member.name == "users":
        text = "A list of users, or a map from each to the values of the texts' variables."
    return (doc(text.strip(), "        ") + f"        public {owner} {camel(member.name)}(final {kind} value) {{\n"
            f'            set("{member.name}", value);\n            return this;\n        }}\n\n')


def struct(each):
    out = [doc(each.text + (" It has exactly one of these members." if each.is_choice else ""), "    ")]
    out.append(f"    public static final class {each.name} extends JsonObject {{\n")
    if each.is_sent:
        out.append(f"        public {each.name}() {{}}\n\n")
    out.append(f"        public {each.name}(final Object value) {{\n            super(value);\n        }}\n\n")
    for member in each.members:
        out.append(doc(described(member), "        ") + f"        public {bare(member.type, member.is_required)} {camel(member.name)}() {{\n"
                   f'            return get("{member.name}", {reader(member.type)});\n        }}\n\n')
        if each.is_sent:
            out.append(setter(each.name, member, spelled(member.type)))
    return "".join(out).rstrip("\n") + "\n    }\n\n"


def query(call):
    name = pascal(call.name) + "Query"
    out = [f"    /** What {{@link Calls#{camel(call.name)}}} can be asked for. */\n    public static final class {name} extends JsonObject {{\n"]
    out.append(f"        public {name}() {{}}\n\n        {name}(final {name} other) {{\n            super(other.members());\n        }}\n\n")
    for member in call.query:
        out.append(setter(name, member, spelled(member.type)))
    return "".join(out).rstrip("\n") + "\n    }\n\n"


def types(model):
    return (
        HEAD + "import java.time.Instant;\nimport java.util.List;\nimport java.util.Map;\n\n"
        + "/** The objects of the API. Members that this client does not know yet are in {@link JsonObject#members}. */\n"
        + "public final class Types {\n    private Types() {}\n\n"
        + ("".join(map(struct, model.structs.values())) + "".join(query(call) for call in model.calls if call.query)).rstrip("\n") + "\n}\n")


def parameters(call):
    out = ["final String id"] if call.has_id else []
    if call.body:
        out.append(f"final {spelled(call.body)} body")
    if call.query:
        out.append(f"final {pascal(call.name)}Query query")
    return ", ".join(out)


def request(call):
    if call.has_id:
        head, tail = call.path.split("{id}")
        path = f'"{head}" + Request.encoded(id)' + (f' + "{tail}"' if tail else "")
    else:
        path = f'"{call.path}"'
    out = f'new Request("{call.method}", {path})'
    out += ".query(query)" if call.query else ""
    for name, value in call.sets.items():
        out += f'.body(body.with("{name}", {str(value).lower()}))'
    out += ".body(body)" if call.body and not call.sets else ""
    out += ".keyed()" if call.is_keyed else ""
    out += ".once()" if call.is_once else ""
    out += "" if call.takes_topic else ".withoutTopic()"
    return f"request({out}).body()"


def shorter(call, result):
    """The overload without what may be left out."""
    name, given = camel(call.name), ["final String id"] if call.has_id else []
    passed = ["id"] if call.has_id else []
    if call.body and call.needs_body:
        return ""
    if call.body:
        passed.append("null")
    elif call.query:
        passed.append(f"new {pascal(call.name)}Query()")
    else:
        return ""
    return (f"    /** As below, with nothing that may be left out. */\n    public {result} {name}({', '.join(given)}) {{\n"
            f"        return {name}({', '.join(passed)});\n    }}\n\n")


def method(call):
    name = camel(call.name)
    if call.page:
        entry, page = spelled(call.entry), spelled(call.result)
        given = ("id, " if call.has_id else "") + "next"
        return (
            shorter(call, f"Pages<{entry}>") + doc(call.text, "    ") + f"    public Pages<{entry}> {name}({parameters(call)}) {{\n"
            f"        return new Pages<>(after -> {{\n"
            f"            final {pascal(call.name)}Query next = new {pascal(call.name)}Query(query);\n"
            f"            if (after != null) next.after(after);\n"
            f"            final {page} page = {name}Page({given});\n"
            f"            return new Pages.Page<>(page.{camel(call.page)}(), page.next());\n        }});\n    }}\n\n"
            f"    /** One page of {{@link #{name}}}. */\n    public {page} {name}Page({parameters(call)}) {{\n"
            f"        return new {page}({request(call)});\n    }}\n\n")
    if call.result.kind == "none":
        return doc(call.text, "    ") + f"    public void {name}({parameters(call)}) {{\n        {request(call)[:-7]};\n    }}\n\n"
    result = bare(call.result, True)
    value = request(call)
    if call.unwrap:
        read = {"list": f"JsonObject.asList(Request.member({value}, \"{call.unwrap}\"), {call.result.of and spelled(call.result.of)}::new)"}
        text = read.get(call.result.kind, f'JsonObject.asLong(Request.member({value}, "{call.unwrap}"))')
    else:
        text = f"new {result}({value})"
    return shorter(call, result) + doc(call.text, "    ") + f"    public {result} {name}({parameters(call)}) {{\n        return {text};\n    }}\n\n"


def calls(model):
    body = "".join(map(method, model.calls)).rstrip("\n")
    return (
        HEAD + "import dev.carillon.Types.*;\nimport java.util.List;\n\n"
        + "/** The calls of a backend, by name. The scope that a call needs stands in its description. */\n"
        + "public abstract class Calls {\n"
        + "    /** Makes any call of the API. */\n    public abstract Answer request(Request request);\n\n" + body + "\n}\n")


def files(model):
    folder = "java/src/dev/carillon/"
    return {folder + "Types.java": types(model), folder + "Calls.java": calls(model)}
