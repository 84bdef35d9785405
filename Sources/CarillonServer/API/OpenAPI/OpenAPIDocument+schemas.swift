import CarillonCore

extension OpenAPIDocument {
    /// The members of `DeviceFacts`, as they stand in a registration and in a change.
    private static let deviceFacts = #"""
        "permission": {"$ref": "#/components/schemas/Permission"},
        "locale": \#(label), "time_zone": \#(label), "app_version": \#(label),
        "tags": {"$ref": "#/components/schemas/Tags"}
        """#

    private static let label = #"{"type": "string", "maxLength": \#(ServiceLimits.labelBytes)}"#

    static let schemas = #"""
        {
          "MessageID": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
          "User": {"type": "string", "minLength": 1, "maxLength": \#(ServiceLimits.userIDBytes), "description": "The customer's own id of a user."},
          "Moment": {"type": "string", "format": "date-time", "examples": ["2027-01-31T12:00:00Z"]},
          "Mode": {"enum": ["visible", "silent", "assured"], "default": "visible"},
          "Audience": {"oneOf": [
            {"type": "object", "required": ["user"], "additionalProperties": false, "properties": {"user": {"$ref": "#/components/schemas/User"}}},
            {"type": "object", "required": ["users"], "additionalProperties": false, "properties": {"users": {"type": "array", "minItems": 1, "maxItems": \#(ServiceLimits.namedRecipients), "items": {"$ref": "#/components/schemas/User"}}}},
            {"type": "object", "required": ["devices"], "additionalProperties": false, "properties": {"devices": {"type": "array", "minItems": 1, "maxItems": \#(ServiceLimits.namedRecipients), "items": {"type": "string"}}}},
            {"type": "object", "required": ["everyone"], "additionalProperties": false, "properties": {"everyone": {"const": true}}},
            {"type": "object", "required": ["where"], "additionalProperties": false, "properties": {"where": {"type": "string", "maxLength": \#(AudienceParser.byteLimit), "description": "Confirmed devices on which a condition holds: tag, locale, time_zone, version, environment, permission, seen; with and, or, not and brackets. `seen<30d` counts from when sending starts.", "examples": ["tag:vip and not locale:de* and seen<30d"]}}}
          ]},
          "Count": {"type": "object", "required": ["to"], "additionalProperties": false, "properties": {"to": {"$ref": "#/components/schemas/Audience"}, "topic": {"type": "string", "description": "As in Send."}}},
          "Counted": {"type": "object", "required": ["devices"], "properties": {"devices": {"type": "integer", "minimum": 0}}},
          "Send": {
            "type": "object", "required": ["to", "payload"], "additionalProperties": false,
            "properties": {
              "to": {"$ref": "#/components/schemas/Audience"},
              "payload": {
                "type": "object", "required": ["aps"], "description": "Apple's payload, with keys of your own; `carillon` is taken. `aps.badge` may be \"auto\": the user's unread count, which is also what users' messages get that give no number. At most 4096 bytes with Carillon's own key.",
                "properties": {"aps": {"type": "object"}}
              },
              "mode": {"$ref": "#/components/schemas/Mode"},
              "until": {"$ref": "#/components/schemas/Moment"},
              "remove_expired": {"type": "boolean", "description": "Whether a removal is sent when `until` has passed, to devices that may still show the message. The default is true for users and devices, false for everyone; it needs `until`."},
              "keep_replies": {"type": "boolean", "default": false, "description": "Whether a text that a person types into the notification is told to the service, and shown on the timeline; at most \#(ServiceLimits.replyBytes) bytes."},
              "id": {"$ref": "#/components/schemas/MessageID"},
              "topic": {"type": "string", "description": "The app's bundle id; needed where the API key is for several apps."},
              "replace": {"type": "boolean", "description": "Whether it may take the place of a message with the same id for another audience: whoever is no longer addressed loses that one. Without it, 409."},
              "dialect": {"enum": ["carillon", "pushwoosh", "infobip"], "description": "Another push service's format in which the push is sent too, for apps that are installed already. The default is carillon. With pushwoosh, id has at most 37 bytes."}
            },
            "examples": [{"to": {"user": "u-42"}, "payload": {"aps": {"alert": {"title": "News", "body": "Hello"}}}}]
          },
          "MessageState": {"enum": ["accepted", "sending", "sent", "recalled", "expired"]},
          "Sent": {
            "type": "object", "required": ["id", "state", "devices"],
            "properties": {
              "id": {"$ref": "#/components/schemas/MessageID"}, "state": {"$ref": "#/components/schemas/MessageState"},
              "devices": {"type": "integer", "description": "How many devices it is for; 0 when nobody addressed has one."}
            }
          },
          "Report": {
            "type": "object", "required": ["id", "state", "mode", "topic", "revision", "accepted_at", "counts"],
            "properties": {
              "id": {"$ref": "#/components/schemas/MessageID"}, "state": {"$ref": "#/components/schemas/MessageState"},
              "mode": {"$ref": "#/components/schemas/Mode"}, "topic": {"type": "string"},
              "revision": {"type": "integer", "minimum": 1}, "accepted_at": {"$ref": "#/components/schemas/Moment"},
              "until": {"$ref": "#/components/schemas/Moment"}, "recalled_at": {"$ref": "#/components/schemas/Moment"},
              "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
              "recall": {"$ref": "#/components/schemas/RecallCounts"},
              "replies": {"type": "integer", "description": "Devices from which a reply came; only where the message keeps replies."}
            }
          },
          "RecallRequest": {
            "type": "object", "additionalProperties": false,
            "properties": {"notice": {
              "type": "object", "anyOf": [{"required": ["title"]}, {"required": ["body"]}], "additionalProperties": false,
              "properties": {"title": {"type": "string", "minLength": 1, "maxLength": \#(ServiceLimits.noticeTitleBytes)}, "body": {"type": "string", "minLength": 1, "maxLength": \#(ServiceLimits.noticeBodyBytes)}}
            }}
          },
          "RecallOutcome": {"enum": ["confirmed", "replaced", "pending until launch", "never sent"]},
          "RecallCounts": {"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"$ref": "#/components/schemas/RecallOutcome"}},
          "Recall": {
            "type": "object", "required": ["id", "state", "recall", "devices"],
            "properties": {
              "id": {"$ref": "#/components/schemas/MessageID"}, "state": {"$ref": "#/components/schemas/MessageState"},
              "recall": {"$ref": "#/components/schemas/RecallCounts"},
              "devices": {"type": "array", "maxItems": \#(ServiceLimits.devicesPerPage), "items": {
                "type": "object", "required": ["device", "recall"],
                "properties": {"device": {"type": "string"}, "recall": {"$ref": "#/components/schemas/RecallOutcome"}}
              }}
            }
          },
          "Timeline": {
            "type": "object", "required": ["id", "devices"],
            "properties": {
              "id": {"$ref": "#/components/schemas/MessageID"}, "next": {"type": "string"},
              "devices": {"type": "array", "items": {
                "type": "object", "required": ["device", "state", "events"],
                "properties": {
                  "device": {"type": "string"},
                  "state": {"enum": ["queued", "accepted", "rejected", "unanswered", "expired", "cancelled", "set-aside"]},
                  "recall": {"$ref": "#/components/schemas/RecallOutcome"},
                  "events": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}}
                }
              }}
            }
          },
          "Event": {
            "type": "object", "required": ["message", "device", "event", "at", "revision"],
            "properties": {
              "message": {"$ref": "#/components/schemas/MessageID"}, "device": {"type": "string"},
              "event": {"enum": ["queued", "sent", "accepted", "rejected", "unanswered", "cancelled", "received", "shown", "opened", "acted", "dismissed", "expired", "recalled"]},
              "at": {"$ref": "#/components/schemas/Moment"}, "purpose": {"enum": ["show", "fallback", "notice", "removal", "badge"]},
              "revision": {"type": "integer"}, "attempt": {"type": "integer"}, "reason": {"type": "string"},
              "status": {"type": "integer"}, "apns_id": {"type": "string", "format": "uuid"}, "detail": {"type": "string"}, "reply": {"type": "string"},
              "inferred": {"type": "boolean", "description": "True when nobody reported it and the service concluded it."}
            }
          },
          "Read": {"oneOf": [
            {"type": "object", "required": ["messages"], "additionalProperties": false, "properties": {"messages": {"type": "array", "minItems": 1, "maxItems": \#(ServiceLimits.messagesPerPage), "items": {"$ref": "#/components/schemas/MessageID"}}}},
            {"type": "object", "required": ["up_to"], "additionalProperties": false, "properties": {"up_to": {"$ref": "#/components/schemas/Moment"}}}
          ]},
          "ReadAnswer": {"type": "object", "required": ["marked", "unread"], "properties": {"marked": {"type": "integer"}, "unread": {"type": "integer"}}},
          "Environment": {"enum": ["production", "sandbox"]},
          "Permission": {"enum": ["not-determined", "denied", "authorized", "provisional", "ephemeral"]},
          "Token": {"type": "string", "pattern": "^([0-9a-fA-F]{2}){1,\#(DeviceToken.byteLimit)}$"},
          "Tags": {"type": "array", "maxItems": \#(ServiceLimits.tagsPerDevice), "items": {"type": "string", "minLength": 1, "maxLength": \#(ServiceLimits.labelBytes)}},
          "Registration": {
            "type": "object", "required": ["installation", "secret", "topic", "environment", "token", "permission"],
            "properties": {
              "installation": {"$ref": "#/components/schemas/MessageID"},
              "secret": {"type": "string", "pattern": "^([0-9a-fA-F]{2}){\#(ServiceLimits.secretCharacters.lowerBound / 2),\#(ServiceLimits.secretCharacters.upperBound / 2)}$"}, "topic": {"type": "string"},
              "environment": {"$ref": "#/components/schemas/Environment"}, "token": {"$ref": "#/components/schemas/Token"},
              "sign_in_token": {"type": "string", "description": "A JWT (HS256 or ES256) with sub, aud (the topic), iat and exp, at most ten minutes apart, signed by the customer's backend; kid names the app's key."},
              "former": {"type": "object", "required": ["installation", "secret"], "description": "The installation that had the token before.", "properties": {"installation": {"$ref": "#/components/schemas/MessageID"}, "secret": {"type": "string"}}},
              \#(deviceFacts)
            }
          },
          "DeviceChange": {
            "type": "object",
            "properties": {
              "token": {"$ref": "#/components/schemas/Token"}, "environment": {"$ref": "#/components/schemas/Environment"},
              "sign_in_token": {"type": "string"},
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
            "type": "object", "required": ["user", "erased_at", "devices", "messages", "inbox", "deliveries", "remaining"],
            "properties": {
              "user": {"$ref": "#/components/schemas/User"}, "erased_at": {"$ref": "#/components/schemas/Moment"},
              "devices": {"type": "integer"}, "messages": {"type": "integer"}, "inbox": {"type": "integer"},
              "deliveries": {"type": "integer"}, "remaining": {"const": 0}
            }
          },
          "Sync": {
            "type": "object", "required": ["now", "removals"],
            "properties": {
              "now": {"$ref": "#/components/schemas/Moment"}, "unread": {"type": "integer"},
              "token_end": {"type": "string", "description": "The last eight digits of the device token to which this installation's pushes go. Where they are another phone's, register as a new installation.", "pattern": "^[0-9a-f]{2,8}$"},
              "removals": {"type": "array", "maxItems": \#(ServiceLimits.removalsPerSync), "items": {
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
                "at": {"$ref": "#/components/schemas/Moment"}, "detail": {"type": "string", "maxLength": \#(ServiceLimits.receiptDetailBytes)},
                "revision": {"type": "integer", "minimum": 1},
                "reply": {"type": "string", "maxLength": \#(ServiceLimits.replyBytes), "description": "Kept only where the message asks for it."}
              }
            }}}
          },
          "Inbox": {
            "type": "object", "required": ["messages", "unread"],
            "properties": {
              "unread": {"type": "integer"}, "next": {"type": "integer"},
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
            "type": "object", "required": ["status", "roles", "alarms"],
            "properties": {
              "status": {"enum": ["ok", "degraded", "down"]}, "roles": {"type": "array", "items": {"enum": ["api", "sender"]}},
              "alarms": {"type": "array", "items": {"type": "object", "properties": {
                "app": {"type": "string"}, "reason": {"type": "string"}, "since": {"$ref": "#/components/schemas/Moment"}, "advice": {"type": "string"}
              }}}
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
