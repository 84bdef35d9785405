import CarillonCore

/// The calls of one transaction: a call that throws is rolled back alone, and all get their results when it is on the disk.
///
/// Hardly any call throws after it has changed something. So calls first run without savepoints, which would cost two
/// statements and a copy of each changed page. If a call does throw, the transaction is rolled back, and the calls run again,
/// each in a savepoint.
struct CommitGroup {
    /// The error that a call has thrown which can only be rolled back together with the calls before it.
    struct NeedsSavepoints: Error {}

    private let connection: any SQLConnection
    private let hasSavepoints: Bool
    private let budget: CommitBudget
    /// The calls that have run, including the one that could not be rolled back.
    private var calls: [WriteCall] = []
    private var endings: [WriteCall.Ending] = []

    init(_ connection: any SQLConnection, _ clock: any CarillonClock, hasSavepoints: Bool = false) {
        self.connection = connection
        self.hasSavepoints = hasSavepoints
        budget = CommitBudget(connection, clock)
    }

    /// The number of further calls that the group takes.
    ///
    /// It is 0 once the transaction has used up its budget, since all other callers, and other processes with the database,
    /// wait for its end.
    var room: Int { budget.isUsedUp(by: connection) ? 0 : StoreLimits.callsPerCommit - calls.count }

    var isEmpty: Bool { calls.isEmpty }

    /// Runs a call; the changes of a call that throws are rolled back.
    ///
    /// - Throws: the engine's error if it has rolled back the whole transaction, as SQLite does when the disk is full, or if
    ///   the transaction must run again; ``NeedsSavepoints``.
    mutating func run(_ call: WriteCall) throws {
        calls.append(call)
        let before = connection.totalChangesCount
        do {
            if hasSavepoints { try execute("SAVEPOINT call") }
            let ending = try call.work(connection)
            if hasSavepoints {
                try execute("RELEASE call")
                // An error of the call's last statements belongs to this call.
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

    /// Waits for the statements of the calls.
    ///
    /// - Throws: ``NeedsSavepoints`` if a statement has failed, because it may be any call's.
    func finish() throws {
        do {
            try connection.awaitStatements()
        } catch let error as any EngineError {
            guard connection.isTransactionSpoiled, !error.isPassing, !hasSavepoints else { throw error }
            throw NeedsSavepoints()
        }
    }

    /// Runs the calls again in another transaction, after the one before was rolled back.
    mutating func runAgain() throws {
        var group = CommitGroup(connection, budget.clock, hasSavepoints: true)
        defer { self = group }
        for (index, call) in calls.enumerated() {
            do {
                try group.run(call)
            } catch {
                // Calls that have not run get the error too.
                group.calls += calls[(index + 1)...]
                throw error
            }
        }
    }

    /// Gives every caller the result of its call.
    func tellResults() { for ending in endings { ending() } }

    /// Tells every caller that nothing was changed.
    func tellFailure(_ error: any Error) { for call in calls { call.fail(error) } }

    private func execute(_ sql: String) throws { try connection.execute(sql, []) }
}
