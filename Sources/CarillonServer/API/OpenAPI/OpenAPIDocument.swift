import CarillonCore
import NIOCore

/// The OpenAPI description of the API, written by hand.
///
/// A test compares the description with the routes.
enum OpenAPIDocument {
    /// The encoded document, which is made once, because anybody may ask for it.
    static let encoded = Result { ByteBuffer(bytes: try CarillonJSON.encode(try json())) }

    /// Returns the OpenAPI document.
    ///
    /// - Throws: an error only if the embedded text is invalid; a test parses that text.
    static func json() throws -> JSONValue {
        let paths = try united([
            OpenAPIPaths.backend, OpenAPIPaths.steering, OpenAPIPaths.activities, OpenAPIWidgets.paths,
            OpenAPIPaths.feed, OpenAPITemplates.paths,
            OpenAPIWebhookPaths.webhooks, OpenAPIFigures.paths, OpenAPIPaths.app, statusPaths,
        ])
        var document = try JSONValue(parsing: head).objectValue ?? [:]
        document["paths"] = .object(paths)
        var components = try members(components)
        var schemas = try united([
            OpenAPISchemas.messages, OpenAPISchemas.devices, OpenAPIActivitySchemas.activities, OpenAPIWidgets.schemas,
            OpenAPISchemas.feed, OpenAPITemplates.schemas,
            OpenAPIWebhookSchemas.webhooks, OpenAPIFigures.schemas,
        ])
        for name in bodies { schemas[name] = schemas[name].map(allowingNull) }
        components["schemas"] = .object(schemas)
        document["components"] = .object(components)
        return .object(document)
    }

    /// Returns the names of the parameters that the query of each route may have, by method and path as in `GET /v1/app`.
    ///
    /// - Throws: an error only if the embedded text is invalid; a test parses that text.
    static func queryParameters() throws -> [String: [String]] {
        let document = try json()
        var routes: [String: [String]] = [:]
        for (path, operations) in document["paths"]?.members ?? [:] {
            for (method, operation) in operations.members ?? [:] {
                let declared = (operation["parameters"]?.arrayValue ?? []).map { parameter in
                    parameter["$ref"]?.stringValue?.split(separator: "/").last
                        .flatMap { document["components"]?["parameters"]?[String($0)] } ?? parameter
                }
                routes["\(method.uppercased()) \(path)"] =
                    declared.filter { $0["in"] == "query" }.compactMap { $0["name"]?.stringValue }.sorted()
            }
        }
        return routes
    }

    /// The names of the schemas of request bodies, in which an optional member may also be null.
    ///
    /// A null member counts as absent.
    private static let bodies = [
        "Send", "LocalizedText", "Count", "RecallRequest", "Registration", "DeviceChange", "Receipts", "AppChange",
        "ImportRecord", "LiveActivityStart", "LiveActivityUpdate", "LiveActivityEnd", "NewWebhook", "WebhookChange",
        "WebhookReplay", "LiveActivityTokens", "LiveActivityReceipts", "ResendRequest", "WidgetReload", "WidgetTokens",
        "NewTemplate", "TemplateRevert", "TemplateRender",
    ]

    private static func allowingNull(_ schema: JSONValue) -> JSONValue {
        guard case .object(var schema) = schema else { return schema }
        schema["items"] = schema["items"].map(allowingNull)
        guard let properties = schema["properties"]?.objectValue else { return .object(schema) }
        let required = Set((schema["required"]?.arrayValue ?? []).compactMap(\.stringValue))
        let changed = properties.map { name, property in
            let property = allowingNull(property)
            return (name, required.contains(name) ? property : ["anyOf": [property, ["type": "null"]]])
        }
        schema["properties"] = .object(Dictionary(uniqueKeysWithValues: changed))
        return .object(schema)
    }

    /// A name that two parts of the document describe.
    private struct DoubledName: Error {
        let name: String
    }

    /// Returns the members of all parts.
    ///
    /// - Throws: ``DoubledName`` if two parts have a member of one name, which would otherwise hide one of them.
    private static func united(_ parts: [String]) throws -> [String: JSONValue] {
        var all: [String: JSONValue] = [:]
        for part in parts {
            for (name, member) in try members(part) {
                guard all.updateValue(member, forKey: name) == nil else { throw DoubledName(name: name) }
            }
        }
        return all
    }

    private static func members(_ text: String) throws -> [String: JSONValue] {
        try JSONValue(parsing: text).objectValue ?? [:]
    }

