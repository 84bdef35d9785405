import CarillonCore

/// The state of one store call in its transaction: the connection, the time, and the changes that others must learn of.
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
    /// The changes that ``Transactions`` publishes after the transaction is on the disk.
    private(set) var changes = CommittedChanges()

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
    ///
    /// - Returns: the value that `body` returns, and the changes to publish after the commit.
    static func running<Value>(
        _ body: (StoreSession) throws -> Value, on connection: any SQLConnection, at now: Timestamp,
        _ rules: RangeRules, _ contents: MessageContents, _ decisions: AudienceDecisions
    ) throws -> (value: Value, changes: CommittedChanges) {
        let session = StoreSession(
            connection: connection, now: now, rules: rules, contents: contents, decisions: decisions, mayWrite: true)
        let before = connection.totalChangesCount
        let value = try body(session)
        // Writes changed chunks back at the end of each call, not of the group, because the next call reads the rows.
        try ChunksTable(session).keep()
        session.changes.mayBeDue = connection.totalChangesCount != before
        return (value, session.changes)
    }

    package var session: StoreSession { self }

    /// Adds a timeline event to the changes that are published after the commit.
    func emit(_ event: TimelineEvent) { changes.add(event) }

    /// Adds pushes that APNs accepted to the changes that are published after the commit.
    ///
    /// Their timeline events are made only when a subscriber reads them.
    func emit(accepted pushes: ArraySlice<SentPush>) { changes.add(accepted: pushes) }

    /// Adds a changed message to the changes that are published after the commit.
    func emit(_ message: MessageReference) { changes.add(message) }
}
