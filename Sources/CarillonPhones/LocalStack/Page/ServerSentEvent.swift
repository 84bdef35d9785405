import CarillonCore
import Foundation
import NIOCore

/// One event of the page's stream, ready to be written
/// ([HTML, server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html)).
struct ServerSentEvent: Sendable {
    let bytes: ByteBuffer

    /// - Parameters:
    ///   - name: the event's name, which the page listens for.
    ///   - data: the value, written as one line of JSON: JSON's own escapes leave no line breaks in it.
    /// - Throws: any error of encoding `data`.
    init(_ name: String, _ data: some Encodable) throws {
        var bytes = ByteBuffer(string: "event: \(name)\ndata: ")
        bytes.writeBytes(try CarillonJSON.encode(data))
        bytes.writeString("\n\n")
        self.bytes = bytes
    }

    /// Joins several events that are written together.
    init(joining events: [ServerSentEvent]) {
        bytes = events.reduce(into: ByteBuffer()) { bytes, event in
            var next = event.bytes
            bytes.writeBuffer(&next)
        }
    }

    private init(comment: String) { bytes = ByteBuffer(string: ": \(comment)\n\n") }

    /// An empty comment: writing it shows whether the connection still exists.
    static let heartbeat = ServerSentEvent(comment: "still here")
}