    private static let head = #"""
        {
          "openapi": "3.1.0",
          "info": {
            "title": "Carillon", "version": "1",
            "description": "A push service that can take a message back and says what became of it. Errors are application/problem+json: what was wrong, where, and what to do. Unknown members of a backend's body are refused; an app's are ignored. In both, null is as good as absent. A parameter of the query that a call does not name, or that is given twice, is refused with 400. No text may have the character NUL."
          }
        }
        """#

    private static let components = #"""
        {
          "securitySchemes": {
            "backend": {"type": "http", "scheme": "bearer", "description": "An API key with the scope that the call names."},
            "installation": {"type": "http", "scheme": "bearer", "description": "<installation>:<secret>, as registered."}
          },
          "parameters": {
            "message": {"name": "id", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/MessageID"}},
            "device": {"name": "id", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/MessageID"}},
            "topic": {"name": "topic", "in": "query", "schema": {"type": "string"}, "description": "The app's bundle id; needed where the API key is for several apps."},
            "limit": {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": \#(ServiceLimits.mostEntriesPerPage), "default": \#(ServiceLimits.entriesPerPage)}, "description": "The greatest number of entries on the page."},
            "after": {"name": "after", "in": "query", "schema": {"type": "string", "minLength": 1, "maxLength": 64}, "description": "The `next` of the page before."},
            "idempotencyKey": {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string", "minLength": 1, "maxLength": \#(ServiceLimits.idempotencyKeyBytes)}, "description": "The same call with the same key is made once."},
            "sequence": {"name": "\#(SyncAnswer.sequenceHeader)", "in": "header", "schema": {"type": "integer", "minimum": 0, "maximum": \#(SyncAnswer.greatestSequence)}, "description": "A number that increases from request to request of an installation. One that is less than that of an earlier request changes nothing: the network has brought it late."},
            "ifMatch": {"name": "If-Match", "in": "header", "schema": {"type": "string"}, "description": "The ETag of the state that is changed; 412 if it has another meanwhile."},
            "from": {"name": "from", "in": "query", "schema": {"$ref": "#/components/schemas/Day"}, "description": "The first day; without it, \#(ServiceLimits.figureDays) days are told. At most \#(StoreLimits.figureDaysKept) days."},
            "to": {"name": "to", "in": "query", "schema": {"$ref": "#/components/schemas/Day"}, "description": "The last day; today without it."},
            "template": {"name": "name", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/TemplateName"}},
            "webhook": {"name": "id", "in": "path", "required": true, "schema": {"type": "string", "pattern": "^[0-9a-f]{16}$"}},
            "user": {"name": "id", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/User"}}
          },
          "responses": {
            "Problem": {
              "description": "What was wrong, where, and what to do.",
              "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
            },
            "Sync": {
              "description": "What the installation must know to be in step.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Sync"}}}
            },
            "Webhook": {
              "description": "As it is now.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Webhook"}}}
            },
            "Template": {
              "description": "As it is now, with the version as its ETag.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Template"}}}
            },
            "Registered": {
              "description": "Known to the service.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Registered"}}}
            }
          }
        }
        """#

    private static let statusPaths = #"""
        {
          "/healthz": {"get": {
            "summary": "Whether this process works", "security": [],
            "responses": {
              "200": {"description": "It does; `degraded` when an app's credential is refused or deliveries are set aside.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}},
              "503": {"description": "The store does not answer, or cannot be written.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}}
            }
          }},
          "/livez": {"get": {
            "summary": "Whether this process answers at all", "security": [],
            "responses": {"200": {"description": "It does.", "content": {"application/json": {"schema": {"type": "object", "required": ["status"], "properties": {"status": {"const": "live"}}}}}}}
          }},
          "/readyz": {"get": {
            "summary": "Whether this process can serve calls now", "security": [],
            "responses": {
              "200": {"description": "It can.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Readiness"}}}},
              "503": {"description": "It waits for what `waits_for` names.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Readiness"}}}}
            }
          }},
          "/metrics": {"get": {
            "summary": "Metrics for Prometheus", "security": [],
            "responses": {"200": {"description": "Text format 0.0.4.", "content": {"text/plain": {"schema": {"type": "string"}}}}}
          }},
          "/openapi.json": {"get": {
            "summary": "This document", "security": [],
            "responses": {"200": {"description": "OpenAPI 3.1.", "content": {"application/json": {"schema": {"type": "object"}}}}}
          }}
        }
        """#
}
