"""The TypeScript client's types and calls."""

from .model import camel, comment, pascal

HEAD = "// {} Made by scripts/clients.py: do not change it by hand.\n\n"


def spelled(type):
    match type.kind:
        case "string" | "moment" | "boolean":
            return {"moment": "string"}.get(type.kind, type.kind)
        case "given_moment":
            return "string | number"
        case "integer" | "number":
            return "number"
        case "list":
            inner = spelled(type.of)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case "map":
            return f"Record<string, {spelled(type.of)}>"
        case "enum":
            return type.name or open_union(type.values)
        case "object":
            return type.name
        case "none":
            return "void"
    return "unknown"


def open_union(values):
    """The values that are known today, and any other: a later service may have more."""
    return " | ".join(f"'{each}'" for each in values) + " | (string & {})"


def key(name):
    return name if name.isidentifier() else f"'{name}'"


def doc(text, indent=""):
    text = text.replace("*/", "* /")
    lines = comment(text, indent + " * ")
    if not lines:
        return ""
    if lines.count("\n") == 1 and len(lines) < 110:
        return f"{indent}/** {lines.strip()[2:]} */\n"
    return f"{indent}/**\n{lines}{indent} */\n"


def types(model):
    out = [HEAD.format("The objects of the API.")]
    for name, (values, text) in model.enums.items():
        out.append(doc(text) + f"export type {name} =\n" + "".join(f"  | '{each}'\n" for each in values) + "  | (string & {});\n\n")
    for struct in model.structs.values():
        text = struct.text + (" It has exactly one of these members." if struct.is_choice else "")
        out.append(doc(text) + f"export interface {struct.name} {{\n")
        for member in struct.members:
            mark = "" if member.is_required else "?"
            out.append(doc(member.text, "  ") + f"  {key(member.name)}{mark}: {spelled(member.type)};\n")
        out.append("}\n\n")
    for call in model.calls:
        if call.query:
            out.append(f"/** What `{camel(call.name)}` can be asked for. */\nexport interface {pascal(call.name)}Query {{\n")
            for member in call.query:
                out.append(doc(member.text, "  ") + f"  {key(member.name)}?: {spelled(member.type)};\n")
            out.append("}\n\n")
    return "".join(out).rstrip("\n") + "\n"


def parameters(call):
    out = ["id: string"] if call.has_id else []
    if call.body:
        out.append(f"body: {spelled(call.body)}" if call.needs_body else f"body?: {spelled(call.body)}")
    if call.query:
        out.append(f"query: {pascal(call.name)}Query = {{}}")
    return [*out, "options: CallOptions = {}"]


def request(call, query="query"):
    path = "`" + call.path.replace("{id}", "${encoded(id)}") + "`" if call.has_id else f"'{call.path}'"
    parts = ["...options"]
    if call.query:
        parts.append("query" if query == "query" else f"query: {query}")
    if call.body:
        sets = "".join(f", {name}: {str(value).lower()}" for name, value in call.sets.items())
        parts.append("body: {...body" + sets + "}" if sets else "body")
    parts += ["isKeyed: true"] if call.is_keyed else []
    parts += ["mayRepeat: false"] if call.is_once else []
    parts += ["takesTopic: false"] if not call.takes_topic else []
    return f"this.request('{call.method}', {path}, {{{', '.join(parts)}}})"


def method(call):
    name = camel(call.name)
    if not call.page:
        get = f"(await {request(call)}).body"
        get = f"({get} as {{{call.unwrap}: {spelled(call.result)}}}).{call.unwrap}" if call.unwrap else f"{get} as {spelled(call.result)}"
        verb = f"await {request(call)}" if call.result.kind == "none" else "return " + get
        return (doc(call.text, "  ") + f"  async {name}({', '.join(parameters(call))}): Promise<{spelled(call.result)}> {{\n"
                f"    {verb};\n  }}\n\n")
    given = ("id, " if call.has_id else "") + "{...query, after}"
    return (
        doc(call.text, "  ")
        + f"  async *{name}({', '.join(parameters(call))}): AsyncGenerator<{spelled(call.entry)}, void, undefined> {{\n"
        + "    let after = query.after;\n    do {\n"
        + f"      const page: {spelled(call.result)} = await this.{name}Page({given}, options);\n"
        + f"      yield* page.{call.page};\n      after = page.next;\n    }} while (after !== undefined);\n  }}\n\n"
        + f"  /** One page of `{name}`. */\n"
        + f"  async {name}Page({', '.join(parameters(call))}): Promise<{spelled(call.result)}> {{\n"
        + f"    return (await {request(call)}).body as {spelled(call.result)};\n  }}\n\n")


def calls(model):
    body = "".join(map(method, model.calls)).rstrip("\n") + "\n"
    known = [*model.structs, *model.enums, *(pascal(call.name) + "Query" for call in model.calls if call.query)]
    import re
    words = set(re.findall(r"\w+", re.sub(r"/\*\*.*?\*/", "", body, flags=re.S)))
    names = "".join(f"  {name},\n" for name in sorted(known) if name in words)
    return (
        HEAD.format("The calls of the API.") + "import type {\n" + names + "} from './types.js';\n\n"
        + """/** What a single call can be given. */
export interface CallOptions {
  /** Makes two calls one, also those of two processes. Without it, each call has a key of its own where the API takes one. */
  idempotencyKey?: string;
  /** The ETag of the settings that are changed: 412 if they have another meanwhile. Such a call is never repeated. */
  ifMatch?: string;
  /** Ends the call, and its waits. */
  signal?: AbortSignal;
  /** Milliseconds for one attempt, until its answer is complete. */
  timeout?: number;
}

/** A call of any kind, as `request` takes it. */
export interface RequestOptions extends CallOptions {
  /** Members that are undefined are left out; a list is sent with commas. */
  query?: object;
  /** A value that is sent as JSON. */
  body?: unknown;
  /** Bytes, a text or a file that are sent as they are, in the place of a body. */
  content?: string | Uint8Array | Blob;
  /** Of the content; application/json by default. */
  contentType?: string;
  /** Whether each attempt has the same Idempotency-Key. The default is false. */
  isKeyed?: boolean;
  /** Whether the call may be made again although it may have been made. The default is true. */
  mayRepeat?: boolean;
  /** Whether the client's topic goes into the query: calls that do not name it refuse it. The default is true. */
  takesTopic?: boolean;
}

/** An answer with a status of 2xx. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** A part of a path. */
export function encoded(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError('an id has at least one character, and is not . or ..');
  return encodeURIComponent(id);
}

/** The calls of a backend, by name. The scope that a call needs stands in its description. */
export abstract class Calls {
  abstract request(method: string, path: string, options?: RequestOptions): Promise<Answer>;

""" + body + "}\n")


def files(model):
    return {"typescript/src/types.ts": types(model), "typescript/src/calls.ts": calls(model)}
