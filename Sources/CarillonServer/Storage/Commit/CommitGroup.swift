/// The calls of one transaction: a call that throws is undone alone, and all are told when the transaction is on the disk.
///
/// Hardly a call throws after it has changed something, so none has a savepoint at first, which would cost two statements
/// and a copy of each page that is changed. When one does, all is undone, and the calls run again, each in a savepoint.
struct CommitGroup {
    /// A call has thrown that can only be undone together with those before it.
    struct NeedsSavepoints: Error {}

    private let connection: any SQLConnection
    private let hasSavepoints: Bool
    private let changesBefore: Int
    /// Those that have run, also the one that could not be undone.
    private var calls: [WriteCall] = []
    private var endings: [WriteCall.Ending] = []

    init(_ connection: any SQLConnection, hasSavepoints: Bool = false) {
        self.connection = connection
        self.hasSavepoints = hasSavepoints
        changesBefore = connection.totalChangesCount
    }

    /// How many more calls it takes.
    ///
    /// None once many rows were changed, since who shares the file waits for the end of the transaction.
    var room: Int {
        let isLong = connection.totalChangesCount - changesBefore >= ServiceLimits.changesPerCommit
        return isLong ? 0 : ServiceLimits.callsPerCommit - calls.count
    }

    var isEmpty: Bool { calls.isEmpty }

    /// Does a call's work; what a call that throws has changed is undone.
    ///
    /// - Throws: when the engine has undone the whole transaction, as SQLite does when the disk is full, or it is to be run
    ///   again; ``NeedsSavepoints``.
    mutating func run(_ call: WriteCall) throws {
        calls.append(call)
        let before = connection.totalChangesCount
        do {
            if hasSavepoints { try execute("SAVEPOINT call") }
            let ending = try call.work(connection)
            if hasSavepoints {
                try execute("RELEASE call")
                // What the engine says against the call's last statements is this call's.
                try connection.awaitStatements()
            }
            endings.append(ending)
        } catch {
            guard connection.isInsideTransaction, (error as? any EngineError)?.isPassing != true else { throw error }
            if hasSavepoints {
                try? connection.awaitStatements()
                try execute("ROLLBACK TO call")
                try execute("RELEASE call")
            } else if connection.totalChangesCount != before || connection.isTransactionSpoiled {
                throw NeedsSavepoints()
            }
            let explained = GroupCommit.explaining(error)
            endings.append { call.fail(explained) }
        }
    }

    /// Waits for what the calls have executed.
    ///
    /// - Throws: ``NeedsSavepoints`` where a statement has failed, which may be any call's.
    func finish() throws {
        do {
            try connection.awaitStatements()
        } catch let error as any EngineError {
            guard connection.isTransactionSpoiled, !error.isPassing, !hasSavepoints else { throw error }
            throw NeedsSavepoints()
        }
    }

    /// The same calls in another transaction, the one before having been undone.
    mutating func runAgain() throws {
        var group = CommitGroup(connection, hasSavepoints: true)
        defer { self = group }
        for (index, call) in calls.enumerated() {
            do {
                try group.run(call)
            } catch {
                // Whoever has not had a turn is told too.
                group.calls += calls[(index + 1)...]
                throw error
            }
        }
    }

    /// Tells every caller what came of its call.
    func tellResults() { for ending in endings { ending() } }

    /// Tells every caller that nothing was changed.
    func tellFailure(_ error: any Error) { for call in calls { call.fail(error) } }

    private func execute(_ sql: String) throws { try connection.execute(sql, []) }
}
