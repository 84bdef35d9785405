import NIOCore

/// The check `payload`.
enum PayloadRules {
    /// Checks the size and that the payload is a JSON dictionary with `aps`.
    ///
    /// - Parameters:
    ///   - payload: the body, or as much of it as was kept.
    ///   - byteCount: the bytes that came.
    ///   - rule: what the push type allows.
    /// - Throws: ``Rejection`` with PayloadTooLarge or PayloadEmpty.
    static func check(_ payload: ByteBuffer, byteCount: Int, rule: PushTypeRule) throws(Rejection) {
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
        case .dictionary(let aps):
            guard aps == .filled || !rule.needsAps else {
                throw Rejection(
                    .payloadEmpty, by: .payload,
                    detail: aps == .absent ? "the payload has no aps dictionary" : "the aps dictionary is empty")
            }
        }
    }
}
