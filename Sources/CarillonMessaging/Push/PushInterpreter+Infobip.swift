import CarillonCore

extension PushInterpreter {
    /// Reads Infobip's `messageId` and `internalData`; `nil` when the payload does not conform, which is the branch
    /// in which Infobip's own guard forwards it to the app's delegate.
    ///
    /// The other three branches become: `until` (the expiry guard vetoes), a local notification (`silent` without
    /// `inAppDetails`), and the ordinary way (an alert, or a message for inside the app).
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

    /// Objective-C's `dictionary[key] != nil`, except that JSON's `null` counts as absent.
    private static func isPresent(_ value: JSONValue?) -> Bool { value != nil && value != .null }

    private static func milliseconds(_ value: JSONValue) -> Timestamp? {
        let number = value.doubleValue ?? value.stringValue.flatMap(Double.init)
        return number.flatMap { Int64(exactly: $0.rounded()) }.map { Timestamp(millisecondsSince1970: $0) }
    }

    /// The native `aps` with the texts and the sound of `silent` laid over it.
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
