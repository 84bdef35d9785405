extension OpenAPIDocument {
    static let steeringPaths = #"""
        {
          "/v1/notifications/{id}/pause": {"post": {
            "summary": "Stop a message for a while", "description": "Scope send. Nothing of it is sent until it is resumed; what has gone out stays. It has no effect where nothing is left to be sent.",
            "security": [{"backend": []}], "parameters": [{"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"}],
            "responses": {
              "200": {"description": "Where the message stands now.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Report"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/notifications/{id}/resume": {"post": {
            "summary": "Let a paused message go on", "description": "Scope send. One whose time has come meanwhile is sent at once.",
            "security": [{"backend": []}], "parameters": [{"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"}],
            "responses": {
              "200": {"description": "Where the message stands now.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Report"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/notifications/{id}/cancel": {"post": {
            "summary": "Stop a message for good", "description": "Scope send. What has not gone out is not sent; what has stays on the phones, unlike with a recall. It has no effect where nothing is left to be sent.",
            "security": [{"backend": []}], "parameters": [{"$ref": "#/components/parameters/message"}, {"$ref": "#/components/parameters/topic"}],
            "responses": {
              "200": {"description": "Where the message stands now.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Report"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/app": {
            "get": {
              "summary": "The app's settings", "description": "Scope read.", "security": [{"backend": []}],
              "parameters": [{"$ref": "#/components/parameters/topic"}],
              "responses": {
                "200": {"description": "As they are.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/App"}}}},
                "default": {"$ref": "#/components/responses/Problem"}
              }
            },
            "patch": {
              "summary": "Change the app's settings", "description": "Scope admin.", "security": [{"backend": []}],
              "parameters": [{"$ref": "#/components/parameters/topic"}],
              "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/AppChange"}}}},
              "responses": {
                "200": {"description": "As they are now.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/App"}}}},
                "default": {"$ref": "#/components/responses/Problem"}
              }
            }
          }
        }
        """#
}
