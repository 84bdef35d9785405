import CarillonCore
import Foundation

/// An answer of the admin port.
enum AdminAnswer: Sendable {
    /// A text of the given media type.
    case text(String, type: String)
    case json(JSONValue, status: Int = 200)
    case nothing
    /// Server-sent events: the remembered entries after the given one, then new entries.
    case events(after: Int)
    /// Server-sent events: the pushes of devices that are online as long as the client reads.
    case devices([String])
}
