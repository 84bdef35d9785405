import Foundation
import NIOCore

/// A broadcast, or a request that manages channels, in the form that APNs expects.
struct ChannelRequest: Sendable {
    enum Method: Sendable { case get, post, delete }

    let method: Method
    let path: String
    /// The additional header fields, such as `apns-channel-id`.
    var fields: [(name: String, value: String)] = []
    var body = ByteBuffer()
    /// `apns-request-id`: the id of this request.
    let id: UUID
    /// The size limit of a successful answer's JSON, in bytes.
    var answerByteLimit = 0

    let reply = ChannelReply()

    var isBroadcast: Bool { answerByteLimit == 0 }
}
