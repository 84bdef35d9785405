/// Why the service cannot start or go on.
struct ServiceError: Error, Sendable, CustomStringConvertible {
    struct Code: Sendable, Hashable {
        private enum Value { case configuration, storage, version, busy, full, unknownOutcome, text, notRunning }
        private let value: Value

        /// A setting is wrong; the message says which.
        static let configuration = Self(value: .configuration)
        /// The database does not do what durability needs.
        static let storage = Self(value: .storage)
        /// The tables are of another version than this program; nothing was changed.
        static let version = Self(value: .version)
        /// The database cannot be written now; nothing was changed.
        static let busy = Self(value: .busy)
        /// There is no room on the disk; nothing was changed.
        static let full = Self(value: .full)
        /// The connection to the database was lost during a commit: whether it has happened is not known.
        static let unknownOutcome = Self(value: .unknownOutcome)
        /// A text has a character that the database cannot keep; nothing was changed.
        static let text = Self(value: .text)
        /// The service ended before it could answer.
        static let notRunning = Self(value: .notRunning)
    }

    let code: Code
    /// What is wrong and what to do.
    let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// There is no room for what a call would write.
    static let diskIsFull = ServiceError(.full, "the disk is full: make room, and it goes on")
    /// A text that PostgreSQL would not take.
    static let zeroInText = ServiceError(
        .text, "a text contains the character U+0000, which PostgreSQL cannot keep: leave it out")
    /// A database is not served before the copy that fills it has ended.
    static let isUnfinishedCopy = ServiceError(
        .storage,
        "it is the unfinished target of 'carillon db copy': run the same copy again, which goes on, or name another database"
    )
    /// A database has tables, and none that says their version.
    static let hasOtherTables = ServiceError(
        .storage, "its tables are not Carillon's, or those of a version before 0.1.0: name an empty database")
    /// The database is held for longer than a call waits.
    static let databaseIsBusy = ServiceError(
        .busy,
        "another process has been writing to the database for \(Int(ServiceLimits.databaseBusySeconds)) s or more")
}
