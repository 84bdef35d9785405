/// The paths of webhooks in the OpenAPI description.
enum OpenAPIWebhookPaths {
    static let webhooks = #"""
        {
          "/v1/webhooks": {
            "get": {
              "summary": "The app's webhooks", "description": "Scope read.", "security": [{"backend": []}],
              "parameters": [{"$ref": "#/components/parameters/topic"}],
              "responses": {
                "200": {"description": "By age.", "content": {"application/json": {"schema": {"type": "object", "required": ["webhooks"], "properties": {"webhooks": {"type": "array", "items": {"$ref": "#/components/schemas/Webhook"}}}}}}},
                "default": {"$ref": "#/components/responses/Problem"}
              }
            },
            "post": {
              "summary": "Have events posted to an address", "security": [{"backend": []}],
              "description": "Scope admin. The webhook gets the events from now on. The answer has its secret, which no other call shows. docs/webhooks.md.",
              "parameters": [{"$ref": "#/components/parameters/topic"}, {"$ref": "#/components/parameters/idempotencyKey"}],
              "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewWebhook"}}}},
              "responses": {"200": {"$ref": "#/components/responses/Webhook"}, "default": {"$ref": "#/components/responses/Problem"}}
            }
          },
          "/v1/webhooks/{id}": {
            "get": {
              "summary": "A webhook, and what its endpoint last said", "description": "Scope read.", "security": [{"backend": []}],
              "parameters": [{"$ref": "#/components/parameters/webhook"}, {"$ref": "#/components/parameters/topic"}],
              "responses": {"200": {"$ref": "#/components/responses/Webhook"}, "default": {"$ref": "#/components/responses/Problem"}}
            },
            "patch": {
              "summary": "Change a webhook, or let one go on that is set aside", "description": "Scope admin. A request that is being tried keeps its events.", "security": [{"backend": []}],
              "parameters": [{"$ref": "#/components/parameters/webhook"}, {"$ref": "#/components/parameters/topic"}, {"$ref": "#/components/parameters/ifMatch"}],
              "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/WebhookChange"}}}},
              "responses": {"200": {"$ref": "#/components/responses/Webhook"}, "default": {"$ref": "#/components/responses/Problem"}}
            },
            "delete": {
              "summary": "Delete a webhook", "description": "Scope admin. A request under way may still arrive.", "security": [{"backend": []}],
              "parameters": [{"$ref": "#/components/parameters/webhook"}, {"$ref": "#/components/parameters/topic"}],
              "responses": {"204": {"description": "It is deleted."}, "default": {"$ref": "#/components/responses/Problem"}}
            }
          },
          "/v1/webhooks/{id}/rotate": {"post": {
            "summary": "Give a webhook another secret", "description": "Scope admin. For a day, requests are signed with the former one too.", "security": [{"backend": []}],
            "parameters": [{"$ref": "#/components/parameters/webhook"}, {"$ref": "#/components/parameters/topic"}, {"$ref": "#/components/parameters/idempotencyKey"}],
            "responses": {"200": {"$ref": "#/components/responses/Webhook"}, "default": {"$ref": "#/components/responses/Problem"}}
          }},
          "/v1/webhooks/{id}/replay": {"post": {
            "summary": "Tell a webhook events again", "description": "Scope admin. From a time on, as far as events are kept; in requests with new ids.", "security": [{"backend": []}],
            "parameters": [{"$ref": "#/components/parameters/webhook"}, {"$ref": "#/components/parameters/topic"}, {"$ref": "#/components/parameters/idempotencyKey"}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/WebhookReplay"}}}},
            "responses": {"200": {"$ref": "#/components/responses/Webhook"}, "default": {"$ref": "#/components/responses/Problem"}}
          }},
          "/v1/webhooks/{id}/test": {"post": {
            "summary": "Post a test event to a webhook", "description": "Scope admin. The event webhook.test comes after those that wait.", "security": [{"backend": []}],
            "parameters": [{"$ref": "#/components/parameters/webhook"}, {"$ref": "#/components/parameters/topic"}, {"$ref": "#/components/parameters/idempotencyKey"}],
            "responses": {"200": {"$ref": "#/components/responses/Webhook"}, "default": {"$ref": "#/components/responses/Problem"}}
          }}
        }
        """#
}
