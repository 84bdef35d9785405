import CarillonCore

/// The paths of the OpenAPI description, each with the HTTP methods that it accepts.
enum OpenAPIPaths {
    static let backend = #"""
        {
          "/v1/notifications": {"get": {
            "summary": "The app's messages, the newest first", "description": "Scope read. By the time of their first acceptance. A page that asks for states may be short, and even empty, although it has a `next`.",
            "security": [{"backend": []}],
            "parameters": [
              {"$ref": "#/components/parameters/topic"},
              {"name": "state", "in": "query", "schema": {"type": "string"}, "description": "Only messages in one of these states, with commas between them: accepted, scheduled, paused, sending, sent, cancelled, recalled, expired."},
              {"name": "audience", "in": "query", "schema": {"enum": ["named", "everyone", "condition"]}, "description": "Only messages to users or devices by their ids, to everyone, or by a condition."},
              {"name": "user", "in": "query", "schema": {"$ref": "#/components/schemas/User"}, "description": "Only messages that went to this user's devices, and not by a condition or to everyone."},
              {"name": "id", "in": "query", "schema": {"type": "string", "minLength": 1, "maxLength": \#(MessageID.byteLimit)}, "description": "Only messages with this text in their id."},
              {"name": "accepted_since", "in": "query", "schema": {"$ref": "#/components/schemas/Moment"}, "description": "Only messages accepted at this time or later."},
              {"name": "accepted_before", "in": "query", "schema": {"$ref": "#/components/schemas/Moment"}, "description": "Only messages accepted before this time."},
              {"$ref": "#/components/parameters/limit"}, {"$ref": "#/components/parameters/after"}
            ],
            "responses": {
              "200": {"description": "Each message as its report, with a title.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/MessageList"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }, "post": {
            "summary": "Send a message", "description": "Scope send. On disk when it is answered.",
            "security": [{"backend": []}],
            "parameters": [{"$ref": "#/components/parameters/topic"}, {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string", "minLength": 1, "maxLength": \#(ServiceLimits.idempotencyKeyBytes)},
              "description": "The same key and body get the same answer; another body gets 409."}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Send"}}}},
            "responses": {
              "200": {"description": "With `dry_run`: what would be sent.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DryRun"}}}},
              "202": {"description": "Accepted, durably.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Sent"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/notifications/{id}": {
            "get": {
              "summary": "Where a message stands", "description": "Scope read.", "security": [{"backend": []}],
              "parameters": [{"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"}],
              "responses": {
                "200": {"description": "State and counts.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Report"}}}},
                "default": {"$ref": "#/components/responses/Problem"}
              }
            },
            "delete": {
              "summary": "Recall a message", "security": [{"backend": []}],
              "description": "Scope send. Cancels what is queued and removes it from the devices reached; again, it has no further effect.",
              "parameters": [{"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"}],
              "responses": {
                "202": {"description": "How the recall stands.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Recall"}}}},
                "default": {"$ref": "#/components/responses/Problem"}
              }
            }
          },
          "/v1/notifications/{id}/recall": {"post": {
            "summary": "Recall a message, with a notice where nothing of the app runs", "security": [{"backend": []}],
            "description": "Scope send. Like the deletion. A quiet notice takes the message's place on devices that may show it and have not confirmed its removal in time, at once on those that leave silent pushes unanswered. It expires with the message. The first notice stands; it may follow a recall without one. A message without a text gets none.",
            "parameters": [{"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"}],
            "requestBody": {"required": false, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/RecallRequest"}}}},
            "responses": {
              "202": {"description": "How the recall stands.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Recall"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/notifications/{id}/resend": {"post": {
            "summary": "Send a message again to those who did not see it", "security": [{"backend": []}],
            "description": "Scope send. A copy of the message goes to the devices of the group not_shown, except where another user is signed in now. The copy is a message with an id of its own, in no inbox. A repeated call sends nothing. Those whom a broadcast to many means are determined while the copy is sent.",
            "parameters": [{"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"}, {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string", "minLength": 1, "maxLength": \#(ServiceLimits.idempotencyKeyBytes)}, "description": "The same key and body get the same answer; another body gets 409."}],
            "requestBody": {"required": false, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ResendRequest"}}}},
            "responses": {
              "202": {"description": "Accepted, durably.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Sent"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/notifications/{id}/recipients": {"get": {
            "summary": "A message's devices, or those of a count", "description": "Scope read. `group` takes the name of a count of the report, and not_shown: accepted by APNs, and no sign that the person could see it. A page with a `next` may be short.",
            "security": [{"backend": []}],
            "parameters": [
              {"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"},
              {"name": "group", "in": "query", "schema": {"enum": ["queued", "accepted", "rejected", "unanswered", "cancelled", "expired", "skipped", "set_aside", "received", "shown", "opened", "acted", "dismissed", "recalled", "not_shown"]}, "description": "Only devices of this group."},
              {"$ref": "#/components/parameters/limit"}, {"$ref": "#/components/parameters/after"}
            ],
            "responses": {
              "200": {"description": "Each device once.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/RecipientList"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/notifications/{id}/timeline": {"get": {
            "summary": "What happened to a message, device by device", "description": "Scope read. \#(ServiceLimits.devicesPerPage) devices a page.",
            "security": [{"backend": []}],
            "parameters": [
              {"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"},
              {"name": "after", "in": "query", "schema": {"type": "string"}, "description": "The `next` of the page before."}
            ],
            "responses": {
              "200": {"description": "Only what is known.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Timeline"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/users/{id}": {"get": {
            "summary": "What is kept of a user", "description": "Scope users. The user's installations and the messages that name the user, with the replies that the user typed: what an erasure removes. The feed of events tells nothing else and is left out.",
            "security": [{"backend": []}], "parameters": [{"$ref": "#/components/parameters/user"}, {"$ref": "#/components/parameters/topic"},
              {"$ref": "#/components/parameters/limit"}, {"$ref": "#/components/parameters/after"}],
            "responses": {
              "200": {"description": "A page; the first one has the installations.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/UserData"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }, "delete": {
            "summary": "Erase a user", "description": "Scope users. Signs the user out everywhere, and erases what names the user and what only the user was sent; `remaining` is counted afterwards. `copies` names the files beside the database that an upgrade has made before: they still have the user.",
            "security": [{"backend": []}], "parameters": [{"$ref": "#/components/parameters/user"}, {"$ref": "#/components/parameters/topic"},
              {"name": "devices", "in": "query", "description": "Delete the installations on which the user is signed in too.", "schema": {"type": "boolean", "default": false}}],
            "responses": {
              "200": {"description": "What was erased.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Erased"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/users/{id}/devices": {"get": {
            "summary": "The installations bound to a user", "description": "Scope read. At most \#(ServiceLimits.devicesPerPage).",
            "security": [{"backend": []}], "parameters": [{"$ref": "#/components/parameters/user"}, {"$ref": "#/components/parameters/topic"}],
            "responses": {
              "200": {"description": "By id.", "content": {"application/json": {"schema": {"type": "object", "required": ["devices"], "properties": {"devices": {"type": "array", "items": {"$ref": "#/components/schemas/Device"}}}}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/users/{id}/sign-out": {"post": {
            "summary": "Sign a user out everywhere", "description": "Scope users. Unbinds all of the user's installations.",
            "security": [{"backend": []}], "parameters": [{"$ref": "#/components/parameters/user"}, {"$ref": "#/components/parameters/topic"}],
            "responses": {
              "200": {"description": "How many there were.", "content": {"application/json": {"schema": {"type": "object", "required": ["devices"], "properties": {"devices": {"type": "integer"}}}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/audiences/count": {"post": {
            "summary": "Count the devices that an audience means now", "description": "Scope send. Sends nothing.",
            "security": [{"backend": []}], "parameters": [{"$ref": "#/components/parameters/topic"}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Count"}}}},
            "responses": {
              "200": {"description": "How many there are.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Counted"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/users/{id}/read": {"post": {
            "summary": "Mark messages as read", "description": "Scope send. They disappear from the user's devices.",
            "security": [{"backend": []}], "parameters": [{"$ref": "#/components/parameters/user"}, {"$ref": "#/components/parameters/topic"}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Read"}}}},
            "responses": {
              "200": {"description": "How many were unread, and are.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ReadAnswer"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }}
        }
        """#

    static let app = #"""
        {
          "/v1/devices": {"get": {
            "summary": "The app's installations, the newest first", "description": "Scope read. Those whose token APNs has accepted; of one user, all.",
            "security": [{"backend": []}],
            "parameters": [
              {"$ref": "#/components/parameters/topic"},
              {"name": "state", "in": "query", "schema": {"type": "string"}, "description": "Only installations in one of these states, with commas between them: active, unregistered, quarantined, superseded, awaiting-token."},
              {"name": "tag", "in": "query", "schema": {"type": "string", "minLength": 1, "maxLength": \#(DeviceFacts.labelByteLimit)}, "description": "Only installations with this tag."},
              {"name": "user", "in": "query", "schema": {"$ref": "#/components/schemas/User"}, "description": "Only installations on which this user is signed in."},
              {"$ref": "#/components/parameters/limit"}, {"$ref": "#/components/parameters/after"}
            ],
            "responses": {
              "200": {"description": "Neither tokens nor secrets.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DeviceList"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }, "post": {
            "summary": "Register an installation", "description": "Registering again needs the same secret and the same app. A token that another installation holds moves when the nonce is returned that is pushed to the token; until then `awaits_token` is true.",
            "security": [], "parameters": [{"$ref": "#/components/parameters/sequence"}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Registration"}}}},
            "responses": {"200": {"$ref": "#/components/responses/Registered"}, "default": {"$ref": "#/components/responses/Problem"}}
          }},
          "/v1/devices/{id}/notifications": {"get": {
            "summary": "What an installation got, and why not", "description": "Scope read. The messages for this installation, the newest first, with the state of the push and what the phone has reported. A page may have few, or none, and still have a `next`.",
            "security": [{"backend": []}],
            "parameters": [{"$ref": "#/components/parameters/device"}, {"$ref": "#/components/parameters/topic"},
              {"$ref": "#/components/parameters/limit"},
              {"name": "after", "in": "query", "schema": {"type": "string", "pattern": "^[1-9][0-9]{0,17}$"}, "description": "The `next` of the page before."}],
            "responses": {
              "200": {"description": "A page.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DeviceMessages"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/devices/{id}": {
            "get": {
              "summary": "What is known of an installation", "description": "For itself, or for the backend of its app with the scope read. Neither token nor secret.",
              "security": [{"backend": []}, {"installation": []}],
              "parameters": [{"$ref": "#/components/parameters/device"}],
              "responses": {
                "200": {"description": "As it stands.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Device"}}}},
                "default": {"$ref": "#/components/responses/Problem"}
              }
            },
            "patch": {
              "summary": "Change what is known of an installation", "security": [{"installation": []}],
              "parameters": [{"$ref": "#/components/parameters/device"}, {"$ref": "#/components/parameters/sequence"}],
              "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/DeviceChange"}}}},
              "responses": {"200": {"$ref": "#/components/responses/Registered"}, "default": {"$ref": "#/components/responses/Problem"}}
            },
            "delete": {
              "summary": "Forget an installation", "description": "By itself, or by the backend of its app with the scope users. What is queued for it is cancelled.",
              "security": [{"backend": []}, {"installation": []}],
              "parameters": [{"$ref": "#/components/parameters/device"}],
              "responses": {"204": {"description": "It is forgotten."}, "default": {"$ref": "#/components/responses/Problem"}}
            }
          },
          "/v1/devices/{id}/token": {"post": {
            "summary": "Return the nonce that was pushed to the claimed token", "security": [{"installation": []}],
            "parameters": [{"$ref": "#/components/parameters/device"}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["nonce"], "properties": {"nonce": {"type": "string"}}}}}},
            "responses": {"200": {"$ref": "#/components/responses/Registered"}, "default": {"$ref": "#/components/responses/Problem"}}
          }},
          "/v1/devices/{id}/sync": {"get": {
            "summary": "What the installation must know", "security": [{"installation": []}],
            "parameters": [{"$ref": "#/components/parameters/device"}],
            "responses": {"200": {"$ref": "#/components/responses/Sync"}, "default": {"$ref": "#/components/responses/Problem"}}
          }},
          "/v1/devices/{id}/inbox": {"get": {
            "summary": "The user's messages, newest first", "security": [{"installation": []}],
            "parameters": [
              {"$ref": "#/components/parameters/device"},
              {"name": "before", "in": "query", "schema": {"type": "string"}, "description": "The `next` of the page before."}
            ],
            "responses": {
              "200": {"description": "\#(ServiceLimits.messagesPerPage) messages a page.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Inbox"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/devices/{id}/read": {"post": {
            "summary": "Mark messages as read on this device", "description": "They disappear from the user's other devices.",
            "security": [{"installation": []}], "parameters": [{"$ref": "#/components/parameters/device"}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {
              "type": "object", "required": ["messages"], "additionalProperties": false,
              "properties": {"messages": {"type": "array", "minItems": 1, "maxItems": \#(ServiceLimits.messagesPerPage), "items": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}(:[1-9][0-9]{0,8})?$", "description": "id, or id:revision"}}}
            }}}},
            "responses": {"200": {"$ref": "#/components/responses/Sync"}, "default": {"$ref": "#/components/responses/Problem"}}
          }},
          "/v1/devices/{id}/user": {"delete": {
            "summary": "Sign out", "description": "Unbinds the installation from its user; what is queued for the user is not sent to it. Also for the backend of its app, with the scope users.",
            "security": [{"installation": []}, {"backend": []}],
            "parameters": [{"$ref": "#/components/parameters/device"}, {"$ref": "#/components/parameters/sequence"}],
            "responses": {"200": {"$ref": "#/components/responses/Sync"}, "default": {"$ref": "#/components/responses/Problem"}}
          }},
          "/v1/receipts": {"post": {
            "summary": "Report what happened on a phone", "description": "Each receipt counts once, by its id.",
            "security": [{"installation": []}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Receipts"}}}},
            "responses": {"200": {"$ref": "#/components/responses/Sync"}, "default": {"$ref": "#/components/responses/Problem"}}
          }}
        }
        """#
}
