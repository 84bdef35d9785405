import CarillonCore

/// Makes the payload keys that another push service's format (``MessageDialect``) requires in addition to Carillon's own.
enum DialectPayload {
    /// Returns the keys that a background push needs if the message is in the format of another push service
    /// (``MessageDialect``).
    ///
    /// The app's code for the other push service makes a notification from these keys.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - shown: the `aps` dictionary of the notification to make.
    /// - Returns: the keys.
    static func silent(_ message: ClaimedMessage, shown: Aps) -> JSONObject {
        switch message.dialect {
        case .carillon: [:]
        case .pushwoosh: pushwoosh(message, shown.alert)
        case .infobip: infobip(message, silent: infobipSilent(shown))
        }
    }

    /// Returns the keys that an alert push needs if the message is in the format of another push service (``MessageDialect``).
    ///
    /// The keys do not include Pushwoosh's `crt`, because an app that understands `crt` would make a second
    /// notification beside the one from iOS.
    static func visible(_ message: ClaimedMessage) -> JSONObject {
        message.dialect == .infobip ? infobip(message, silent: nil) : [:]
    }

    /// Completes the backend's value for a payload key with the members that another push service's format (``MessageDialect``)
    /// requires.
    ///
    /// The backend's members are never replaced. If the backend's value is no object, it stays unchanged.
    ///
    /// - Parameters:
    ///   - own: the backend's value.
    ///   - dialect: the value with the members to add.
    /// - Returns: the joined value.
    static func joined(_ own: JSONValue, _ dialect: JSONValue) -> JSONValue {
        guard case .object(let own) = own, case .object(let dialect) = dialect else { return own }
        return .object(own.merging(dialect) { own, _ in own })
    }

    /// Returns the keys that a message's removal push needs if the message is in the format of another push service
    /// (``MessageDialect``).
    static func removal(_ message: ClaimedMessage) -> JSONObject {
        message.dialect == .pushwoosh ? ["dlt": .string(message.id.rawValue)] : [:]
    }

    /// Returns the keys in Pushwoosh's format.
    ///
    /// The id is a string, because the code in Pushwoosh's article reads it with `as? String`.
    private static func pushwoosh(_ message: ClaimedMessage, _ alert: Alert?) -> JSONObject {
        guard let alert else { return [:] }
        var keys: JSONObject = ["crt": .string(message.id.rawValue)]
        switch alert {
        case .text(let text): keys["title"] = .string(text)
        case .parts(let parts):
            keys["title"] = (parts.title ?? parts.body).map(JSONValue.string)
            keys["subtitle"] = parts.subtitle.map(JSONValue.string)
            if parts.title != nil { keys["body"] = parts.body.map(JSONValue.string) }
        }
        return keys
    }

    private static func infobip(_ message: ClaimedMessage, silent: JSONValue?) -> JSONObject {
        var data = JSONObject()
        data["silent"] = silent
        data["validUntil"] = message.until.map { .int($0.millisecondsSince1970) }
        return ["messageId": .string(message.id.rawValue), "internalData": .object(data)]
    }

    private static func infobipSilent(_ shown: Aps) -> JSONValue? {
        guard let alert = shown.alert else { return nil }
        var keys = JSONObject()
        switch alert {
        case .text(let text): keys["body"] = .string(text)
        case .parts(let parts):
            keys["title"] = parts.title.map(JSONValue.string)
            keys["subtitle"] = parts.subtitle.map(JSONValue.string)
            keys["body"] = parts.body.map(JSONValue.string)
        }
        for key in ["sound", "badge", "category", "thread-id"] { keys[key] = shown.json[key] }
        return .object(keys)
    }
}
