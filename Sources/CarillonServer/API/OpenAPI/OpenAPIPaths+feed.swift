extension OpenAPIPaths {
    static let feed = #"""
        {
          "/v1/events": {"get": {
            "summary": "What has happened, in order and each once", "security": [{"backend": []}],
            "description": "Scope read. Without `after`, no event, and the cursor of now. With `Accept: text/event-stream`, a stream that goes on; there, `Last-Event-ID` takes the place of `after`. 410: the events after the cursor are not complete any more. docs/events.md.",
            "parameters": [
              {"$ref": "#/components/parameters/topic"},
              {"name": "after", "in": "query", "schema": {"$ref": "#/components/schemas/Cursor"}, "description": "The `next` of a page, or the id of an event."},
              {"name": "types", "in": "query", "explode": false, "schema": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/EventType"}}, "description": "Only these types."},
              {"name": "texts", "in": "query", "schema": {"type": "boolean", "default": false}, "description": "With the replies that people typed."},
              {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": \#(ServiceLimits.longestEventPage), "default": \#(ServiceLimits.eventsPerPage)}}
            ],
            "responses": {
              "200": {"description": "The next events. There may be more even if these are few.", "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/EventPage"}},
                "text/event-stream": {"schema": {"type": "string"}}
              }},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }}
        }
        """#
}
