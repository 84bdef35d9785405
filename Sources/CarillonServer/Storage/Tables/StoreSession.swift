import CarillonCore

/// The state of one store call in its transaction: the connection, the time, and the events that the call has recorded.
///
/// The tables and operations of a call share its session and have no state of their own. After a rollback, the call may run again
/// in a new session.
///
/// In the store's functions, a message's number is unique in the store; its id is unique only within its app.
package final class StoreSession: SessionPart {
    let connection: any SQLConnection
    let now: Timestamp
    /// The rules that decide whether a message's deliveries are kept as bitmaps, or in one row for each device.
    let rules: RangeRules
    /// The cache of message contents, which all calls share.
    let contents: MessageContents
    /// The answers to questions that are too costly for a writing transaction, which all calls share.
    let decisions: AudienceDecisions
    /// The cache of the rows that the store call of this session has read.
    let cache = SessionCache()
    /// The number of devices that this transaction may still process, at first ``StoreLimits/devicesPerStep``.
    var room = StoreLimits.devicesPerStep
    /// Whether this session can change the database; false for a session on a snapshot.
    let mayWrite: Bool
    /// The numbers of the tasks that the store call of this session has begun or continued but not finished.
    var unfinished: [Int64] = []
    /// The timeline events to publish after the transaction is on the disk.
    private(set) var events: [TimelineEvent] = []
    /// Groups of pushes that APNs accepted, and that have no events in ``events``.
    ///
    /// Their timeline events are made only when a subscriber reads them.
    ///
    /// `place` is the number of ``events`` that were recorded before the group.
    private var accepted: [(pushes: ArraySlice<SentPush>, place: Int)] = []

    init(
        connection: any SQLConnection, now: Timestamp, rules: RangeRules, contents: MessageContents = MessageContents(),
        decisions: AudienceDecisions = AudienceDecisions(), mayWrite: Bool = false
    ) {
        self.connection = connection
        self.now = now
        self.rules = rules
        self.contents = contents
        self.decisions = decisions
        self.mayWrite = mayWrite
    }

    /// Runs the body of a writing call in a new session, and then writes the chunks (``RangeChunk``) that the body has changed.
    static func running<Value>(
        _ body: (StoreSession) throws -> Value, on connection: any SQLConnection, at now: Timestamp,
        _ rules: RangeRules, _ contents: MessageContents, _ decisions: AudienceDecisions
    ) throws -> Value {
        let session = StoreSession(
            connection: connection, now: now, rules: rules, contents: contents, decisions: decisions, mayWrite: true)
        let value = try body(session)
        // Writes changed chunks back at the end of each call, not of the group, because the next call reads the rows.
        try ChunksTable(session).keep()
        return value
    }

    package var session: StoreSession { self }

    /// Adds a timeline event to the events that are published after the commit.
    func tell(_ event: TimelineEvent) { events.append(event) }

    /// Notes pushes that APNs accepted, so that ``takeSettled()`` can return them.
    ///
    /// Their timeline events are made only when a subscriber reads them.
    func tell(accepted pushes: ArraySlice<SentPush>) { accepted.append((pushes, place: events.count)) }

    /// Returns the timeline events to publish and the pushes that APNs accepted, and removes both from the session.
    func takeSettled() -> SettledPushes {
        defer { (events, accepted) = ([], []) }
        return SettledPushes(events: events, accepted: accepted)
    }
}
