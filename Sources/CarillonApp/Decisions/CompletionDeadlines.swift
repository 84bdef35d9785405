import CarillonCore

/// Keeps account of completion handlers: each is called exactly once, at the latest when its time is up.
///
/// iOS gives a wake in the background 30 seconds of wall clock and terminates the app beyond them
/// ([didReceiveRemoteNotification](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:)));
/// the ledger stops at 25.
public struct CompletionDeadlines: Sendable, Hashable {
    public static let longest = Duration.seconds(25)

    public struct Ticket: Sendable, Hashable, Comparable {
        let number: Int
        public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
    }

    struct Entry: Sendable, Hashable {
        let name: String
        let openedAt: Timestamp
    }

    private var open: [Ticket: Entry] = [:]
    private var lastNumber = 0

    public init() {}

    public var openCount: Int { open.count }

    /// A handler was received.
    public mutating func opened(_ name: String, at now: Timestamp) -> Ticket {
        lastNumber += 1
        let ticket = Ticket(number: lastNumber)
        open[ticket] = Entry(name: name, openedAt: now)
        return ticket
    }

    /// Its work is done.
    ///
    /// - Returns: how long it took, and the handler is to be called; `nil` when it was called before.
    public mutating func finished(_ ticket: Ticket, at now: Timestamp) -> Duration? {
        open.removeValue(forKey: ticket).map { now - $0.openedAt }
    }

    /// Those whose time is up, oldest first: they are to be called now, and count as finished.
    public mutating func takeOverdue(at now: Timestamp) -> [(ticket: Ticket, name: String)] {
        let overdue = open.filter { now - $0.value.openedAt >= Self.longest }.sorted { $0.key < $1.key }
        for (ticket, _) in overdue { open[ticket] = nil }
        return overdue.map { ($0.key, $0.value.name) }
    }
}
