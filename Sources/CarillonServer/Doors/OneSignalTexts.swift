import CarillonCore

/// The notification's own part of a message in OneSignal's words: its texts in all languages, and the members of `aps`.
enum OneSignalTexts {
    /// Reads the texts and everything that goes into `aps`.
    ///
    /// - Returns: the members `payload`, `localized` and `mode` of `POST /v1/notifications`.
    static func members(_ body: inout ObjectReader) throws(Problem) -> JSONObject {
        var texts: [String: JSONObject] = [:]
        for (theirs, ours) in [("contents", "body"), ("headings", "title"), ("subtitle", "subtitle")] {
            guard let given = body.take(theirs) else { continue }
            guard let byLanguage = given.members else {
                throw .invalid("/\(theirs)", "must be an object with a text for each language, not \(given.kind)")
            }
            for (language, text) in byLanguage.sorted() {
                guard let text = text.stringValue else {
                    throw .invalid("/\(theirs)/\(ObjectReader.escaped(language))", "must be a string, not \(text.kind)")
                }
                guard !text.contains("{{") else {
                    throw .invalid(
                        "/\(theirs)/\(ObjectReader.escaped(language))",
                        "has a variable of OneSignal's templates; Carillon's variables are values for each user in `to`"
                    )
                }
                if !text.isEmpty { texts[language, default: JSONObject()][ours] = .string(text) }
            }
        }
        var aps = try aps(&body)
        var members = JSONObject()
        let isWaking = aps["content-available"] != nil
        if let standard = texts["en"] == nil ? texts.keys.min() : "en" {
            aps["alert"] = texts.removeValue(forKey: standard).map(JSONValue.object)
            if !texts.isEmpty { members["localized"] = .object(texts.mapValues(JSONValue.object)) }
        } else if isWaking, aps["badge"] == nil, aps["sound"] == nil {
            members["mode"] = "silent"
        } else if aps["badge"] == nil, aps["sound"] == nil {
            throw .invalid("/contents", "Message Notifications must have English language content")
        }
        members["payload"] = ["aps": .object(aps)]
        return members
    }

    private static func aps(_ body: inout ObjectReader) throws(Problem) -> JSONObject {
        var aps = JSONObject()
        if try body.takeBool("content_available") == true { aps["content-available"] = 1 }
        if try body.takeBool("mutable_content") == true { aps["mutable-content"] = 1 }
        for (theirs, apples) in [
            ("ios_sound", "sound"), ("ios_category", "category"), ("thread_id", "thread-id"),
            ("target_content_identifier", "target-content-id"),
        ] {
            aps[apples] = try body.takeText(theirs).map(JSONValue.string)
        }
        if let level = try body.takeText("ios_interruption_level") {
            aps["interruption-level"] = .string(level.replacing("_", with: "-"))
        }
        aps["relevance-score"] = body.take("ios_relevance_score")
        let count = try body.takeInteger("ios_badgeCount")
        switch try body.takeText("ios_badgeType") {
        case nil, "None": break
        case "SetTo": aps["badge"] = .int(Int64(count ?? 0))
        case "Increase": aps["badge"] = "auto"
        default: throw .invalid("/ios_badgeType", "must be None, SetTo or Increase")
        }
        return aps
    }
}

/// OneSignal's filters as a condition of Carillon.
enum OneSignalFilters {
    /// Translates a list of filters; those without an operator between them must all hold.
    ///
    /// - Returns: the expression, as in `where`.
    static func expression(_ filters: JSONValue) throws(Problem) -> String {
        guard let list = filters.arrayValue, !list.isEmpty else {
            throw .invalid("/filters", "must be an array of filters, with one at least")
        }
        var (alternatives, current): ([[String]], [String]) = ([], [])
        for (index, element) in list.enumerated() {
            var reader = try ObjectReader(element, pointer: "/filters/\(index)")
            if let word = try reader.takeText("operator") {
                try reader.finish()
                switch word.uppercased() {
                case "AND": continue
                case "OR":
                    alternatives.append(current)
                    current = []
                default: throw .invalid("/filters/\(index)/operator", "must be AND or OR")
                }
                continue
            }
            current.append(try test(&reader, at: index))
            try reader.finish()
        }
        alternatives.append(current)
        guard alternatives.allSatisfy({ !$0.isEmpty }) else {
            throw .invalid("/filters", "has an OR without a filter on each side")
        }
        return alternatives.map { $0.joined(separator: " and ") }.joined(separator: " or ")
    }

    private static func test(_ reader: inout ObjectReader, at index: Int) throws(Problem) -> String {
        let (field, relation) = (try reader.takeText("field"), try reader.takeText("relation"))
        let (key, value) = (try reader.takeText("key"), try reader.takeText("value") ?? "")
        switch (field, relation) {
        case ("tag", "="): return "tag:\(quoted("\(key ?? ""):\(value)"))"
        case ("tag", "!="): return "not tag:\(quoted("\(key ?? ""):\(value)"))"
        case ("tag", "exists"): return "tag:\(quoted("\(key ?? ""):"))*"
        case ("tag", "not_exists"): return "not tag:\(quoted("\(key ?? ""):"))*"
        case ("language", "="): return "locale:\(quoted(value))*"
        case ("language", "!="): return "not locale:\(quoted(value))*"
        case ("tag", _), ("language", _):
            throw .invalid(
                "/filters/\(index)/relation", "must be one of =, !=, exists and not_exists; the last two are for tags")
        default: throw .invalid("/filters/\(index)/field", "must be tag or language: other filters are not known here")
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
