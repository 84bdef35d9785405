import CarillonCore
import Foundation
import NIOCore

/// The JSON of a rejection by APNs: `{"reason": "Unregistered", "timestamp": 1700000000000}`.
///
/// The debug data of a GOAWAY may contain such JSON too.
struct APNsErrorBody: Sendable, Hashable {
    let reason: APNsReason
    /// The time at which the device token became invalid.
    ///
    /// The time is set only for status 410.
    let timestamp: Timestamp?

    /// Parses the body.
    ///
    /// If the body cannot be parsed, the reason is `HTTP <status>`.
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
        private enum Key: CodingKey { case reason, timestamp }

        let reason: String
        let timestamp: Int64?

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            reason = try members.decode(String.self, forKey: .reason)
            // A time that cannot be read must not hide the reason.
            timestamp = (try? members.decode(Int64.self, forKey: .timestamp)).flatMap {
                ClientLimits.plausibleMilliseconds.contains($0) ? $0 : nil
            }
        }
    }
}
