/// An error that PostgreSQL reports, or the reason for which it cannot be reached.
///
/// The text is the error's main sentence and never its detail, which may contain a token or a text.
struct PostgreSQLError: EngineError, CustomStringConvertible {
    /// [SQLSTATE](https://www.postgresql.org/docs/current/errcodes-appendix.html), five characters.
    let state: String
    let description: String

    /// The connection is gone, or could not be made; the present transaction has not been committed.
    static let connectionLost = "08006"
    /// No connection can be made, however long a call may wait.
    static let unreachable = "08001"
    /// The answer to a commit was lost, and its outcome is unknown.
    static let outcomeUnknown = "08007"
    /// The server refuses a value, such as a transaction number that was not given out yet.
    static let invalidParameter = "22023"
    /// The server takes no writes: it has become a standby.
    static let readOnly = "25006"

    var isPassing: Bool {
        switch state {
        // A serialization failure, a deadlock.
        case "40001", "40P01": true
        // The server is stopping or starting, or has become a standby.
        case Self.connectionLost, "57P01", "57P02", "57P03", Self.readOnly: true
        // Another process has changed a table, or a connection pooler has switched to another connection.
        case "0A000": description.contains("cached plan")
        case _ where tellsOfForeignSessions: true
        default: false
        }
    }

    /// Whether a prepared statement is missing or has changed.
    var concernsPreparedStatements: Bool { state == "0A000" || tellsOfForeignSessions }

    /// Whether the error shows that a pooler switches sessions: a prepared statement is missing, or an unprepared one exists.
    var tellsOfForeignSessions: Bool { state == "26000" || state == "42P05" }

    var explanation: ServiceError? {
        switch state {
        case "55P03": .databaseIsBusy
        case "57014":
            ServiceError(
                .busy,
                "a statement took longer than \(StoreLimits.statementSeconds) s, and was ended; nothing was changed")
        case "53100": .diskIsFull
        // A NUL in a JSON text.
        case "22P05": .zeroInText
        case "53300":
            ServiceError(.busy, "PostgreSQL takes no further connection (\(description)): raise max_connections")
        case Self.outcomeUnknown: ServiceError(.unknownOutcome, description)
        case Self.unreachable, Self.connectionLost, "57P01", "57P02", "57P03", Self.readOnly:
            ServiceError(.busy, "PostgreSQL cannot be reached (\(description))")
        default: nil
        }
    }
}
