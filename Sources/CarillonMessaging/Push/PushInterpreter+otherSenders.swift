import CarillonCore

extension PushInterpreter {
    /// Reads Pushwoosh's keys, such as `{"crt": 1, "title": "hello there"}` and `{"dlt": 1}`; returns `nil` without `crt` and
    /// `dlt`.
    ///
    /// Pushwoosh's article on deletable pushes reads the ids `as? String`, although the ids in its example are numbers. This
    /// method accepts both. The keys may be at the top level or, as Pushwoosh sends custom data, in a JSON text under `u`.
    func pushwoosh(_ payload: [String: JSONValue]) -> PushInstructions? {
        let data = pushwooshCustomData(payload)
        let creation = data["crt"].flatMap(Self.plainText)
        let deletion = data["dlt"].flatMap(Self.plainText)
        guard creation != nil || deletion != nil else { return nil }
        var instructions = PushInstructions(dialect: .pushwoosh)
        instructions.removals =
            deletion.map { [PushRemoval(identifier: MessageDialect.pushwooshIdentifierPrefix + $0)] } ?? []
        if let creation {
            let identifier = MessageDialect.pushwooshIdentifierPrefix + creation
            let presentation = pushwooshPresentation(identifier, data: data, payload: payload)
            instructions.message = PushMessage(identifier: identifier, presentation: presentation)
            if presentation == .nothing { instructions.problem = "crt has no title to show" }
        }
        return instructions
    }

    private func pushwooshPresentation(
        _ identifier: String, data: [String: JSONValue], payload: [String: JSONValue]
    ) -> PushMessage.Presentation {
        if isAlert(payload) { return .bySystem }
        guard let title = data["title"].flatMap(Self.plainText), !title.isEmpty else { return .nothing }
        let alert = Alert.Parts(
            title: title, subtitle: data["subtitle"].flatMap(Self.plainText), body: data["body"].flatMap(Self.plainText)
        )
        return .local(LocalNotification(identifier: identifier, aps: Aps(alert: .parts(alert)), userInfo: payload))
    }

    private func pushwooshCustomData(_ payload: [String: JSONValue]) -> [String: JSONValue] {
        let nested: [String: JSONValue]? =
            switch payload["u"] {
            case .string(let text)?: (try? JSONValue(parsing: text))?.objectValue
            case .object(let members)?: members.dictionary
            default: nil
            }
        return payload.merging(nested ?? [:]) { _, inner in inner }
    }

    /// Returns a non-empty text, or a number in decimal notation without a superfluous fraction; `nil` for any other value.
    static func plainText(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text.isEmpty ? nil : text
        case .int(let number): String(number)
        case .double(let number): value.intValue.map(String.init) ?? String(number)
        case .number(let text):
            // A whole number keeps its digits, because it is an id.
            Int64(text) == nil && text.utf8.allSatisfy { $0 != 0x2E && $0 | 0x20 != 0x65 }
                ? text : value.intValue.map(String.init) ?? value.doubleValue.map { String($0) }
        default: nil
        }
    }
}

extension PushInterpreter {
    /// Reads Infobip's `messageId` and `internalData`; returns `nil` if the payload does not have Infobip's format.
    ///
    /// The members of `internalData` decide what happens with the message:
    /// - With `inAppDetails`, the app shows the message in its own screens.
    /// - With `silent` and without `inAppDetails`, the SDK shows the message as a local notification.
    /// - Without both, iOS shows the message if the push has an alert; otherwise nothing is shown.
    /// - A time in `validUntil` becomes the message's expiration, ``PushMessage/until``.
    func infobip(_ payload: [String: JSONValue]) -> PushInstructions? {
        guard let identifier = payload["messageId"].flatMap(Self.plainText), payload["aps"]?.objectValue != nil
        else { return nil }
        let data = payload["internalData"]?.objectValue ?? [:]
        var message = PushMessage(identifier: identifier, presentation: isAlert(payload) ? .bySystem : .nothing)
        message.until = data["validUntil"].flatMap(Self.milliseconds)
        var problem: String?
        if Self.isPresent(data["inAppDetails"]) {
            message.presentation = .inApp
        } else if let silent = data["silent"], Self.isPresent(silent) {
            (message.presentation, problem) = infobipLocal(silent, identifier: identifier, in: payload)
        }
        return PushInstructions(dialect: .infobip, message: message, problem: problem)
    }

    /// Returns whether a value is present, like Objective-C's `dictionary[key] != nil`; JSON's `null` counts as absent.
    private static func isPresent(_ value: JSONValue?) -> Bool { value != nil && value != .null }

    private static func milliseconds(_ value: JSONValue) -> Timestamp? {
        let number = value.doubleValue ?? value.stringValue.flatMap(Double.init)
        return number.flatMap { Int64(exactly: $0.rounded()) }.map { Timestamp(millisecondsSince1970: $0) }
    }

    /// Makes a local notification from the push's `aps` and Infobip's object `silent`, whose values have precedence.
    ///
    /// - Returns: the presentation, and the reason if there is nothing to show.
    private func infobipLocal(
        _ silent: JSONValue, identifier: String, in payload: [String: JSONValue]
    ) -> (PushMessage.Presentation, String?) {
        var members = payload["aps"]?.objectValue ?? [:]
        let alert = ["title", "subtitle", "body"].reduce(into: [String: JSONValue]()) { alert, key in
            alert[key] = silent[key].flatMap(Self.plainText).map(JSONValue.string)
        }
        if !alert.isEmpty { members["alert"] = .object(alert) }
        for key in ["alert", "sound", "badge", "category", "thread-id"] where silent[key] != nil {
            members[key] = silent[key]
        }
        do {
            let aps = try Aps(json: .object(members))
            let notification = LocalNotification(identifier: identifier, aps: aps, userInfo: payload)
            return notification.hasText
                ? (.local(notification), nil) : (.nothing, "internalData.silent has no text to show")
        } catch {
            return (.nothing, "internalData.silent cannot be shown: \(error)")
        }
    }
}
