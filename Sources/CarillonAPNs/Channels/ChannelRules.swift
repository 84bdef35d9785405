import CarillonCore

/// The checks of broadcasts and of requests about channels, before they are submitted.
enum ChannelRules {
    /// Checks that a bundle id can be part of a path.
    ///
    /// - Throws: ``APNsError/Code/invalidNotification`` for a bundle id that cannot be part of a path.
    static func check(bundleID: String) throws(APNsError) {
        let bytes = bundleID.utf8
        let isName = bytes.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2D || byte == 0x2E || byte == 0x5F
        }
        guard isName, (1...ClientLimits.bundleIDByteLimit).contains(bytes.count) else {
            throw .invalidNotification(
                "The bundle id is none.",
                advice: "It has 1 to \(ClientLimits.bundleIDByteLimit) letters, digits, hyphens and periods, without a "
                    + "push type's suffix.")
        }
    }

    /// Checks that a channel id can be the value of a header.
    ///
    /// - Throws: ``APNsError/Code/invalidNotification`` for a channel id that cannot be the value of a header.
    static func check(channelID: String) throws(APNsError) {
        let bytes = channelID.utf8
        guard (1...ClientLimits.channelIDByteLimit).contains(bytes.count),
            bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw .invalidNotification(
                "The channel id is none.", advice: "Use the id that creating the channel returned, unchanged.")
        }
    }

    /// Checks a broadcast.
    ///
    /// - Throws: ``APNsError/Code/invalidNotification`` with the name of the invalid property.
    static func check(_ broadcast: APNsBroadcast) throws(APNsError) {
        try check(bundleID: broadcast.bundleID)
        try check(channelID: broadcast.channelID)
        let byteCount = broadcast.payload.byteCount
        let byteLimit = PushTypeRule.broadcast.payloadByteLimit
        guard (1...byteLimit).contains(byteCount) else {
            throw .invalidNotification(
                "The payload has \(byteCount) bytes; of a broadcast it may have \(byteLimit).",
                advice: byteCount == 0
                    ? "Send JSON with an aps dictionary." : "Shorten it, or let the app fetch the rest.")
        }
        if case .at(let moment) = broadcast.expiration, moment.secondsSince1970 < 1 {
            throw .invalidNotification(
                "The expiration \(moment) lies before 1970.",
                advice: "Use the expiration 0 for one attempt without storage.")
        }
    }
}
