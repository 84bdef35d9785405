import CarillonCore

/// The description of the call that reloads widgets and controls, and of their tokens.
enum OpenAPIWidgets {
    static let paths = #"""
        {
          "/v1/widgets": {"post": {
            "summary": "Reload widgets or controls", "security": [{"backend": []}],
            "description": "Scope send. A push to each token of the audience; what waits already is one push with it. docs/widgets.md.",
            "parameters": [{"$ref": "#/components/parameters/topic"}, {"$ref": "#/components/parameters/idempotencyKey"}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/WidgetReload"}}}},
            "responses": {
              "202": {"description": "On disk.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/WidgetReloadReport"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }}
        }
        """#

    static let schemas = #"""
        {
          "WidgetReload": {
            "type": "object", "required": ["to"], "additionalProperties": false,
            "properties": {
              "to": {"$ref": "#/components/schemas/Audience", "description": "Users, devices, a condition or everyone."}, "topic": {"type": "string"},
              "controls": {"type": "array", "minItems": 1, "maxItems": \#(WidgetToken.limit), "description": "The kinds of the controls to reload; without it, all widgets of the app are reloaded.", "items": {"type": "string", "minLength": 1, "maxLength": \#(WidgetToken.kindByteLimit)}},
              "until": {"$ref": "#/components/schemas/GivenMoment", "description": "After it nothing is sent; in 24 hours without it, in 30 days at most."}
            }
          },
          "WidgetReloadReport": {
            "type": "object", "required": ["devices", "tokens", "finished"],
            "properties": {
              "devices": {"type": "integer", "description": "The devices of the audience, with and without widgets."},
              "tokens": {"type": "integer", "description": "The tokens that are asked to reload so far."},
              "finished": {"type": "boolean", "description": "False while the rest of very many devices follows in steps."},
              "reason": {"enum": [\#(NobodyReason.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]}
            }
          },
          "WidgetTokens": {
            "type": "array", "maxItems": \#(WidgetToken.limit), "description": "All tokens for widgets and controls; they take the place of earlier ones.",
            "items": {
              "type": "object", "required": ["token"],
              "properties": {
                "control": {"type": "string", "minLength": 1, "maxLength": \#(WidgetToken.kindByteLimit), "description": "The kind of the control that the token reloads; absent for the token of all widgets."},
                "token": {"$ref": "#/components/schemas/Token"}
              }
            }
          }
        }
        """#
}
