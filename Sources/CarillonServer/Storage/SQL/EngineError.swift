/// An error of the database engine, as opposed to an error in decoding a row.
protocol EngineError: Error {
    /// Whether the transaction has certainly changed nothing and may succeed if it is run again.
    var isPassing: Bool { get }
    /// An explanation for the operator; `nil` if there is only the engine's own text.
    var explanation: ServiceError? { get }
}

/// Errors that several engines have.
extension ServiceError {
    /// The error of a full disk.
    static let diskIsFull = ServiceError(.full, "the disk is full: make room, and it goes on")
    /// The error of a text with U+0000, which PostgreSQL cannot store.
    static let zeroInText = ServiceError(
        .text, "a text contains the character U+0000, which PostgreSQL cannot keep: leave it out")
    /// The error of a database that is the target of an unfinished copy.
    static let isUnfinishedCopy = ServiceError(
        .storage,
        "it is the unfinished target of 'carillon db copy': run the same copy again, which goes on, or name another database"
    )
    /// The error of a database that has tables, but not Carillon's table of the version.
    static let hasOtherTables = ServiceError(
        .storage, "its tables are not Carillon's, or those of a version before 0.1.0: name an empty database")
    /// The error of a database that is locked for longer than a call waits.
    static let databaseIsBusy = ServiceError(
        .busy,
        "another process has been writing to the database for \(Int(StoreLimits.databaseBusySeconds)) s or more")
}
