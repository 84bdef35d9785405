import Foundation

/// An event of a stream in the format of [server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html).
struct StreamedEvent: Sendable, Hashable {
    /// The position in the stream, with which a reader goes on; `nil` if the event names none.
    var id: String?
    /// The type; empty for a message without a type.
    var name = ""
    /// The text; `nil` for an event that has only an id.
    var data: String?
}

/// Reads server-sent events from the pieces in which a stream comes.
struct StreamedEvents {
    private var rest = Data()
    private var event = StreamedEvent()

    /// Takes the next piece, and returns the events that it completes.
    mutating func add(_ piece: Data) -> [StreamedEvent] {
        rest += piece
        var events: [StreamedEvent] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
            rest = Data(rest[(end + 1)...])
            if line.isEmpty {
                if event != StreamedEvent() { events.append(event) }
                event = StreamedEvent()
            } else {
                add(line)
            }
        }
        return events
    }

    private mutating func add(_ line: String) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? String(parts[1].first == " " ? parts[1].dropFirst() : parts[1]) : ""
        switch parts[0] {
        case "id": event.id = value
        case "event": event.name = value
        case "data": event.data = event.data.map { "\($0)\n\(value)" } ?? value
        default: break
        }
    }
}
