/// An error of an engine: the statement has failed, not the decoding of its rows.
protocol EngineError: Error {
    /// Whether the transaction is known to have changed nothing, and may succeed if it is run again.
    var isPassing: Bool { get }
    /// The error's meaning for the operator; `nil` if there is only the engine's own text.
    var explanation: ServiceError? { get }
}

/// The errors of databases that several engines have.
extension ServiceError {
    /// The error of a full disk.
    static let diskIsFull = ServiceError(.full, "the disk is full: make room, and it goes on")
    /// The error of a text that PostgreSQL does not accept.
    static let zeroInText = ServiceError(
        .text, "a text contains the character U+0000, which PostgreSQL cannot keep: leave it out")
    /// The error of a database that is the target of an unfinished copy, which is not served.
    static let isUnfinishedCopy = ServiceError(
        .storage,
        "it is the unfinished target of 'carillon db copy': run the same copy again, which goes on, or name another database"
    )
    /// The error of a database that has tables, but no Carillon version among them.
    static let hasOtherTables = ServiceError(
        .storage, "its tables are not Carillon's, or those of a version before 0.1.0: name an empty database")
    /// The error of a database that is locked for longer than a call waits.
    static let databaseIsBusy = ServiceError(
        .busy,
        "another process has been writing to the database for \(Int(StoreLimits.databaseBusySeconds)) s or more")
}
