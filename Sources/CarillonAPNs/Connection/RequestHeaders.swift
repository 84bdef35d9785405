import CarillonCore
import Foundation
import NIOHPACK

/// The header block of a request, checked and built once, at the client's edge; the HTTP/2 layer checks nothing again.
///
/// What repeats from one notification to the next enters HPACK's table; what does not, or is secret, never does. Apple:
/// ":path and authorization values … literal header field without indexing".
struct RequestHeaders: Sendable {
    /// Apple: "at most 64 bytes".
    static let collapseIDByteLimit = 64
    /// Far above any bundle id; keeps the header block within one frame.
    static let topicByteLimit = 1024

    let endpoint: APNsEndpoint

    /// - Throws: ``APNsError/Code/invalidNotification`` naming the property at fault.
    func block(
        for notification: APNsNotification, apnsIDText: String, usesTokens: Bool
    ) throws(APNsError) -> HPACKHeaders {
        try Self.check(notification)
        guard usesTokens || notification.pushType != .location else {
            throw .invalidNotification(
                "APNs takes location pushes with a signing key only.", advice: "Use token authentication.")
        }
        var headers = HPACKHeaders()
        headers.reserveCapacity(13)
        headers.add(name: ":method", value: "POST", indexing: .indexable)
        headers.add(name: ":scheme", value: "https", indexing: .indexable)
        headers.add(name: ":authority", value: endpoint.description, indexing: .indexable)
        headers.add(name: ":path", value: "/3/device/" + notification.deviceToken.hex, indexing: .nonIndexable)
        headers.add(name: "apns-topic", value: notification.topic, indexing: .indexable)
        headers.add(name: "apns-push-type", value: notification.pushType.rawValue, indexing: .indexable)
        headers.add(name: "apns-id", value: apnsIDText, indexing: .nonIndexable)
        headers.add(name: "apns-priority", value: String(notification.priority.rawValue), indexing: .indexable)
        switch notification.expiration {
        case .unspecified: break
        case .oneAttempt: headers.add(name: "apns-expiration", value: "0", indexing: .indexable)
        case .at(let moment):
            headers.add(name: "apns-expiration", value: String(moment.secondsSince1970), indexing: .indexable)
        }
        if let collapseID = notification.collapseID {
            headers.add(name: "apns-collapse-id", value: collapseID, indexing: .indexable)
        }
        headers.add(name: "content-length", value: String(notification.payload.byteCount), indexing: .indexable)
        return headers
    }

    private static func check(_ notification: APNsNotification) throws(APNsError) {
        try checkText(notification.topic, named: "topic", byteLimit: topicByteLimit)
        if let collapseID = notification.collapseID {
            try checkText(collapseID, named: "collapse id", byteLimit: collapseIDByteLimit)
        }
        let byteCount = notification.payload.byteCount
        guard byteCount > 0 else {
            throw .invalidNotification("The payload is empty.", advice: "Send JSON with an aps dictionary.")
        }
        let byteLimit = notification.pushType.payloadByteLimit
        guard byteCount <= byteLimit else {
            throw .invalidNotification(
                "The payload has \(byteCount) bytes; a \(notification.pushType.rawValue) push has at most \(byteLimit).",
                advice: "Shorten it, or let the app fetch the rest.")
        }
        if case .at(let moment) = notification.expiration, moment.secondsSince1970 < 1 {
            throw .invalidNotification(
                "The expiration \(moment) lies before 1970.", advice: "Use .oneAttempt for no storage.")
        }
        if notification.pushType == .background, notification.priority == .immediate {
            throw .invalidNotification(
                "A background push with priority 10 is an error.", advice: "Use .considerate (5) or .conserving (1).")
        }
    }

    /// [RFC 9113 §8.2.1](https://www.rfc-editor.org/rfc/rfc9113#section-8.2.1): no control characters, no space at
    /// either end.
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
