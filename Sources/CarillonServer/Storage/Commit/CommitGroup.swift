import CarillonCore

/// A group of store calls that share one transaction.
///
/// If a call throws, only its own changes are rolled back. All callers get their results when the transaction is on the disk.
///
/// Savepoints would cost two statements for each call and a copy of each changed page, and hardly any call throws after a change.
/// So the calls first run without savepoints. If a call does throw after a change, the transaction is rolled back, and all its
/// calls run again, each in a savepoint.
struct CommitGroup {
    /// The error thrown if the transaction must be rolled back, and all its calls must run again, each in a savepoint.
    ///
    /// Without savepoints, the changes of a single failed call cannot be rolled back.
    struct NeedsSavepoints: Error {}

    private let connection: any SQLConnection
    /// Whether each call runs in a savepoint, so that the statements of each have ended before the next call runs.
    let hasSavepoints: Bool
    private let budget: CommitBudget
    /// The calls that have begun to run, whether or not they have failed.
    private var calls: [WriteCall] = []
    private var endings: [WriteCall.Ending] = []

    init(_ connection: any SQLConnection, _ clock: any CarillonClock, hasSavepoints: Bool = false) {
        self.connection = connection
        self.hasSavepoints = hasSavepoints
        budget = CommitBudget(connection, clock)
    }

    /// The number of calls that the transaction can still accept.
    ///
    /// The number is 0 once the transaction has reached a limit (``CommitBudget``), so that other callers and other processes
    /// need not wait longer for its end.
    var room: Int { budget.isUsedUp(by: connection) ? 0 : StoreLimits.callsPerCommit - calls.count }

    var isEmpty: Bool { calls.isEmpty }

    /// Runs calls in the group's transaction, one after the other.
    ///
    /// If a call throws, its changes are rolled back, and the caller later gets the error.
    ///
    /// - Parameter calls: one call, or several that begin together (``WriteCall/beginsWithOthers``).
    /// - Throws: ``NeedsSavepoints`` if the changes of a failed call cannot be rolled back alone. An error of the engine if the
    ///   engine has ended the transaction, or if all calls must run again in a new transaction.
    mutating func run(_ calls: ArraySlice<WriteCall>) throws {
        guard calls.count > 1, !hasSavepoints else {
            for call in calls { try run(call) }
            return
        }
        self.calls += calls
        do {
            let works = try calls.map { call in try limited { try call.begin(connection) } }
            for work in works { endings.append(try limited(work)) }
        } catch {
            guard connection.isInsideTransaction, (error as? any EngineError)?.isPassing != true else { throw error }
            // The other calls have sent statements that write.
            throw NeedsSavepoints()
        }
    }

    /// Runs `body`, and ends its statements with an error once it takes longer than a call may.
    private func limited<Value>(_ body: () throws -> Value) throws -> Value {
        try connection.within(StoreLimits.longestCall, of: budget.clock, body)
    }

    private mutating func run(_ call: WriteCall) throws {
        calls.append(call)
        let before = connection.totalChangesCount
        do {
            if hasSavepoints { try execute("SAVEPOINT call") }
            let ending = try limited { try call.begin(connection)() }
            if hasSavepoints {
                try execute("RELEASE call")
                // Waits, so that an error of the call's last statements counts as this call's error.
                try connection.awaitStatements()
            }
            endings.append(ending)
        } catch {
            if isLate(error) { return try expel(call, error, isUnchanged: connection.totalChangesCount == before) }
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

    /// Returns whether a call was certainly ended because it takes too long, and cannot be undone alone.
    ///
    /// In a spoiled transaction, the error may be that of an earlier call. With savepoints, the call is undone as every other.
    private func isLate(_ error: any Error) -> Bool {
        guard (error as? any EngineError)?.isOutOfTime == true else { return false }
        return !connection.isInsideTransaction || (!hasSavepoints && !connection.isTransactionSpoiled)
    }

    /// Lets a call that takes too long fail at once, so that it does not run again with the others.
    ///
    /// - Throws: ``NeedsSavepoints`` if the engine has undone the transaction, or must, so that the other calls run again.
    private mutating func expel(_ call: WriteCall, _ error: any Error, isUnchanged: Bool) throws {
        calls.removeLast()
        call.fail(GroupCommit.explaining(error))
        guard connection.isInsideTransaction, isUnchanged else { throw NeedsSavepoints() }
    }

    /// Runs the group's calls again in a new transaction, each in a savepoint.
    ///
    /// Before this call, the caller must roll the previous transaction back and begin a new one.
    mutating func runAgain() throws {
        var group = CommitGroup(connection, budget.clock, hasSavepoints: true)
        defer { self = group }
        for (index, call) in calls.enumerated() {
            do {
                try group.run([call])
            } catch {
                // The calls that have not run fail with the same error.
                group.calls += calls[(index + 1)...]
                throw error
            }
        }
    }

    /// Gives each caller in the group the result of its call, or the error that this call has thrown.
    func tellResults() { for ending in endings { ending() } }

    /// Reports to every caller in the group that its call failed with this error.
    ///
    /// The calls have changed nothing, unless the error says that the outcome of the commit is unknown.
    func tellFailure(_ error: any Error) { for call in calls { call.fail(error) } }

    private func execute(_ sql: String) throws { try connection.execute(sql, []) }
}
