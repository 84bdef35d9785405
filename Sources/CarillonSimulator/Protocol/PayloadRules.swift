import NIOCore

/// Makes the check `payload`.
enum PayloadRules {
    /// Checks the size, and that the payload is a JSON dictionary with content.
    ///
    /// Some pushes need no content: those whose rule does not demand `aps`, and those of Wallet passes, for which
    /// Apple asks for `{}`
    /// ([Adding a web service to update passes](https://developer.apple.com/documentation/walletpasses/adding-a-web-service-to-update-passes)).
    /// Of other payloads APNs takes any that is not empty, `aps` or not; strict rules demand an `aps` with content.
    /// - Parameters:
    ///   - payload: the body, or the part of it that was kept.
    ///   - byteCount: the number of received bytes.
    ///   - rule: the rule of the push type.
    ///   - bundleID: the app's bundle id, or a pass type identifier.
    ///   - isStrict: see ``SimulatorConfiguration/isStrict``.
    /// - Returns: the tolerated breach of a strict rule; `nil` for none.
    /// - Throws: ``Rejection`` with PayloadTooLarge or PayloadEmpty.
    static func check(
        _ payload: ByteBuffer, byteCount: Int, rule: PushTypeRule, bundleID: String, isStrict: Bool
    ) throws(Rejection) -> String? {
        guard byteCount <= rule.payloadByteLimit else {
            throw Rejection(
                .payloadTooLarge, by: .payload,
                detail: "the payload has \(byteCount) bytes, at most \(rule.payloadByteLimit) are allowed")
        }
        let shape = payload.withUnsafeReadableBytes { PayloadShape(reading: $0) }
        switch shape {
        case .nothing:
            throw Rejection(.payloadEmpty, by: .payload, detail: "there is no payload")
        case .malformed:
            throw Rejection(.payloadEmpty, by: .payload, detail: "the payload is not one JSON dictionary in UTF-8")
        case .dictionary(let aps, let hasOther):
            guard aps != .filled, rule.needsAps, !bundleID.hasPrefix(passTypePrefix) else { return nil }
            let flaw = aps == .absent ? "the payload has no aps dictionary" : "the aps dictionary is empty"
            guard hasOther, !isStrict else { throw Rejection(.payloadEmpty, by: .payload, detail: flaw) }
            return "accepted: \(flaw)"
        }
    }

    /// The prefix of the identifiers of Wallet passes, which are the topics of their pushes.
    private static let passTypePrefix = "pass."
}
