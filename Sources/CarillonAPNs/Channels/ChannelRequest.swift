import Foundation
import NIOCore

/// A broadcast, or a request about channels, as sent to APNs.
struct ChannelRequest: Sendable {
    enum Method: Sendable { case get, post, delete }

    let method: Method
    let path: String
    /// The header fields that other requests do not have.
    var fields: [(name: String, value: String)] = []
    var body = ByteBuffer()
    /// `apns-request-id`.
    let id: UUID
    /// The size limit of a successful answer's JSON, in bytes.
    var answerByteLimit = 0

    let reply = ChannelReply()

    var isBroadcast: Bool { answerByteLimit == 0 }
}
