/// An error that keeps the service from starting or going on.
struct ServiceError: Error, Sendable, CustomStringConvertible {
    struct Code: Sendable, Hashable {
        private enum Value { case configuration, storage, version, busy, full, unknownOutcome, text, notRunning }
        private let value: Value

        /// A setting is wrong; the message says which.
        static let configuration = Self(value: .configuration)
        /// The database does not meet the requirements of durability.
        static let storage = Self(value: .storage)
        /// The tables are of another version than this program; nothing was changed.
        static let version = Self(value: .version)
        /// The database cannot be written now; nothing was changed.
        static let busy = Self(value: .busy)
        /// The disk is full; nothing was changed.
        static let full = Self(value: .full)
        /// The connection to the database was lost during a commit: it is unknown whether the commit has happened.
        static let unknownOutcome = Self(value: .unknownOutcome)
        /// A text contains a character that the database cannot store; nothing was changed.
        static let text = Self(value: .text)
        /// The service ended before it could answer.
        static let notRunning = Self(value: .notRunning)
    }

    let code: Code
    /// The fault, and what to do.
    let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

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
        "another process has been writing to the database for \(Int(ServiceLimits.databaseBusySeconds)) s or more")
}
