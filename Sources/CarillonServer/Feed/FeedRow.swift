import CarillonCore

/// A row of the table `feed`: one event or several.
enum FeedRow: Sendable, Hashable {
    /// Events that happened in one store call, in their order.
    case events([FeedLine])
    /// One event for each of many devices of a broadcast; `first` is the chunk's first ordinal (running number in the app), and
    /// `places` are counted from it.
    case broadcast(FeedBatch, at: Timestamp, first: Int64, places: DeviceSet)
    /// An event with words or a choice of a person, which an erasure must find.
    case personal(FeedEventType, FeedFacts, user: String?)

    /// The greatest number of events in one row.
    static let mostEvents = 100
    /// The value of the column `type` of a row of several events.
    static let severalEvents = "events"

    /// Returns the rows of the events of one app, in the order of `notes`.
    ///
    /// - Parameters:
    ///   - notes: what has happened.
    ///   - now: the time of the call, for what has no time of its own.
    ///   - users: the users of devices, by the devices' ids.
    ///   - numbers: the numbers of users, by the users' ids.
    /// - Returns: the rows.
    static func rows(
        of notes: [FeedNote], at now: Timestamp, users: [String: String], numbers: [String: Int64]
    ) -> [FeedRow] {
        var (rows, lines): ([FeedRow], [FeedLine]) = ([], [])
        func endLines() {
            if !lines.isEmpty { rows.append(.events(lines)) }
            lines = []
        }
        func add(_ type: FeedEventType, _ facts: FeedFacts, user: String? = nil) {
            if lines.count == mostEvents { endLines() }
            lines.append(FeedLine(type: type, user: user.flatMap { numbers[$0] }, facts: facts.json))
        }
        for note in notes {
            switch note {
            case .timeline(let event, _):
                let facts = FeedFacts(event)
                if event.isPersonal {
                    endLines()
                    rows.append(.personal(FeedEventType(event.event), facts, user: users[event.device]))
                } else {
                    add(FeedEventType(event.event), facts, user: users[event.device])
                }
            case .accepted(let pushes, _, let first):
                endLines()
                rows += FeedBatch.batches(of: pushes).map {
                    .broadcast($0.batch, at: $0.at, first: first, places: $0.places)
                }
            case .finished(let message, let revision):
                let details = FeedDetails(revision: revision)
                add(.messageFinished, FeedFacts(at: now, message: message.id, details: details))
            case .message(let type, let message): add(type, FeedFacts(at: now, message: message.id))
            case .app(let type, _, let details): add(type, FeedFacts(at: now, details: details))
            case .device(let type, let device, _, let user, let details):
                add(type, FeedFacts(at: now, device: device, details: details), user: user)
            }
        }
        endLines()
        return rows
    }
}

extension FeedFacts {
    fileprivate init(_ event: TimelineEvent) {
        self.init(at: event.at, message: event.message, device: event.device, details: FeedDetails(event))
    }
}

extension TimelineEvent {
    /// Whether the event has what the person chose or typed.
    fileprivate var isPersonal: Bool { reply != nil || event == .acted }
}

/// One event in a row of several: a line of text.
struct FeedLine: Sendable, Hashable {
    let type: FeedEventType
    /// The number of the user (``FeedUsersTable``); `nil` for none.
    let user: Int64?
    /// The event's ``FeedFacts/json``, which has no line breaks.
    let facts: String

    init(type: FeedEventType, user: Int64?, facts: String) { (self.type, self.user, self.facts) = (type, user, facts) }

    /// The line as it is stored.
    var text: String { "\(type.rawValue) \(user ?? 0) \(facts)" }

    /// Reads a stored line; the result is `nil` for a type of a newer version.
    init?(_ text: Substring) {
        let parts = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let type = FeedEventType(rawValue: String(Substring(parts[0]))),
            let user = Int64(Substring(parts[1]))
        else { return nil }
        self.init(type: type, user: user > 0 ? user : nil, facts: String(Substring(parts[2])))
    }

    /// Returns the lines of a row, in their order.
    static func lines(of text: String) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
    }
}
