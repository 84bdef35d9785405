import CarillonCore
import CarillonPage
import Foundation

/// An answer of the admin port.
enum AdminAnswer: Sendable {
    /// A text of the given media type.
    case text(String, type: String)
    case json(JSONValue, status: Int = 200)
    case nothing
    /// A file of the inbox's page.
    case page(PageFile)
    /// Server-sent events: that something new is in the journal.
    case inboxNews
    /// Server-sent events: the journal entries with a higher number than the given one, then every new entry.
    case events(after: Int)
    /// Server-sent events: the pushes to the devices with these ids.
    ///
    /// The devices are online as long as the client reads.
    case devices([String])
}
