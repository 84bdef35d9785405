extension OpenAPIPaths {
    static let steering = #"""
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
          "/v1/devices/import": {"post": {
            "summary": "Import devices that another provider knew", "security": [{"backend": []}],
            "description": "Scope users. Read as it comes, however long; the same file again changes nothing. An installation that is registered is never changed; one that registers with an imported token takes that device over. docs/import.md.",
            "parameters": [
              {"$ref": "#/components/parameters/topic"},
              {"name": "environment", "in": "query", "schema": {"enum": ["production", "sandbox"], "default": "production"}, "description": "For records that name none."},
              {"name": "after_line", "in": "query", "schema": {"type": "integer", "minimum": 0}, "description": "Goes on after that line of the file: the `line` of an earlier report."}
            ],
            "requestBody": {"required": true, "content": {
              "application/x-ndjson": {"schema": {"type": "string", "description": "An ImportRecord a line."}, "examples": {"one": {"value": "{\"token\": \"00aa\", \"user\": \"u-1\", \"tags\": [\"vip\"]}\n"}}},
              "text/csv": {"schema": {"type": "string", "description": "The first line names the columns."}, "examples": {"one": {"value": "token,user,tags\n00aa,u-1,vip;beta\n"}}}
            }},
            "responses": {
              "200": {"description": "What became of the records.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ImportReport"}}}},
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
