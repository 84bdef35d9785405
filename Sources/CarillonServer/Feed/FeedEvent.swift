import CarillonCore

/// One event of an app's feed, as readers get it.
package struct FeedEvent: Sendable, Hashable {
    /// The event's id, which is unique and never changes; a reader can also use it as a cursor.
    package var id: String
    package var type: FeedEventType
    /// The user who was signed in on the device; `nil` if nobody was, if the user was erased, and for pushes of broadcasts.
    package var user: String?
    /// The other members as a JSON object, as the feed stores them (``FeedFacts``).
    package var facts: String

    /// The event as a JSON object.
    ///
    /// It is put together from texts, since readers get events by the thousand.
    package var json: String {
        let user = user.map { "\"user\":\($0.jsonQuoted)," } ?? ""
        return "{\"id\":\"\(id)\",\"type\":\"\(type.rawValue)\",\(user)\(facts.dropFirst())"
    }

    /// Returns a JSON array of events.
    package static func json(of events: [FeedEvent]) -> String { "[\(events.map(\.json).joined(separator: ","))]" }
}

/// The members of an event that do not change once it is written.
struct FeedFacts: Sendable, Hashable {
    /// The time of the event: the service's, or for a receipt the phone's.
    var at: Timestamp
    /// The id of the message; `nil` for an event about no message.
    var message: MessageID?
    /// The id of the installation; `nil` if the event is about none, or if the installation of a broadcast is deleted.
    var device: String?
    var details = FeedDetails()

    /// The members as a JSON object in one line, with at least one member.
    var json: String {
        var json = "{\"at\":\"\(at)\""
        if let device { json += ",\"device\":\(device.jsonQuoted)" }
        if let message { json += ",\"message\":\(message.rawValue.jsonQuoted)" }
        if !details.isEmpty { json += ",\"details\":\(details.json)" }
        return json + "}"
    }
}

/// The facts of an event beside its message, device and user.
///
/// The members have the meaning of those of ``TimelineEvent``.
package struct FeedDetails: Sendable, Hashable {
    package var purpose: PushPurpose?
    package var revision: Int?
    package var attempt: Int?
    package var reason: String?
    package var status: Int?
    package var apnsID: String?
    package var detail: String?
    package var reply: String?
    /// The backend's name for the Live Activity that the event is about.
    package var liveActivity: String?
    /// The `timestamp` of the content that the event is about, in seconds since 1970.
    package var timestamp: Int64?
    /// The APNs environment that the event is about.
    package var environment: APNsEnvironment?
    /// The id of the webhook that the event is about.
    package var webhook: String?
}

extension FeedDetails {
    init(_ event: TimelineEvent) {
        self.init(
            purpose: event.purpose, revision: event.revision, attempt: event.attempt, reason: event.reason,
            status: event.status, apnsID: event.apnsID, detail: event.detail, reply: event.reply)
    }

    /// Whether nothing is known.
    var isEmpty: Bool { self == FeedDetails() }
}

/// A position in an app's feed: after an event, or before the first event of a row.
package struct FeedPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number of a row of the table `feed`.
    var number: Int64
    /// The number of the row's events that come before the position; a row without a bitmap has one event.
    var place: Int

    init(number: Int64, place: Int = 0) { (self.number, self.place) = (number, place) }

    /// Parses a cursor.
    ///
    /// The result is `nil` for a text that ``description`` does not produce.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), let place = Int(parts[1]), number >= 0,
            number < 1 << 48, (0...0xffff).contains(place), "\(number)-\(place)".utf8.elementsEqual(text.utf8)
        else { return nil }
        self.init(number: number, place: place)
    }

    package var description: String { "\(number)-\(place)" }

    package static func < (left: Self, right: Self) -> Bool {
        (left.number, left.place) < (right.number, right.place)
    }
}

/// Consecutive events of an app's feed.
package struct FeedPage: Sendable, Hashable {
    package var events: [FeedEvent] = []
    /// The position after these events, at which the next page begins.
    package var next: FeedPosition
    /// Whether nothing more has happened yet.
    package var isLast = true
}

/// The answer to a reader of an app's feed.
package enum FeedReading: Sendable, Hashable {
    case page(FeedPage)
    /// The cursor is not of this database: it lies ahead of the newest event.
    case foreign
    /// The events after the cursor are not complete any more; the feed begins at the time `since`.
    case gone(since: Timestamp)
}

/// The selection of an app's events that a reader wants.
package struct FeedSelection: Sendable, Hashable {
    /// The types; `nil` for all.
    package var types: Set<FeedEventType>?
    /// Whether the events have the replies that people typed.
    package var hasTexts: Bool
    /// The id of the webhook that reads; `nil` for another reader.
    var webhook: String?

    package init(types: Set<FeedEventType>? = nil, hasTexts: Bool = false) {
        (self.types, self.hasTexts) = (types, hasTexts)
    }

    /// Returns whether the reader wants the event of a line.
    func wants(_ line: FeedLine) -> Bool {
        guard line.type == .webhookTest else { return types?.contains(line.type) ?? true }
        guard let webhook, let facts = try? JSONValue(parsing: line.facts) else { return false }
        return facts["details"]?["detail"]?.stringValue == webhook
    }
}
