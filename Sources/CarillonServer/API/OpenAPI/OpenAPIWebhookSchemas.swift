/// The schemas of the calls about webhooks.
enum OpenAPIWebhookSchemas {
    static let webhooks = #"""
        {
          "Webhook": {
            "type": "object", "required": ["id", "url", "texts", "state", "created", "failures", "confirmed", "newest"],
            "properties": {
              "id": {"type": "string"}, "url": {"type": "string"},
              "types": {"type": "array", "items": {"$ref": "#/components/schemas/EventType"}, "description": "Absent for all."},
              "texts": {"type": "boolean"},
              "state": {"enum": ["active", "retrying", "set-aside"], "description": "set-aside: the endpoint took nothing for a day, or answered 410; nothing is posted until the webhook is changed or replayed."},
              "created": {"$ref": "#/components/schemas/Moment"},
              "delivered": {"$ref": "#/components/schemas/Moment"},
              "failures": {"type": "integer", "minimum": 0, "description": "Failed attempts at the present request."},
              "next_attempt": {"$ref": "#/components/schemas/Moment"},
              "last_failure": {"type": "object", "required": ["answer"], "properties": {"at": {"$ref": "#/components/schemas/Moment"}, "answer": {"type": "string", "description": "The beginning of what the endpoint said."}}},
              "missed": {"$ref": "#/components/schemas/Moment"},
              "confirmed": {"$ref": "#/components/schemas/Cursor", "description": "The endpoint has confirmed the events up to here."},
              "newest": {"$ref": "#/components/schemas/Cursor", "description": "After the newest event."},
              "secret": {"type": "string", "description": "Only in the answer to the call that made it."}
            }
          },
          "NewWebhook": {
            "type": "object", "required": ["url"], "additionalProperties": false,
            "properties": {
              "url": {"type": "string", "maxLength": \#(ServiceLimits.webhookURLBytes)},
              "types": {"type": "array", "minItems": 1, "maxItems": \#(FeedEventType.selectable.count), "items": {"$ref": "#/components/schemas/EventType"}, "description": "Only these; all by default."},
              "texts": {"type": "boolean", "description": "With the replies that people type."}
            }
          },
          "WebhookChange": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "url": {"type": "string", "maxLength": \#(ServiceLimits.webhookURLBytes)},
              "types": {"type": "array", "minItems": 1, "maxItems": \#(FeedEventType.selectable.count), "items": {"$ref": "#/components/schemas/EventType"}},
              "texts": {"type": "boolean"}, "state": {"const": "active"}
            }
          },
          "WebhookReplay": {"type": "object", "required": ["since"], "additionalProperties": false, "properties": {"since": {"$ref": "#/components/schemas/GivenMoment"}}}
        }
        """#
}
