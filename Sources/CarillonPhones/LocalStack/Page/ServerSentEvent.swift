import CarillonCore
import Foundation
import NIOCore

/// One event of the page's stream, ready to be written
/// ([HTML, server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html)).
struct ServerSentEvent: Sendable {
    let bytes: ByteBuffer

    /// - Parameters:
    ///   - name: the event's name, which the page listens for.
    ///   - data: written as one line of JSON: JSON's own escapes leave no line breaks in it.
    /// - Throws: what `data` throws while it is encoded.
    init(_ name: String, _ data: some Encodable) throws {
        var bytes = ByteBuffer(string: "event: \(name)\ndata: ")
        bytes.writeBytes(try CarillonJSON.encode(data))
        bytes.writeString("\n\n")
        self.bytes = bytes
    }

    /// Several events that are written together.
    init(joining events: [ServerSentEvent]) {
        bytes = events.reduce(into: ByteBuffer()) { bytes, event in
            var next = event.bytes
            bytes.writeBuffer(&next)
        }
    }

    private init(comment: String) { bytes = ByteBuffer(string: ": \(comment)\n\n") }

    /// Says nothing; a connection that is gone is noticed by writing to it.
    static let heartbeat = ServerSentEvent(comment: "still here")
}
