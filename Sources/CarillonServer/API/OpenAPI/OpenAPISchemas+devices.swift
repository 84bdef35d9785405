import CarillonCore

extension OpenAPISchemas {
    /// The members of the OpenAPI schema `DeviceFacts`, for registrations and changes.
    private static let deviceFacts = #"""
        "permission": {"$ref": "#/components/schemas/Permission"},
        "locale": \#(label), "time_zone": \#(label), "app_version": \#(label),
        "tags": {"$ref": "#/components/schemas/Tags"}
        """#

    private static let label = #"{"type": "string", "maxLength": \#(StoreLimits.labelBytes)}"#

    /// The OpenAPI schemas of devices, of users, and of the service itself.
    static let devices = #"""
        {
          "Read": {"oneOf": [
            {"type": "object", "required": ["messages"], "additionalProperties": false, "properties": {"messages": {"type": "array", "minItems": 1, "maxItems": \#(ServiceLimits.messagesPerPage), "items": {"$ref": "#/components/schemas/MessageID"}}}},
            {"type": "object", "required": ["up_to"], "additionalProperties": false, "properties": {"up_to": {"$ref": "#/components/schemas/GivenMoment"}}}
          ]},
          "ReadAnswer": {"type": "object", "required": ["marked", "unread"], "properties": {"marked": {"type": "integer"}, "unread": {"type": "integer"}}},
          "ImportRecord": {
            "type": "object", "required": ["token"], "additionalProperties": false,
            "properties": {
              "token": {"$ref": "#/components/schemas/Token"}, "topic": {"type": "string"}, "environment": {"$ref": "#/components/schemas/Environment"},
              "user": {"$ref": "#/components/schemas/User"}, "tags": {"$ref": "#/components/schemas/Tags"},
              "locale": \#(label), "time_zone": \#(label), "app_version": \#(label)
            }
          },
          "ImportReport": {
            "type": "object", "required": ["records", "added", "updated", "unchanged", "kept", "refused", "line", "refusals"],
            "properties": {
              "records": {"type": "integer"}, "added": {"type": "integer"}, "updated": {"type": "integer"}, "unchanged": {"type": "integer"},
              "kept": {"type": "integer", "description": "Tokens of registered installations, of which nothing was changed."},
              "refused": {"type": "integer"}, "line": {"type": "integer", "description": "The last line that was dealt with."},
              "refusals": {"type": "array", "maxItems": \#(ServiceLimits.listedRefusals), "items": {
                "type": "object", "required": ["line", "reason"], "properties": {"line": {"type": "integer"}, "reason": {"type": "string"}}
              }}
            }
          },
          "App": {
            "type": "object", "required": ["topic", "requires_sign_in"],
            "properties": {"topic": {"type": "string"}, "requires_sign_in": {"type": "boolean"}, "sends_per_second": {"type": "integer", "minimum": 1, "description": "Absent without a limit."}}
          },
          "AppChange": {
            "type": "object", "additionalProperties": false,
            "properties": {"sends_per_second": {"type": "integer", "minimum": 0, "maximum": \#(ServiceLimits.sendsPerSecond), "description": "Pushes that go out in a second, from all processes together; 0 for no limit."}}
          },
          "Environment": {"enum": ["production", "sandbox"]},
          "Permission": {"enum": ["not-determined", "denied", "authorized", "provisional", "ephemeral"]},
          "Token": {"type": "string", "pattern": "^([0-9a-fA-F]{2}){1,\#(DeviceToken.byteLimit)}$"},
          "Tags": {"type": "array", "maxItems": \#(ServiceLimits.tagsPerDevice), "items": {"type": "string", "minLength": 1, "maxLength": \#(StoreLimits.labelBytes)}},
          "Registration": {
            "type": "object", "required": ["installation", "secret", "topic", "environment", "token", "permission"],
            "properties": {
              "installation": {"$ref": "#/components/schemas/MessageID"},
              "secret": {"type": "string", "pattern": "^([0-9a-fA-F]{2}){\#(ServiceLimits.secretCharacters.lowerBound / 2),\#(ServiceLimits.secretCharacters.upperBound / 2)}$"}, "topic": {"type": "string"},
              "environment": {"$ref": "#/components/schemas/Environment"}, "token": {"$ref": "#/components/schemas/Token"},
              "sign_in_token": {"type": "string", "description": "A JWT (HS256 or ES256) with sub, aud (the topic), iat and exp, at most ten minutes apart, signed by the customer's backend; kid names the app's key."},
              "live_activities": {"$ref": "#/components/schemas/LiveActivityTokens"},
              "widgets": {"$ref": "#/components/schemas/WidgetTokens"},
              \#(deviceFacts)
            }
          },
          "DeviceChange": {
            "type": "object",
            "properties": {
              "token": {"$ref": "#/components/schemas/Token"}, "environment": {"$ref": "#/components/schemas/Environment"},
              "sign_in_token": {"type": "string"},
              "live_activities": {"$ref": "#/components/schemas/LiveActivityTokens"},
              "widgets": {"$ref": "#/components/schemas/WidgetTokens"},
              \#(deviceFacts)
            }
          },
          "Registered": {
            "type": "object", "required": ["device", "sync"],
            "properties": {
              "device": {"type": "string"}, "user": {"type": "string"}, "sync": {"$ref": "#/components/schemas/Sync"},
              "awaits_token": {"type": "boolean", "description": "True while another installation holds the token: a nonce is on its way by push."}
            }
          },
          "DeviceList": {
            "type": "object", "required": ["devices"],
            "properties": {"devices": {"type": "array", "items": {"$ref": "#/components/schemas/Device"}}, "next": {"type": "string"}}
          },
          "Device": {
            "type": "object", "required": ["installation", "topic", "environment", "state", "token_registered_at", "seen_at", "permission"],
            "properties": {
              "installation": {"type": "string"}, "topic": {"type": "string"}, "user": {"type": "string"},
              "environment": {"$ref": "#/components/schemas/Environment"},
              "state": {"enum": ["active", "unregistered", "quarantined", "superseded", "awaiting-token"]},
              "confirmed_at": {"$ref": "#/components/schemas/Moment"}, "token_registered_at": {"$ref": "#/components/schemas/Moment"},
              "seen_at": {"$ref": "#/components/schemas/Moment"},
              \#(deviceFacts)
            }
          },
          "Erased": {
            "type": "object", "required": ["user", "erased_at", "devices", "messages", "inbox", "deliveries", "remaining", "copies"],
            "properties": {
              "user": {"$ref": "#/components/schemas/User"}, "erased_at": {"$ref": "#/components/schemas/Moment"},
              "devices": {"type": "integer"}, "messages": {"type": "integer"}, "inbox": {"type": "integer"},
              "deliveries": {"type": "integer"}, "remaining": {"const": 0},
              "copies": {"type": "array", "items": {"type": "string"}},
              "deleted_devices": {"type": "integer", "description": "With ?devices=true."}
            }
          },
          "Sync": {
            "type": "object", "required": ["now", "removals"],
            "properties": {
              "now": {"$ref": "#/components/schemas/Moment"}, "unread": {"type": "integer"},
              "sequence": {"type": "integer", "description": "The number of a newer request, if this one has come too late and has changed nothing."},
              "token_end": {"type": "string", "description": "The last eight digits of the device token to which this installation's pushes go. Where they are another phone's, register as a new installation.", "pattern": "^[0-9a-f]{2,8}$"},
              "removals": {"type": "array", "maxItems": \#(StoreLimits.removalsPerSync), "items": {
                "type": "string", "description": "id, id:revision or id:revision:reason; reason is recall, read, sign-out, replaced or expired.",
                "pattern": "^[A-Za-z0-9._-]{1,64}(:[0-9]+(:[a-z-]+)?)?$"}}
            }
          },
          "Receipts": {
            "type": "object", "required": ["receipts"],
            "properties": {"receipts": {"type": "array", "maxItems": \#(ServiceLimits.receiptsPerBatch), "items": {
              "type": "object", "required": ["id", "message", "event", "at"],
              "properties": {
                "id": {"$ref": "#/components/schemas/MessageID"}, "message": {"$ref": "#/components/schemas/MessageID"},
                "event": {"enum": ["received", "shown", "opened", "acted", "dismissed", "expired", "recalled"]},
                "at": {"oneOf": [{"$ref": "#/components/schemas/Moment"}, {"type": "integer", "description": "Milliseconds since 1970."}]}, "detail": {"type": "string", "maxLength": \#(ServiceLimits.receiptDetailBytes), "description": "Control characters are left out."},
                "revision": {"type": "integer"},
                "reply": {"type": "string", "maxLength": \#(ServiceLimits.replyBytes), "description": "Kept only where the message asks for it. Control characters other than tabs and line breaks are left out."}
              }
            }}}
          },
          "Inbox": {
            "type": "object", "required": ["messages", "unread"],
            "properties": {
              "unread": {"type": "integer"}, "next": {"type": "string"},
              "messages": {"type": "array", "maxItems": \#(ServiceLimits.messagesPerPage), "items": {
                "type": "object", "required": ["id", "accepted_at", "payload"],
                "properties": {
                  "id": {"$ref": "#/components/schemas/MessageID"}, "accepted_at": {"$ref": "#/components/schemas/Moment"},
                  "until": {"$ref": "#/components/schemas/Moment"}, "read_at": {"$ref": "#/components/schemas/Moment"},
                  "payload": {"type": "object"}, "revision": {"type": "integer", "minimum": 1}
                }
              }}
            }
          },
          "Health": {
            "type": "object", "required": ["status", "roles", "alarms", "warnings"],
            "properties": {
              "status": {"enum": ["ok", "degraded", "down"]}, "reason": {"type": "string", "description": "Why the status is `down`."}, "roles": {"type": "array", "items": {"enum": ["api", "sender"]}},
              "alarms": {"type": "array", "items": {"type": "object", "properties": {
                "app": {"type": "string"}, "reason": {"type": "string"}, "since": {"$ref": "#/components/schemas/Moment"}, "advice": {"type": "string"}
              }}},
              "warnings": {"type": "array", "description": "Certificates of apps and listeners that end within 30 days, or have ended, and new credentials that APNs refuses while the old one is used (without `ends`).", "items": {"type": "object", "properties": {
                "app": {"type": "string"}, "listener": {"enum": ["port", "operator-port"]}, "ends": {"$ref": "#/components/schemas/Moment"}, "advice": {"type": "string"}
              }}}
            }
          },
          "Readiness": {
            "type": "object", "required": ["status", "waits_for"],
            "properties": {
              "status": {"enum": ["ready", "waiting"]},
              "waits_for": {"type": "array", "description": "What this process waits for, by name.", "items": {"enum": ["database"]}},
              "reason": {"type": "string", "description": "Why it waits."}
            }
          },
          "Problem": {
            "type": "object", "required": ["type", "title", "status", "detail"],
            "properties": {
              "type": {"type": "string", "examples": ["urn:carillon:problem:invalid-value"]}, "title": {"type": "string"},
              "status": {"type": "integer"}, "detail": {"type": "string"},
              "pointer": {"type": "string", "description": "Where in the body, as a JSON pointer."}
            }
          }
        }
        """#
}
