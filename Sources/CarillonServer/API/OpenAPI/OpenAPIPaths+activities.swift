extension OpenAPIPaths {
    static let activities = #"""
        {
          "/v1/live-activities": {"post": {
            "summary": "Start a Live Activity", "description": "Scope send. On disk when it is answered. A repeated body changes nothing; another body with a known id gets 409. docs/live-activities.md.",
            "security": [{"backend": []}],
            "parameters": [{"$ref": "#/components/parameters/topic"}, \#(idempotencyKey)],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LiveActivityStart"}}}},
            "responses": {\#(accepted)}
          }},
          "/v1/live-activities/{id}": {
            "get": {
              "summary": "Where a Live Activity stands", "description": "Scope read.", "security": [{"backend": []}],
              "parameters": [{"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"}],
              "responses": {
                "200": {"description": "Its state, and the phones in each state.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LiveActivity"}}}},
                "default": {"$ref": "#/components/responses/Problem"}
              }
            },
            "patch": {
              "summary": "Update a Live Activity", "security": [{"backend": []}],
              "description": "Scope send. The whole new state: a phone gets the newest one, never one after a newer one.",
              "parameters": [{"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"}, \#(idempotencyKey)],
              "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LiveActivityUpdate"}}}},
              "responses": {\#(accepted)}
            },
            "delete": {
              "summary": "End a Live Activity", "security": [{"backend": []}],
              "description": "Scope send. On all its phones, also on those whose tokens come later; again, it has no further effect.",
              "parameters": [{"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"}, \#(idempotencyKey)],
              "responses": {\#(accepted)}
            }
          },
          "/v1/live-activities/{id}/timeline": {"get": {
            "summary": "What has happened to a Live Activity on each phone", "security": [{"backend": []}],
            "description": "Scope read. The newest event of each kind: APNs' answers, and the phone's receipts.",
            "parameters": [
              {"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"},
              {"$ref": "#/components/parameters/limit"}, {"$ref": "#/components/parameters/after"}
            ],
            "responses": {
              "200": {"description": "The phones of a page.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LiveActivityTimeline"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/devices/{id}/live-activities": {"post": {
            "summary": "Report what happened to Live Activities, and learn their newest states", "security": [{"installation": []}],
            "description": "A receipt that comes again changes nothing. docs/live-activities.md.",
            "parameters": [{"$ref": "#/components/parameters/device"}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LiveActivityReceipts"}}}},
            "responses": {
              "200": {"description": "The newest states of this phone's Live Activities.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LiveActivityStates"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/live-activities/{id}/end": {"post": {
            "summary": "End a Live Activity, with a last state or a time to dismiss it", "security": [{"backend": []}],
            "description": "Scope send. Like the deletion.",
            "parameters": [{"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"}, \#(idempotencyKey)],
            "requestBody": {"required": false, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LiveActivityEnd"}}}},
            "responses": {\#(accepted)}
          }}
        }
        """#

    private static let idempotencyKey = #"""
        {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string", "minLength": 1, "maxLength": \#(ServiceLimits.idempotencyKeyBytes)},
          "description": "The same key and request change nothing again; another request gets 409."}
        """#

    private static let accepted = #"""
        "202": {"description": "Accepted, durably.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/LiveActivity"}}}},
        "default": {"$ref": "#/components/responses/Problem"}
        """#
}
