import CarillonCore

/// One call in a transaction: its connection, the moment it stands for, and what it has recorded so far.
///
/// Tables, keepers and operations share it and keep no state of their own: a call may be run again when its group was undone,
/// and each run gets a new session. A message is named by its number here, which is unique among all apps; its id is unique
/// only within one app.
package final class StoreSession: SessionPart {
    let connection: any SQLConnection
    let now: Timestamp
    /// When a message is sent by ranges.
    let rules: RangeRules
    /// Pushes that were encoded before.
    let templates: PushTemplates
    /// Rows that this call has read and may ask for again.
    let cache = SessionCache()
    /// How many devices this transaction may still deal with.
    var room = ServiceLimits.devicesPerStep
    /// Pieces of work that were begun or gone on with, and not finished.
    var unfinished: [Int64] = []
    /// The events that those who watch are told of once this is on the disk.
    private(set) var events: [TimelineEvent] = []
    /// Plain acceptances that were written down, of which ``events`` has nothing.
    private var accepted: [SettledPushes.Accepted] = []

    init(
        connection: any SQLConnection, now: Timestamp, rules: RangeRules, templates: PushTemplates = PushTemplates()
    ) {
        self.connection = connection
        self.now = now
        self.rules = rules
        self.templates = templates
    }

    /// Runs the body of a call that writes.
    static func running<Value>(
        _ body: (StoreSession) throws -> Value, on connection: any SQLConnection, at now: Timestamp,
        _ rules: RangeRules, _ templates: PushTemplates
    ) throws -> Value {
        let session = StoreSession(connection: connection, now: now, rules: rules, templates: templates)
        let value = try body(session)
        // At the end of each call, not of the group: the next call reads the rows.
        try ChunksTable(session).keep()
        return value
    }

    package var session: StoreSession { self }

    /// Tells those who watch of an event.
    func tell(_ event: TimelineEvent) { events.append(event) }

    /// Tells those who watch of plain acceptances.
    func tell(accepted settlements: ArraySlice<Settlement>, of message: MessageID) {
        accepted.append(SettledPushes.Accepted(message: message, settlements: settlements, place: events.count))
    }

    /// The outcomes told so far; later ones are told apart from them.
    func takeSettled() -> SettledPushes {
        defer { (events, accepted) = ([], []) }
        return SettledPushes(events: events, accepted: accepted)
    }
}
