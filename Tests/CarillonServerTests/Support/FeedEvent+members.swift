import CarillonCore

@testable import CarillonServer

/// The members of an event, as a reader of its JSON gets them.
extension FeedEvent {
    private func member(_ name: String) -> JSONValue? { (try? JSONValue(parsing: json))?[name] }

    var message: MessageID? { member("message")?.stringValue.flatMap { try? MessageID($0) } }
    var device: String? { member("device")?.stringValue }
    var at: Timestamp {
        member("at")?.stringValue.flatMap { Timestamp(rfc3339: $0) } ?? Timestamp(millisecondsSince1970: 0)
    }
    var details: FeedDetails? { member("details").flatMap { FeedDetails($0) } }
}
