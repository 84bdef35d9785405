import CarillonCore

/// The store calls that share one transaction.
///
/// If a call throws, only its own changes are rolled back. All callers get their results when the transaction is on the disk.
/// Hardly any call throws after it has changed something. So calls first run without savepoints, which would cost two
/// statements and a copy of each changed page. If a call does throw after a change, the transaction is rolled back, and all its
/// calls run again, each in a savepoint.
struct CommitGroup {
    /// The error that the whole transaction must be rolled back and run again with savepoints.
    ///
    /// A call has failed after a change, and without a savepoint its changes cannot be rolled back alone.
    struct NeedsSavepoints: Error {}

    private let connection: any SQLConnection
    private let hasSavepoints: Bool
    private let budget: CommitBudget
    /// The calls that have run, including a call that failed after a change.
    private var calls: [WriteCall] = []
    private var endings: [WriteCall.Ending] = []

    init(_ connection: any SQLConnection, _ clock: any CarillonClock, hasSavepoints: Bool = false) {
        self.connection = connection
        self.hasSavepoints = hasSavepoints
        budget = CommitBudget(connection, clock)
    }

    /// The number of further calls that the transaction accepts.
    ///
    /// The number is 0 once the transaction has reached a limit (``CommitBudget``), because other callers and other processes
    /// wait for the transaction's end.
    var room: Int { budget.isUsedUp(by: connection) ? 0 : StoreLimits.callsPerCommit - calls.count }

    var isEmpty: Bool { calls.isEmpty }

    /// Runs a call in the group's transaction.
    ///
    /// If the call throws, its changes are rolled back.
    ///
    /// - Throws: ``NeedsSavepoints`` if the changes of a failed call cannot be rolled back alone. Otherwise an error of the
    ///   engine that ends the transaction: SQLite has rolled it back, or it must run again.
    mutating func run(_ call: WriteCall) throws {
        calls.append(call)
        let before = connection.totalChangesCount
        do {
            if hasSavepoints { try execute("SAVEPOINT call") }
            let ending = try call.work(connection)
            if hasSavepoints {
                try execute("RELEASE call")
                // Waits, so that an error of the call's last statements counts as this call's error.
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

    /// Waits until the engine has run all statements of the calls.
    ///
    /// - Throws: ``NeedsSavepoints`` if a statement has failed, because it is unknown which call has sent it.
    func finish() throws {
        do {
            try connection.awaitStatements()
        } catch let error as any EngineError {
            guard connection.isTransactionSpoiled, !error.isPassing, !hasSavepoints else { throw error }
            throw NeedsSavepoints()
        }
    }

    /// Runs the calls again in a new transaction, each in a savepoint.
    ///
    /// The caller must have rolled the previous transaction back.
    mutating func runAgain() throws {
        var group = CommitGroup(connection, budget.clock, hasSavepoints: true)
        defer { self = group }
        for (index, call) in calls.enumerated() {
            do {
                try group.run(call)
            } catch {
                // The calls that have not run fail with the same error.
                group.calls += calls[(index + 1)...]
                throw error
            }
        }
    }

    /// Reports each call's result to its caller.
    func tellResults() { for ending in endings { ending() } }

    /// Reports to every caller that its call failed and changed nothing.
    func tellFailure(_ error: any Error) { for call in calls { call.fail(error) } }

    private func execute(_ sql: String) throws { try connection.execute(sql, []) }
}
