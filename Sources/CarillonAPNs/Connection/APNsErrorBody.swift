import CarillonCore
import Foundation
import NIOCore

/// The JSON that APNs sends with a refusal, and sometimes in the debug data of a GOAWAY:
/// `{"reason": "Unregistered", "timestamp": 1700000000000}`.
struct APNsErrorBody: Sendable, Hashable {
    let reason: APNsReason
    /// The time at which the token became invalid; with status 410 only.
    let timestamp: Timestamp?

    /// Reads the body; one that cannot be understood gives the reason `HTTP <status>`.
    init(status: Int, body: ByteBuffer) {
        if let understood = Self(body) {
            self = understood
        } else {
            reason = APNsReason(rawValue: "HTTP \(status)")
            timestamp = nil
        }
    }

    init?(_ body: ByteBuffer) {
        guard body.readableBytes > 0,
            let json = try? JSONDecoder().decode(JSON.self, from: Data(body.readableBytesView)), !json.reason.isEmpty
        else { return nil }
        reason = APNsReason(rawValue: json.reason)
        timestamp = json.timestamp.map { Timestamp(millisecondsSince1970: $0) }
    }

    private struct JSON: Decodable {
        let reason: String
        let timestamp: Int64?
    }
}
