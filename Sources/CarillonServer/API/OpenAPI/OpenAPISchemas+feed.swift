extension OpenAPISchemas {
    static let feed = #"""
        {
          "Cursor": {"type": "string", "pattern": "^(0|[1-9][0-9]{0,13})-(0|[1-9][0-9]{0,3})$"},
          "EventType": {"enum": [\#(FeedEventType.selectable.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]},
          "FeedEvent": {
            "type": "object", "required": ["id", "type", "at"],
            "properties": {
              "id": {"$ref": "#/components/schemas/Cursor"}, "type": {"$ref": "#/components/schemas/EventType"},
              "at": {"$ref": "#/components/schemas/Moment"}, "message": {"$ref": "#/components/schemas/MessageID"},
              "device": {"type": "string"}, "user": {"type": "string"},
              "details": {"type": "object", "properties": {
                "purpose": {"type": "string"}, "revision": {"type": "integer"}, "attempt": {"type": "integer"},
                "reason": {"type": "string"}, "status": {"type": "integer"}, "apns_id": {"type": "string"},
                "detail": {"type": "string"}, "reply": {"type": "string"},
                "live_activity": {"$ref": "#/components/schemas/MessageID"}, "timestamp": {"type": "integer"},
                "environment": {"$ref": "#/components/schemas/Environment"}, "webhook": {"type": "string"}
              }}
            }
          },
          "EventPage": {
            "type": "object", "required": ["events", "next"],
            "properties": {"events": {"type": "array", "items": {"$ref": "#/components/schemas/FeedEvent"}}, "next": {"$ref": "#/components/schemas/Cursor"}}
          }
        }
        """#
}
