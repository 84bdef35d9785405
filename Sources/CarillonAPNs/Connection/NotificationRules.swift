import CarillonCore

/// The checks that a notification must pass before the client sends it.
///
/// Notifications are checked once, when they are submitted. So an invalid notification never reaches a connection, and the
/// HTTP/2 layer need not check it again.
enum NotificationRules {
    /// The greatest length of a collapse id, in bytes.
    ///
    /// Apple: "The value of this key must not exceed 64 bytes" ([Sending notification
    /// requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
    static let collapseIDByteLimit = 64

    /// Checks a notification.
    ///
    /// - Throws: ``APNsError/Code/invalidNotification`` with the name of the invalid property.
    static func check(_ notification: APNsNotification, usesTokens: Bool) throws(APNsError) {
        try checkText(notification.topic, named: "topic", byteLimit: ClientLimits.topicByteLimit)
        if let collapseID = notification.collapseID {
            try checkText(collapseID, named: "collapse id", byteLimit: collapseIDByteLimit)
        }
        try checkPayload(notification)
        if case .at(let moment) = notification.expiration, moment.secondsSince1970 < 1 {
            throw .invalidNotification(
                "The expiration \(moment) lies before 1970.",
                advice: "Use the expiration 0 for one attempt without storage.")
        }
        let rule = notification.pushType.rule
        if notification.priority == .immediate, !rule.allowsImmediatePriority {
            throw .invalidNotification(
                "A background push with priority 10 is an error.", advice: "Use priority 5 or 1.")
        }
        guard usesTokens || rule.credential != .tokenOnly else {
            throw .invalidNotification(
                "APNs takes location pushes with a signing key only.", advice: "Use token authentication.")
        }
    }

    /// Checks the size of the payload.
    ///
    /// The client does not parse the payload; APNs reports other mistakes in it.
    private static func checkPayload(_ notification: APNsNotification) throws(APNsError) {
        let byteCount = notification.payload.byteCount
        guard byteCount > 0 else {
            throw .invalidNotification("The payload is empty.", advice: "Send JSON with an aps dictionary.")
        }
        let byteLimit = notification.pushType.rule.payloadByteLimit
        guard byteCount <= byteLimit else {
            throw .invalidNotification(
                "The payload has \(byteCount) bytes; with push type \(notification.pushType.rawValue) it may have "
                    + "\(byteLimit).",
                advice: "Shorten it, or let the app fetch the rest.")
        }
    }

    /// Checks that a header's value has no control characters, and no space at either end.
    ///
    /// [RFC 9113 §8.2.1](https://www.rfc-editor.org/rfc/rfc9113#section-8.2.1) requires this.
    private static func checkText(_ text: String, named name: String, byteLimit: Int) throws(APNsError) {
        let bytes = text.utf8
        guard !bytes.isEmpty, bytes.count <= byteLimit else {
            throw .invalidNotification(
                "The \(name) has \(bytes.count) bytes.", advice: "It must have 1 to \(byteLimit).")
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), bytes.first != 0x20, bytes.last != 0x20 else {
            throw .invalidNotification(
                "The \(name) has a control character, or a space at its end.",
                advice: "It must be usable as a header value.")
        }
    }
}
