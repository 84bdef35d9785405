/// The part of the OpenAPI description about figures.
enum OpenAPIFigures {
    static let paths = #"""
        {
          "/v1/figures": {"get": {
            "summary": "What has happened, counted by day", "security": [{"backend": []}],
            "description": "Scope read. Figures of the app, or of one of its campaigns or messages. They are counted as things happen, in the transaction that makes them durable. docs/figures.md.",
            "parameters": [
              {"$ref": "#/components/parameters/topic"},
              {"$ref": "#/components/parameters/from"}, {"$ref": "#/components/parameters/to"},
              {"name": "campaign", "in": "query", "schema": {"$ref": "#/components/schemas/Campaign"}, "description": "Only messages of this campaign."},
              {"name": "message", "in": "query", "schema": {"$ref": "#/components/schemas/MessageID"}, "description": "Only this message. Not together with `campaign`."}
            ],
            "responses": {
              "200": {"description": "The sums, and the days on which something was counted.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/FigureReport"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }},
          "/v1/figures/campaigns": {"get": {
            "summary": "The app's campaigns, each with its figures", "security": [{"backend": []}],
            "description": "Scope read. By name; campaigns for which something was counted on these days.",
            "parameters": [
              {"$ref": "#/components/parameters/topic"},
              {"$ref": "#/components/parameters/from"}, {"$ref": "#/components/parameters/to"},
              {"$ref": "#/components/parameters/limit"},
              {"name": "after", "in": "query", "schema": {"$ref": "#/components/schemas/Campaign"}, "description": "The `next` of the page before."}
            ],
            "responses": {
              "200": {"description": "The sums of each campaign over the days.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/CampaignFigures"}}}},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }}
        }
        """#

    static let schemas = #"""
        {
          "Campaign": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,\#(CampaignName.byteLimit)}$", "description": "Your name for messages that belong together."},
          "Day": {"type": "string", "format": "date", "description": "A day in UTC."},
          "Figures": {
            "type": "object", "required": [\#(figureNames.map { "\"\($0)\"" }.joined(separator: ", ")), "failures", "shown_within"],
            "description": "A device counts once for each revision of a message. accepted: APNs has taken the push. failed: it was given up, for a reason in failures. received to dismissed: as the phone reports. opt_outs and unregistered are of no message: people who switched notifications off, and devices whose token APNs does not know any more.",
            "properties": {
              \#(figureNames.map { "\"\($0)\": {\"type\": \"integer\", \"minimum\": 0}" }.joined(separator: ", ")),
              "failures": {"type": "object", "additionalProperties": {"type": "integer"}, "description": "By APNs' reason, or unanswered."},
              "shown_within": {"type": "object", "additionalProperties": {"type": "integer"}, "description": "Messages that were shown, by the seconds from APNs' acceptance to the display: each bound has those above the bound before, and more has the rest. The bounds are \#(Figure.bounds.map { "\($0)" }.joined(separator: ", "))."}
            }
          },
          "FigureReport": {
            "type": "object", "required": ["from", "to", "total", "days"],
            "properties": {
              "from": {"$ref": "#/components/schemas/Day"}, "to": {"$ref": "#/components/schemas/Day"},
              "message": {"$ref": "#/components/schemas/MessageID"}, "campaign": {"$ref": "#/components/schemas/Campaign"},
              "total": {"$ref": "#/components/schemas/Figures"},
              "days": {"type": "array", "items": {"allOf": [{"$ref": "#/components/schemas/Figures"}, {"type": "object", "required": ["day"], "properties": {"day": {"$ref": "#/components/schemas/Day"}}}]}}
            }
          },
          "CampaignFigures": {
            "type": "object", "required": ["from", "to", "campaigns"],
            "properties": {
              "from": {"$ref": "#/components/schemas/Day"}, "to": {"$ref": "#/components/schemas/Day"},
              "campaigns": {"type": "array", "items": {"allOf": [{"$ref": "#/components/schemas/Figures"}, {"type": "object", "required": ["campaign"], "properties": {"campaign": {"$ref": "#/components/schemas/Campaign"}}}]}},
              "next": {"$ref": "#/components/schemas/Campaign"}
            }
          }
        }
        """#

    private static let figureNames = [
        "accepted", "failed", "received", "shown", "opened", "acted", "dismissed", "opt_outs", "unregistered",
    ]
}
