import CarillonCore

/// The OpenAPI schemas of request bodies and answers, by name.
enum OpenAPISchemas {
    /// The OpenAPI schemas of messages and audiences.
    static let messages = #"""
        {
          "MessageID": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
          "User": {"type": "string", "minLength": 1, "maxLength": \#(DeliveryLimits.userIDBytes), "description": "The customer's own id of a user."},
          "Moment": {"type": "string", "format": "date-time", "examples": ["2027-01-31T12:00:00Z"]},
          "GivenMoment": {"oneOf": [{"$ref": "#/components/schemas/Moment"}, {"type": "number", "minimum": 0, "maximum": 253402300799, "description": "Seconds since 1970."}]},
          "Mode": {"enum": ["visible", "silent", "assured"], "default": "visible", "description": "visible: an alert push, which iOS shows. silent: a background push, from which the SDK makes the notification; lost where the app may not run. assured: silent first, and visible where no phone says shown in time (60 s; 15 minutes to many)."},
          "Audience": {"oneOf": [
            {"type": "object", "required": ["user"], "additionalProperties": false, "properties": {"user": {"$ref": "#/components/schemas/User"}}},
            {"type": "object", "required": ["users"], "additionalProperties": false, "properties": {"users": {"oneOf": [
              {"type": "array", "minItems": 1, "maxItems": \#(ServiceLimits.namedRecipients), "items": {"$ref": "#/components/schemas/User"}},
              {"$ref": "#/components/schemas/Variables"}
            ]}}},
            {"type": "object", "required": ["devices"], "additionalProperties": false, "properties": {"devices": {"type": "array", "minItems": 1, "maxItems": \#(ServiceLimits.namedRecipients), "items": {"type": "string"}}}},
            {"type": "object", "required": ["everyone"], "additionalProperties": false, "properties": {"everyone": {"const": true}}},
            {"type": "object", "required": ["where"], "additionalProperties": false, "properties": {"where": {"type": "string", "maxLength": \#(AudienceParser.byteLimit), "description": "Confirmed devices on which a condition holds: tag, locale, time_zone, version, environment, permission, seen; with and, or, not and brackets. `seen<30d` counts from when sending starts.", "examples": ["tag:vip and not locale:de* and seen<30d"]}}}
          ]},
          "Variables": {
            "type": "object", "minProperties": 1, "maxProperties": \#(ServiceLimits.namedRecipients), "propertyNames": {"$ref": "#/components/schemas/User"},
            "description": "Each user with the values of the variables, {{name}}, that the texts have. A value that is missing is refused before anything is sent.",
            "additionalProperties": {
              "type": "object", "maxProperties": \#(ServiceLimits.variablesPerUser),
              "propertyNames": {"pattern": "^[A-Za-z_][A-Za-z0-9_.-]*$", "maxLength": \#(TextTemplate.nameBytes)}, "additionalProperties": {"type": ["string", "integer"]}
            },
            "examples": [{"u-1": {"name": "Ada"}}]
          },
          "LocalizedText": {
            "type": "object", "minProperties": 1, "additionalProperties": false,
            "properties": {"title": {"type": "string"}, "subtitle": {"type": "string"}, "body": {"type": "string"}}
          },
          "Count": {"type": "object", "required": ["to"], "additionalProperties": false, "properties": {"to": {"$ref": "#/components/schemas/Audience"}, "topic": {"type": "string", "description": "As in Send."}}},
          "Counted": {"type": "object", "required": ["devices"], "properties": {"devices": {"type": "integer", "minimum": 0}}},
          "Send": {
            "type": "object", "required": ["to"], "additionalProperties": false,
            "anyOf": [{"required": ["payload"]}, {"required": ["template"]}],
            "properties": {
              "template": {"oneOf": [{"$ref": "#/components/schemas/TemplateName"}, {"type": "object", "required": ["name"], "additionalProperties": false, "properties": {"name": {"$ref": "#/components/schemas/TemplateName"}, "version": {"type": "integer", "minimum": 1, "maximum": \#(StoreLimits.latestTemplateVersion)}}}], "description": "The template with the content, in the place of payload and localized; its other members stand where the request has none. docs/templates.md."},
              "with": {"$ref": "#/components/schemas/TemplateValues"},
              "to": {"$ref": "#/components/schemas/Audience"},
              "payload": {
                "type": "object", "required": ["aps"], "description": "Apple's payload, with keys of your own; `carillon` is taken. `aps.badge` may be \"auto\": the user's unread count, which is also what users' messages get that give no number. At most 4096 bytes with Carillon's own key.",
                "properties": {"aps": {"type": "object"}}
              },
              "localized": {
                "type": "object", "minProperties": 1, "maxProperties": \#(ServiceLimits.localesPerMessage), "additionalProperties": {"$ref": "#/components/schemas/LocalizedText"},
                "description": "Texts in the place of the alert's, by language: each device gets those of its locale, of its language without the region, or the payload's own. docs/texts.md.",
                "examples": [{"de": {"title": "Neu"}, "pt-BR": {"title": "Novo"}}]
              },
              "mode": {"$ref": "#/components/schemas/Mode"},
              "send_at": {"anyOf": [{"$ref": "#/components/schemas/GivenMoment"}, {"$ref": "#/components/schemas/LocalSendAt"}], "description": "When to send, at most a year ahead; a time that has passed means at once. Whom a condition means is decided then. With a LocalSendAt, it reaches each device at its own moment. docs/local-time.md."},
              "until": {"anyOf": [{"$ref": "#/components/schemas/GivenMoment"}, {"const": "now"}], "description": "The last moment at which it may be seen. now: it is delivered now or never. APNs tries once and keeps nothing (apns-expiration 0), the service tries for \#(DeliveryLimits.nowOrNeverLifetime.components.seconds) s, and it is in no inbox. Not with the mode assured."},
              "dry_run": {"type": "boolean", "default": false, "description": "Whether only to answer, with 200, what would be sent: nothing is stored."},
              "remove_expired": {"type": "boolean", "description": "Whether a removal is sent when `until` has passed, to devices that may still show the message. The default is true for users and devices, false for everyone; it needs `until`."},
              "keep_replies": {"type": "boolean", "default": false, "description": "Whether a text that a person types into the notification is told to the service, and shown on the timeline; at most \#(ServiceLimits.replyBytes) bytes."},
              "id": {"$ref": "#/components/schemas/MessageID"},
              "campaign": {"$ref": "#/components/schemas/Campaign"},
              "widgets": {"type": "boolean", "default": false, "description": "Whether the app's widgets are reloaded too, as by POST /v1/widgets; not with send_at."},
              "controls": {"type": "array", "minItems": 1, "maxItems": \#(WidgetToken.limit), "description": "The kinds of the controls to reload too; not with send_at.", "items": {"type": "string", "minLength": 1, "maxLength": \#(WidgetToken.kindByteLimit)}},
              "topic": {"type": "string", "description": "The app's bundle id; needed where the API key is for several apps."},
              "replace": {"type": "boolean", "description": "Whether it may take the place of a message with the same id for another audience: whoever is no longer addressed loses that one. Without it, 409."},
              "dialect": {"enum": ["carillon", "pushwoosh", "infobip"], "description": "Another push service's format in which the push is sent too, for apps that are installed already. The default is carillon. With pushwoosh, id has at most 37 bytes."}
            },
            "examples": [{"to": {"user": "u-42"}, "payload": {"aps": {"alert": {"title": "News", "body": "Hello"}}}}]
          },
          "LocalSendAt": {
            "type": "object", "required": ["local"], "additionalProperties": false,
            "description": "A time by the clock of each device. docs/local-time.md has the rules.",
            "properties": {
              "local": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?$", "description": "A date with a time of day, without a zone. A time that the change to summer time skips means the moment of the change; one that comes twice, the first."},
              "fallback": {"type": "string", "default": "UTC", "description": "The time zone of devices whose own is not known, by its name in the IANA database; skip: such devices are left out."},
              "passed": {"enum": ["send", "skip"], "default": "send", "description": "For devices where the time had passed when the message was accepted. send: they get it at once. skip: they are left out."}
            },
            "examples": [{"local": "2026-12-24T09:00", "fallback": "Europe/Berlin"}]
          },
          "LocalTimeReport": {
            "type": "object", "required": ["local", "fallback", "passed", "waits"], "description": "Of a message in local time; absent for others.",
            "properties": {
              "local": {"type": "string"}, "fallback": {"type": "string"}, "passed": {"type": "string"},
              "waits": {"type": "array", "description": "The moments for which devices wait, the next first; empty until sending starts.", "items": {"$ref": "#/components/schemas/LocalTimeWait"}}
            }
          },
          "LocalTimeWait": {
            "type": "object", "required": ["at", "offset", "devices"],
            "properties": {
              "at": {"$ref": "#/components/schemas/Moment"}, "devices": {"type": "integer", "minimum": 1},
              "offset": {"type": "string", "description": "From UTC, of a clock that shows the message's time then, such as +05:45."}
            }
          },
          "ResendRequest": {"type": "object", "additionalProperties": false, "properties": {"id": {"$ref": "#/components/schemas/MessageID"}}, "description": "id: that of the copy; without it, the message's id and .2."},
          "MessageState": {"enum": ["accepted", "scheduled", "paused", "sending", "sent", "cancelled", "recalled", "expired"], "description": "accepted: on the disk, and APNs has taken no push yet. scheduled: waits for send_at. paused: nothing goes out until it is resumed. sending: some devices are done. sent: each device has had its first push; counts says what arrived. cancelled: what had not gone out is not sent. recalled: it is removed from the phones; recall says from how many. expired: its until has passed."},
          "Sent": {
            "type": "object", "required": ["id", "state"],
            "properties": {
              "id": {"$ref": "#/components/schemas/MessageID"}, "state": {"$ref": "#/components/schemas/MessageState"},
              "devices": {"type": "integer", "description": "How many devices it is for; 0 when nobody addressed has one. Absent for a message to everyone, or by a condition, of an app with more than \#(DeliveryLimits.devicesWithRows) devices: its report tells it when it is sent."},
              "reason": {"$ref": "#/components/schemas/NobodyReason"}
            }
          },
          "NobodyReason": {"description": "Why it is for no device: the users are signed in nowhere, no such installation is registered, no device has a token that works, or no device meets the condition.", "enum": ["not-signed-in", "no-such-device", "token-gone", "nobody-matches"]},
          "DryRun": {
            "type": "object", "required": ["dry_run", "devices", "variants"],
            "properties": {
              "dry_run": {"const": true}, "devices": {"type": "integer", "minimum": 0}, "reason": {"$ref": "#/components/schemas/NobodyReason"},
              "variants": {"type": "array", "items": {
                "type": "object", "required": ["devices", "bytes"],
                "properties": {"locale": {"type": "string", "description": "Absent for the payload's own texts."}, "devices": {"type": "integer"}, "bytes": {"type": "integer", "description": "Of the largest push."}}
              }}
            }
          },
          "Report": {
            "type": "object", "required": ["id", "state", "mode", "topic", "revision", "accepted_at", "counts"],
            "properties": {
              "id": {"$ref": "#/components/schemas/MessageID"}, "state": {"$ref": "#/components/schemas/MessageState"},
              "mode": {"$ref": "#/components/schemas/Mode"}, "topic": {"type": "string"}, "campaign": {"$ref": "#/components/schemas/Campaign"},
              "revision": {"type": "integer", "minimum": 1}, "accepted_at": {"$ref": "#/components/schemas/Moment"},
              "send_at": {"$ref": "#/components/schemas/Moment", "description": "In local time, when the first place on Earth gets there: sending starts then."}, "local_time": {"$ref": "#/components/schemas/LocalTimeReport"}, "until": {"anyOf": [{"$ref": "#/components/schemas/Moment"}, {"const": "now"}]}, "reason": {"$ref": "#/components/schemas/NobodyReason"}, "recalled_at": {"$ref": "#/components/schemas/Moment"},
              "counts": {"type": "object", "additionalProperties": {"type": "integer"}, "description": "Devices, each at most once in a count. By their push: queued, accepted (by APNs), rejected, unanswered (given up without an answer), cancelled, expired, skipped (left out by the rules of local time), set_aside (its row cannot be read). By their receipts: received, shown, opened, acted, dismissed, recalled. second_sends were handed over again, since nobody knew whether the first push had arrived; second_alerts may have alerted twice."},
              "recall": {"$ref": "#/components/schemas/RecallCounts"},
              "replies": {"type": "integer", "description": "Devices from which a reply came; only where the message keeps replies."},
              "progress": {"$ref": "#/components/schemas/Progress"}
            }
          },
          "Progress": {
            "type": "object", "required": ["decided", "total"], "description": "How far a message to everyone, or by a condition, of an app with more than \#(DeliveryLimits.devicesWithRows) devices has come; absent for others.",
            "properties": {
              "decided": {"type": "integer", "minimum": 0, "description": "Devices of the app of which it is decided whether it is for them."},
              "total": {"type": "integer", "minimum": 0, "description": "All of them, when sending began; 0 before."},
              "per_second": {"type": "number", "description": "Pushes handed to APNs in a second, on average since sending began."},
              "finishes_at": {"$ref": "#/components/schemas/Moment"}
            }
          },
          "RecallRequest": {
            "type": "object", "additionalProperties": false,
            "properties": {"notice": {
              "type": "object", "anyOf": [{"required": ["title"]}, {"required": ["body"]}], "additionalProperties": false,
              "properties": {"title": {"type": "string", "minLength": 1, "maxLength": \#(DeliveryLimits.noticeTitleBytes)}, "body": {"type": "string", "minLength": 1, "maxLength": \#(DeliveryLimits.noticeBodyBytes)}}
            }}
          },
          "RecallOutcome": {"enum": ["confirmed", "replaced", "pending until launch", "never sent"], "description": "pending until launch: the removal has gone out, and no answer has come yet; a phone that is on confirms within seconds, another at its next launch at the latest. confirmed: the phone reports that it is gone. replaced: a quiet notice has taken its place. never sent: no push of it went to the device."},
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
          "MessageList": {
            "type": "object", "required": ["notifications"],
            "properties": {
              "notifications": {"type": "array", "items": {"allOf": [{"$ref": "#/components/schemas/Report"}, {"type": "object", "properties": {"title": {"type": "string", "description": "The alert's title; without one, its body. Variables stand as they were sent."}}}]}},
              "next": {"type": "string"}
            }
          },
          "RecipientList": {
            "type": "object", "required": ["id", "recipients"],
            "properties": {
              "id": {"$ref": "#/components/schemas/MessageID"}, "next": {"type": "string"},
              "recipients": {"type": "array", "items": {
                "type": "object", "required": ["device", "state", "receipts"],
                "properties": {
                  "device": {"type": "string"},
                  "user": {"type": "string", "description": "The user whom the message was for; of a message to a condition or to everyone, the one signed in now."},
                  "state": {"$ref": "#/components/schemas/PushState"},
                  "receipts": {"type": "array", "items": {"$ref": "#/components/schemas/Reported"}, "description": "What the device has reported, each once."},
                  "reason": {"type": "string", "description": "APNs' last reason, or why the push was not sent."}
                }
              }}
            }
          },
          "PushState": {"enum": ["queued", "accepted", "rejected", "unanswered", "expired", "cancelled", "set-aside", "skipped"]},
          "Reported": {"enum": ["received", "shown", "opened", "acted", "dismissed", "expired", "recalled"]},
          "DeviceMessages": {
            "type": "object", "required": ["id", "notifications"],
            "properties": {
              "id": {"type": "string", "description": "The installation."}, "next": {"type": "string"},
              "notifications": {"type": "array", "items": {
                "type": "object", "required": ["id", "revision", "accepted_at", "state", "receipts"],
                "properties": {
                  "id": {"$ref": "#/components/schemas/MessageID"},
                  "title": {"type": "string", "description": "The alert's title; without one, its body. Variables stand as they were sent."},
                  "revision": {"type": "integer", "minimum": 1}, "accepted_at": {"$ref": "#/components/schemas/Moment"},
                  "user": {"type": "string", "description": "The user whom the message was for; of a message to a condition or to everyone, the one signed in now."},
                  "state": {"$ref": "#/components/schemas/PushState"},
                  "receipts": {"type": "array", "items": {"$ref": "#/components/schemas/Reported"}, "description": "What the device has reported, each once."},
                  "reason": {"type": "string", "description": "APNs' last reason, or why the push was not sent."}
                }
              }}
            }
          },
          "UserData": {
            "type": "object", "required": ["user", "messages"],
            "properties": {
              "user": {"type": "string"}, "next": {"type": "string"},
              "devices": {"type": "array", "items": {"$ref": "#/components/schemas/Device"}, "description": "On the first page: where the user is signed in."},
              "messages": {"type": "array", "items": {
                "type": "object", "required": ["id", "accepted_at", "revision", "payload", "in_inbox", "devices"],
                "properties": {
                  "id": {"$ref": "#/components/schemas/MessageID"}, "accepted_at": {"$ref": "#/components/schemas/Moment"},
                  "revision": {"type": "integer"}, "until": {"$ref": "#/components/schemas/Moment"},
                  "payload": {"type": "object", "description": "As the user got it, in the language of one of the installations."},
                  "in_inbox": {"type": "boolean"}, "read_at": {"$ref": "#/components/schemas/Moment"},
                  "devices": {"type": "array", "items": {
                    "type": "object", "required": ["device", "events"],
                    "properties": {"device": {"type": "string"}, "events": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}}}
                  }}
                }
              }}
            }
          },
          "Timeline": {
            "type": "object", "required": ["id", "devices"],
            "properties": {
              "id": {"$ref": "#/components/schemas/MessageID"}, "next": {"type": "string"},
              "reason": {"$ref": "#/components/schemas/NobodyReason"},
              "devices": {"type": "array", "items": {
                "type": "object", "required": ["device", "state", "events"],
                "properties": {
                  "device": {"type": "string"},
                  "state": {"enum": ["queued", "accepted", "rejected", "unanswered", "expired", "cancelled", "set-aside", "skipped"]},
                  "recall": {"$ref": "#/components/schemas/RecallOutcome"},
                  "waiting": {"type": "string", "description": "Why the push waits: nothing of the app is sent at the moment, or it is not yet the message's local time there; only with the state queued."},
                  "events": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}}
                }
              }}
            }
          },
          "Event": {
            "type": "object", "required": ["message", "device", "event", "at", "revision"],
            "properties": {
              "message": {"$ref": "#/components/schemas/MessageID"}, "device": {"type": "string"},
              "event": {"enum": ["queued", "sent", "accepted", "rejected", "unanswered", "cancelled", "received", "shown", "opened", "acted", "dismissed", "expired", "recalled"], "description": "queued: written down for this device. sent: handed to the connection. accepted: by APNs. rejected: refused by APNs; detail says whether it will be tried again. unanswered: the answer to this attempt never came. received to dismissed: what the phone reports. expired: its time passed. recalled: it is gone from the phone and will not come back."},
              "at": {"$ref": "#/components/schemas/Moment"}, "purpose": {"enum": ["show", "fallback", "notice", "removal", "badge"], "description": "show: brings the message. fallback: the visible push of an assured message. removal: takes messages away. notice: replaces a recalled message. badge: sets the number alone."},
              "revision": {"type": "integer"}, "attempt": {"type": "integer"}, "reason": {"type": "string"},
              "status": {"type": "integer"}, "apns_id": {"type": "string", "format": "uuid"}, "detail": {"type": "string"}, "reply": {"type": "string"},
              "inferred": {"type": "boolean", "description": "True when nobody reported it and the service concluded it."}
            }
          }
        }
        """#
}
