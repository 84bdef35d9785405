import CarillonCore
import Foundation
import NIOCore

/// One encoded event of the page's stream
/// ([HTML, server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html)).
struct ServerSentEvent: Sendable {
    let bytes: ByteBuffer

    /// Encodes an event.
    ///
    /// - Parameters:
    ///   - name: the event's name.
    ///   - data: the value. Its JSON is one line, because JSON escapes line breaks.
    /// - Throws: any error of encoding `data`.
    init(_ name: String, _ data: some Encodable) throws {
        var bytes = ByteBuffer(string: "event: \(name)\ndata: ")
        bytes.writeBytes(try CarillonJSON.encode(data))
        bytes.writeString("\n\n")
        self.bytes = bytes
    }

    /// Joins several events, so that they are written together.
    init(joining events: [ServerSentEvent]) {
        bytes = events.reduce(into: ByteBuffer()) { bytes, event in
            var next = event.bytes
            bytes.writeBuffer(&next)
        }
    }

    private init(comment: String) { bytes = ByteBuffer(string: ": \(comment)\n\n") }

    /// A comment that clients ignore.
    ///
    /// Writing the comment reveals whether the connection still exists.
    static let heartbeat = ServerSentEvent(comment: "still here")
}
