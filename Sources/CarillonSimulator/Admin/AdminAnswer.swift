import CarillonCore
import Foundation

/// An answer of the admin port.
enum AdminAnswer: Sendable {
    /// A text of the given media type.
    case text(String, type: String)
    case json(JSONValue, status: Int = 200)
    case nothing
    /// Server-sent events: the journal entries with a higher number than the given one, then every new entry.
    case events(after: Int)
    /// Server-sent events: the pushes to the devices with these ids.
    ///
    /// The devices are online as long as the client reads.
    case devices([String])
}
