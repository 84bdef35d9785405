import GRDB

/// The calls of one transaction: each in a savepoint of its own, all told when the transaction is on the disk.
struct CommitGroup {
    private struct Ended {
        var ending: WriteCall.Ending
        var fail: @Sendable (any Error) -> Void
    }

    private let db: Database
    private let changesBefore: Int
    private var ended: [Ended] = []

    init(_ db: Database) {
        self.db = db
        changesBefore = db.totalChangesCount
    }

    /// How many more calls it takes.
    ///
    /// None once many rows were changed, since who shares the file waits for the end of the transaction.
    var room: Int {
        let isLong = db.totalChangesCount - changesBefore >= ServiceLimits.changesPerCommit
        return isLong ? 0 : ServiceLimits.callsPerCommit - ended.count
    }

    var isEmpty: Bool { ended.isEmpty }

    /// Does a call's work; what a call that throws has changed is undone.
    ///
    /// - Throws: when SQLite has undone the whole transaction, as it does when the disk is full.
    mutating func run(_ call: WriteCall) throws {
        do {
            try execute("SAVEPOINT call")
            let ending = try call.work(db)
            try execute("RELEASE call")
            ended.append(Ended(ending: ending, fail: call.fail))
        } catch {
            ended.append(Ended(ending: { call.fail(error) }, fail: call.fail))
            guard db.isInsideTransaction else { throw error }
            try execute("ROLLBACK TO call")
            try execute("RELEASE call")
        }
    }

    /// Tells every caller what came of its call.
    func tellResults() { for call in ended { call.ending() } }

    /// Tells every caller that nothing was changed.
    func tellFailure(_ error: any Error) { for call in ended { call.fail(error) } }

    /// Not `inSavepoint`, which compiles its two statements anew for each call.
    private func execute(_ sql: String) throws { try db.cachedStatement(sql: sql).execute() }
}
