/// The paths and schemas of templates in the OpenAPI description.
enum OpenAPITemplates {
    static let paths = #"""
        {
          "/v1/templates": {"get": {
            "summary": "The app's templates, by name", "description": "Scope read. The newest version of each, without its message. docs/templates.md.", "security": [{"backend": []}],
            "parameters": [{"$ref": "#/components/parameters/topic"}, {"$ref": "#/components/parameters/limit"}, {"$ref": "#/components/parameters/after"}],
            "responses": {
              "200": {"description": "A page.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TemplateList"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/templates/{name}": {
            "get": {
              "summary": "A template", "description": "Scope read. The newest version, or another.", "security": [{"backend": []}],
              "parameters": [{"$ref": "#/components/parameters/template"}, {"$ref": "#/components/parameters/topic"},
                {"name": "version", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": \#(StoreLimits.latestTemplateVersion)}, "description": "The version; the newest one without it."}],
              "responses": {"200": {"$ref": "#/components/responses/Template"}, "default": {"$ref": "#/components/responses/Problem"}}
            },
            "put": {
              "summary": "Store a template", "description": "Scope admin. The body has members of POST /v1/notifications: what the message says, and how. Another content makes another version; the same one changes nothing.", "security": [{"backend": []}],
              "parameters": [{"$ref": "#/components/parameters/template"}, {"$ref": "#/components/parameters/topic"}, {"$ref": "#/components/parameters/ifMatch"}],
              "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewTemplate"}}}},
              "responses": {"200": {"$ref": "#/components/responses/Template"}, "default": {"$ref": "#/components/responses/Problem"}}
            },
            "delete": {
              "summary": "Delete a template with all its versions", "description": "Scope admin. Messages that were sent with it stay.", "security": [{"backend": []}],
              "parameters": [{"$ref": "#/components/parameters/template"}, {"$ref": "#/components/parameters/topic"}],
              "responses": {"204": {"description": "It is deleted."}, "default": {"$ref": "#/components/responses/Problem"}}
            }
          },
          "/v1/templates/{name}/versions": {"get": {
            "summary": "The versions of a template, the newest first", "description": "Scope read. The \#(StoreLimits.templateVersions) newest.", "security": [{"backend": []}],
            "parameters": [{"$ref": "#/components/parameters/template"}, {"$ref": "#/components/parameters/topic"}],
            "responses": {
              "200": {"description": "Without their messages.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TemplateVersions"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/templates/{name}/revert": {"post": {
            "summary": "Return to a version", "description": "Scope admin. A new version gets the content of a former one.", "security": [{"backend": []}],
            "parameters": [{"$ref": "#/components/parameters/template"}, {"$ref": "#/components/parameters/topic"}, {"$ref": "#/components/parameters/ifMatch"}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TemplateRevert"}}}},
            "responses": {"200": {"$ref": "#/components/responses/Template"}, "default": {"$ref": "#/components/responses/Problem"}}
          }},
          "/v1/templates/{name}/render": {"post": {
            "summary": "Show what a template makes, without sending", "description": "Scope read. A value that is missing is refused with its name.", "security": [{"backend": []}],
            "parameters": [{"$ref": "#/components/parameters/template"}, {"$ref": "#/components/parameters/topic"}],
            "requestBody": {"required": false, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TemplateRender"}}}},
            "responses": {
              "200": {"description": "What a phone would get.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Rendered"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }}
        }
        """#

    static let schemas = #"""
        {
          "TemplateName": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,\#(CampaignName.byteLimit)}$"},
          "TemplateValues": {"type": "object", "maxProperties": \#(ServiceLimits.variablesPerUser), "additionalProperties": {"type": ["string", "integer"]}, "propertyNames": {"pattern": "^[A-Za-z_][A-Za-z0-9_.-]{0,\#(TextTemplate.nameBytes - 1)}$"}, "description": "Values of the template's variables, for all recipients."},
          "NewTemplate": {
            "type": "object", "required": ["payload"], "additionalProperties": false,
            "description": "Every text of the payload and of localized may have variables: {{name}}, or {{name|default}}.",
            "properties": {
              "payload": {"type": "object"}, "localized": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/LocalizedText"}},
              "mode": {"enum": ["visible", "silent", "assured"]}, "campaign": {"$ref": "#/components/schemas/TemplateName"},
              "until": {"const": "now"}, "keep_replies": {"type": "boolean"}, "dialect": {"enum": ["carillon", "pushwoosh", "infobip"]},
              "widgets": {"type": "boolean"}, "controls": {"type": "array", "items": {"type": "string"}}
            }
          },
          "Template": {
            "type": "object", "required": ["name", "version", "changed_at", "changed_by"],
            "properties": {
              "name": {"$ref": "#/components/schemas/TemplateName"}, "version": {"type": "integer", "minimum": 1},
              "changed_at": {"$ref": "#/components/schemas/Moment"}, "changed_by": {"type": "string", "description": "The API key or the program that has made this version."},
              "message": {"type": "object", "description": "The stored members; absent in lists."}
            }
          },
          "TemplateList": {
            "type": "object", "required": ["templates"],
            "properties": {"templates": {"type": "array", "items": {"$ref": "#/components/schemas/Template"}}, "next": {"type": "string"}}
          },
          "TemplateVersions": {
            "type": "object", "required": ["name", "versions"],
            "properties": {"name": {"$ref": "#/components/schemas/TemplateName"}, "versions": {"type": "array", "items": {"$ref": "#/components/schemas/Template"}}}
          },
          "TemplateRevert": {
            "type": "object", "required": ["version"], "additionalProperties": false,
            "properties": {"version": {"type": "integer", "minimum": 1, "maximum": \#(StoreLimits.latestTemplateVersion)}}
          },
          "TemplateRender": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "with": {"$ref": "#/components/schemas/TemplateValues"}, "user": {"$ref": "#/components/schemas/User", "description": "In the language of this user's newest installation."},
              "language": {"type": "string", "description": "A locale such as de or pt-BR, in the place of a user's."},
              "version": {"type": "integer", "minimum": 1, "maximum": \#(StoreLimits.latestTemplateVersion)}
            }
          },
          "Rendered": {
            "type": "object", "required": ["name", "version", "payload"],
            "properties": {
              "name": {"$ref": "#/components/schemas/TemplateName"}, "version": {"type": "integer", "minimum": 1},
              "language": {"type": "string", "description": "Of the texts; absent for those of the payload itself."},
              "payload": {"type": "object", "description": "As a phone gets it, without Carillon's own key."},
              "bytes": {"type": "integer", "description": "Of the largest push, with everything that Carillon adds."}
            }
          }
        }
        """#
}
