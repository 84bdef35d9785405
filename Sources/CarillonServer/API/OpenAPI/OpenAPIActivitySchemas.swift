import CarillonCore

/// The schemas of the calls about Live Activities.
enum OpenAPIActivitySchemas {
    static let activities = #"""
        {
          "LiveActivityAlert": {
            "type": "object", "description": "Apple's alert of a Live Activity, with a title or a body.",
            "anyOf": [{"required": ["title"]}, {"required": ["body"]}]
          },
          "LiveActivityStart": {
            "type": "object", "required": ["id", "to", "attributes-type", "attributes", "content-state", "alert"], "additionalProperties": false,
            "properties": {
              "id": {"$ref": "#/components/schemas/MessageID"},
              "to": {"$ref": "#/components/schemas/Audience", "description": "Users, devices, a condition or everyone."},
              "attributes-type": {"type": "string", "minLength": 1, "maxLength": \#(LiveActivityToken.typeByteLimit), "description": "The name of the app's type, such as MatchAttributes."},
              "attributes": {"type": "object", "description": "One of the members has the id as its value."},
              "content-state": {"type": "object"}, "alert": {"$ref": "#/components/schemas/LiveActivityAlert"},
              "stale-date": {"$ref": "#/components/schemas/GivenMoment"}, "relevance-score": {"type": "number"},
              "topic": {"type": "string"}
            }
          },
          "LiveActivityUpdate": {
            "type": "object", "required": ["content-state"], "additionalProperties": false,
            "properties": {
              "content-state": {"type": "object"}, "alert": {"$ref": "#/components/schemas/LiveActivityAlert"},
              "stale-date": {"$ref": "#/components/schemas/GivenMoment"}, "relevance-score": {"type": "number"},
              "priority": {"enum": [5, 10], "default": 10, "description": "10 arrives at once and costs the phone's budget; 5 does not."}
            }
          },
          "LiveActivityEnd": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "content-state": {"type": "object"}, "alert": {"$ref": "#/components/schemas/LiveActivityAlert"},
              "dismissal-date": {"$ref": "#/components/schemas/GivenMoment"}, "relevance-score": {"type": "number"}
            }
          },
          "LiveActivity": {
            "type": "object", "required": ["id", "state", "attributes-type", "revision", "started_at", "changed_at", "content-state", "devices", "phones", "receipts"],
            "properties": {
              "id": {"$ref": "#/components/schemas/MessageID"},
              "state": {"enum": [\#(LiveActivityReport.State.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]},
              "attributes-type": {"type": "string"}, "revision": {"type": "integer", "minimum": 1},
              "started_at": {"$ref": "#/components/schemas/Moment"}, "changed_at": {"$ref": "#/components/schemas/Moment"}, "ended_at": {"$ref": "#/components/schemas/Moment"},
              "content-state": {"type": "object"}, "devices": {"type": "integer"},
              "phones": {"type": "object", "additionalProperties": false, "properties": {
                \#(ActivityPhoneState.allCases.map { "\"\($0.rawValue)\": {\"type\": \"integer\", \"minimum\": 1}" }.joined(separator: ", "))
              }},
              "receipts": {"type": "object", "additionalProperties": false, "description": "The phones that have reported each event; for updated, those that have shown the newest state.", "properties": {
                \#(LiveActivityReceipt.Event.allCases.map { "\"\($0.rawValue)\": {\"type\": \"integer\", \"minimum\": 1}" }.joined(separator: ", "))
              }},
              "channels": {"type": "array", "items": {"type": "object", "required": ["environment", "state"], "properties": {
                "environment": {"enum": ["production", "sandbox"]},
                "state": {"enum": [\#(LiveActivityReport.ChannelState.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]},
                "problem": {"type": "string"}
              }}},
              "reason": {"enum": [\#(NobodyReason.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]}
            }
          },
          "LiveActivityTimeline": {
            "type": "object", "required": ["id", "timestamp", "phones"],
            "properties": {
              "id": {"$ref": "#/components/schemas/MessageID"}, "timestamp": {"type": "integer", "description": "Of the newest state."},
              "phones": {"type": "array", "items": {"type": "object", "required": ["device", "state", "events"], "properties": {
                "device": {"type": "string"},
                "state": {"enum": [\#(ActivityPhoneState.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]},
                "events": {"type": "array", "items": {"type": "object", "required": ["event", "at"], "properties": {
                  "event": {"enum": [\#(ActivityEventKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]},
                  "at": {"$ref": "#/components/schemas/Moment"}, "timestamp": {"type": "integer"}, "detail": {"type": "string"}
                }}}
              }}},
              "next": {"type": "string"}
            }
          },
          "LiveActivityReceipts": {
            "type": "object", "required": ["receipts"],
            "properties": {"receipts": {"type": "array", "maxItems": \#(LiveActivityReceipt.limit), "items": {
              "type": "object", "required": ["type", "id", "event", "at"],
              "properties": {
                "type": {"type": "string", "minLength": 1, "maxLength": \#(LiveActivityToken.typeByteLimit)},
                "id": {"$ref": "#/components/schemas/MessageID"},
                "event": {"enum": [\#(LiveActivityReceipt.Event.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]},
                "at": {"oneOf": [{"$ref": "#/components/schemas/Moment"}, {"type": "integer", "description": "Milliseconds since 1970."}]},
                "timestamp": {"type": "integer", "description": "Of the content, for updated and undecodable."},
                "detail": {"type": "string", "maxLength": \#(LiveActivityReceipt.detailByteLimit)}
              }
            }}}
          },
          "LiveActivityStates": {
            "type": "object", "required": ["live_activities"],
            "properties": {"live_activities": {"type": "array", "items": {
              "type": "object", "required": ["type", "id", "timestamp", "attributes", "content-state"],
              "properties": {
                "type": {"type": "string"}, "id": {"$ref": "#/components/schemas/MessageID"}, "timestamp": {"type": "integer"},
                "attributes": {"type": "object"}, "content-state": {"type": "object"}
              }
            }}}
          },
          "LiveActivityTokens": {
            "type": "array", "maxItems": \#(LiveActivityToken.limit), "description": "All tokens for Live Activities; they take the place of earlier ones.",
            "items": {
              "type": "object", "required": ["type", "token"],
              "properties": {
                "type": {"type": "string", "minLength": 1, "maxLength": \#(LiveActivityToken.typeByteLimit)},
                "id": {"$ref": "#/components/schemas/MessageID", "description": "The Live Activity that the token updates; absent for a push-to-start token."},
                "token": {"$ref": "#/components/schemas/Token"}
              }
            }
          }
        }
        """#
}
