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
    /// Whether statements are sent before their results are needed; false with SQLite, which is never waited for.
    var foresees: Bool { connection.dialect.engine == .postgreSQL }
    /// The results of statements that were sent before the call needs them (``SessionPart/foresee(_:)``).
    var foreseen: [SQLStatement: LateRows] = [:]
    /// The feeds that are open, if they were asked for when the call began (``FeedTable``).
    var openFeeds: LateRows?
    /// The events of the store call of this session, for the feeds of apps.
    private var notes: [FeedNote] = []
    /// The numbers of messages whose last push this store call may have ended.
    var maybeFinished: Set<Int64> = []
    /// The counts of the store call of this session, for the figures.
    var tally = FigureTally()
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

    /// Runs the body of a writing call, and then writes the chunks (``RangeChunk``) that the body has changed.
    ///
    /// - Returns: the value that `body` returns, and the changes to publish after the commit.
    static func running<Value>(
        _ body: (StoreSession) throws -> Value, in session: StoreSession
    ) throws -> (value: Value, changes: CommittedChanges) {
        let connection = session.connection
        let before = connection.totalChangesCount
        let value = try body(session)
        // Writes changed chunks back at the end of each call, not of the group, because the next call reads the rows.
        try ChunksTable(session).keep()
        if !session.tally.isEmpty { try FiguresTable(session).add(session.tally) }
        if !session.notes.isEmpty || !session.maybeFinished.isEmpty {
            session.changes.fed = try FeedTable(session).record(session.notes)
        }
        session.changes.mayBeDue = connection.totalChangesCount != before
        return (value, session.changes)
    }

    package var session: StoreSession { self }

    /// Adds a timeline event to the changes that are published after the commit, and to the feed of its app.
    ///
    /// The parameter `message` is the number of the event's message.
    func emit(_ event: TimelineEvent, about message: Int64) {
        changes.add(event)
        notes.append(.timeline(event, message: message))
        if event.mayFinishMessage { maybeFinished.insert(message) }
    }

    /// Adds pushes that APNs accepted to the changes that are published after the commit, and to the feed of their app.
    ///
    /// Their timeline events are made only when a subscriber reads them.
    ///
    /// - Parameters:
    ///   - pushes: pushes of one chunk (``RangeChunk``).
    ///   - app: their app.
    ///   - first: the chunk's first ordinal (running number in the app).
    func emit(accepted pushes: ArraySlice<SentPush>, of app: AppNumber, first: Int64) {
        changes.add(accepted: pushes)
        notes.append(.accepted(pushes, app: app, first: first))
    }

    /// Adds a changed message to the changes that are published after the commit, and the change to the feed of its app.
    func emit(_ message: MessageReference, _ change: FeedEventType) {
        changes.add(message)
        notes.append(.message(change, message))
    }

    /// Adds an event of an app as a whole, or of one of its webhooks, to the app's feed.
    func emit(_ type: FeedEventType, of app: AppNumber, _ details: FeedDetails) {
        notes.append(.app(type, of: app, details))
    }

    /// Notes that a broadcast channel of a Live Activity may be due.
    func wakesChannels() { changes.mayHaveChannels = true }

    /// Adds an event about a device or its user to the feed of its app.
    func emit(
        _ type: FeedEventType, on device: String, of app: AppNumber, user: String?,
        _ details: FeedDetails = FeedDetails()
    ) { notes.append(.device(type, device, of: app, user: user, details)) }
}

extension TimelineEvent {
    /// Whether nothing may be left to send of the message after this event.
    fileprivate var mayFinishMessage: Bool {
        switch event {
        case .accepted, .rejected, .unanswered, .cancelled, .expired: purpose == .show || purpose == .fallback
        case .queued, .sent, .received, .shown, .opened, .acted, .dismissed, .recalled: false
        }
    }
}
