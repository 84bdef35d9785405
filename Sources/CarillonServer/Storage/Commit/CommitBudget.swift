import CarillonCore

/// The limits of one transaction that several store calls share: changed rows, statements and time.
///
/// The limits are checked between calls, so one call may exceed them. Each call does a bounded amount of work.
struct CommitBudget {
    /// The clock that measures the transaction's time.
    let clock: any CarillonClock
    private let began: Duration
    private let changesBefore: Int
    private let statementsBefore: Int

    /// Begins to count the changes, statements and time of a transaction on a connection.
    init(_ connection: any SQLConnection, _ clock: any CarillonClock) {
        self.clock = clock
        began = clock.uptime
        changesBefore = connection.totalChangesCount
        statementsBefore = connection.statementsCount
    }

    /// Returns whether the transaction has reached a limit and must accept no further call.
    func isUsedUp(by connection: any SQLConnection) -> Bool {
        connection.totalChangesCount - changesBefore >= StoreLimits.changesPerCommit
            || connection.statementsCount - statementsBefore >= StoreLimits.statementsPerCommit
            || clock.uptime - began >= StoreLimits.longestCommit
    }
}
