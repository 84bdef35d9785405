/// An error of the database engine (SQLite or PostgreSQL), as opposed to an error in decoding a row.
protocol EngineError: Error {
    /// Whether the failed transaction has changed nothing and may succeed if the engine runs it again.
    var isPassing: Bool { get }
    /// Whether the engine has ended a statement because its call took too long.
    var isOutOfTime: Bool { get }
    /// An explanation of the error for the operator; `nil` if there is only the engine's own text.
    var explanation: ServiceError? { get }
}

/// Errors that both database engines can cause.
extension ServiceError {
    /// Whether this is the error that a call took too long (``outOfTime``).
    var isOutOfTime: Bool { code == Self.outOfTime.code && description == Self.outOfTime.description }
    /// The error that the disk is full.
    static let diskIsFull = ServiceError(.full, "the disk is full: make room, and it goes on")
    /// Returns the error that the database's disk or folder cannot be written.
    static func isUnwritable(_ reason: String) -> ServiceError {
        ServiceError(
            .unwritable,
            "the disk or folder of the database cannot be read or written (\(reason)): is it read-only, or broken?")
    }
    /// The error that a text contains the character U+0000, which PostgreSQL cannot store.
    static let zeroInText = ServiceError(
        .text, "a text contains the character U+0000, which PostgreSQL cannot keep: leave it out")
    /// The error that the database is the target of an unfinished copy.
    static let isUnfinishedCopy = ServiceError(
        .storage,
        "it is the unfinished target of 'carillon db copy': run the same copy again, which goes on, or name another database"
    )
    /// The error that the database has tables, but not Carillon's table `carillon_schema`.
    static let hasOtherTables = ServiceError(
        .storage, "its tables are not Carillon's, or those of a version before 0.1.0: name an empty database")
    /// The error that the app of a call was removed after the caller was authenticated.
    static let appIsRemoved = ServiceError(.removed, "the app was removed from this service")
    /// The error that another process has locked the database for longer than a call may wait.
    static let databaseIsBusy = ServiceError(
        .busy,
        "another process has been writing to the database for \(Int(StoreLimits.databaseBusySeconds)) s or more")
    /// The error that a call took too long, and was ended.
    static let outOfTime = ServiceError(.busy, "a call took longer than it may, and was ended; nothing was changed")
}
