import CarillonCore

/// The bounds of one transaction, whatever its calls ask for: rows, statements and time.
///
/// They are looked at between calls, so one call may exceed them. Each call is bounded by itself.
struct CommitBudget {
    /// The clock that measures the transaction's time.
    let clock: any CarillonClock
    private let began: Duration
    private let changesBefore: Int
    private let statementsBefore: Int

    /// Begins a transaction on a connection.
    init(_ connection: any SQLConnection, _ clock: any CarillonClock) {
        self.clock = clock
        began = clock.uptime
        changesBefore = connection.totalChangesCount
        statementsBefore = connection.statementsCount
    }

    /// Returns whether the transaction takes no further call.
    func isUsedUp(by connection: any SQLConnection) -> Bool {
        connection.totalChangesCount - changesBefore >= StoreLimits.changesPerCommit
            || connection.statementsCount - statementsBefore >= StoreLimits.statementsPerCommit
            || clock.uptime - began >= StoreLimits.longestCommit
    }
}
