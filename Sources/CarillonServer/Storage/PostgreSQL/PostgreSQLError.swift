/// An error that PostgreSQL reports, or the reason why it cannot be reached.
///
/// The description is the primary message of PostgreSQL's error. It never includes the error's detail, which may contain a device
/// token or the text of a message.
struct PostgreSQLError: EngineError, CustomStringConvertible {
    /// The [SQLSTATE](https://www.postgresql.org/docs/current/errcodes-appendix.html): five characters.
    let state: String
    let description: String

    /// The SQLSTATE of the error that the connection was lost, or could not be made.
    ///
    /// After this error, the transaction is certainly not committed.
    static let connectionLost = "08006"
    /// The SQLSTATE of the error that no connection could be made within the time that a call may wait.
    static let unreachable = "08001"
    /// The SQLSTATE of the error that the answer to a commit was lost, so the commit's outcome is unknown.
    static let outcomeUnknown = "08007"
    /// The SQLSTATE of the error that the server refuses a value, for example a transaction number that the server has never
    /// used.
    static let invalidParameter = "22023"
    /// The SQLSTATE of the error that the server accepts no writes, because it is a standby.
    static let readOnly = "25006"

    /// The error that a call took longer than it may, between two of its statements.
    static let outOfTime = PostgreSQLError(state: canceled, description: "the call took too long")
    /// The SQLSTATE of the error that the server has ended a statement, for example after its time-out.
    private static let canceled = "57014"

    var isOutOfTime: Bool { state == Self.canceled }

    var isPassing: Bool {
        switch state {
        // A serialization failure or a deadlock.
        case "40001", "40P01": true
        // The server is stopping or starting, or has become a standby.
        case Self.connectionLost, "57P01", "57P02", "57P03", Self.readOnly: true
        // A prepared statement no longer fits: another process has changed a table, or a connection pooler has switched
        // sessions.
        case "0A000": description.contains("cached plan")
        case _ where tellsOfForeignSessions: true
        default: false
        }
    }

    /// Whether the error says that a prepared statement is missing, exists already, or no longer fits its tables.
    var concernsPreparedStatements: Bool { state == "0A000" || tellsOfForeignSessions }

    /// Whether the error shows that a connection pooler runs the connection's transactions in different server sessions.
    ///
    /// Behind such a pooler, a session can lack a statement that this process has prepared, or can already have another process's
    /// statement of that name.
    var tellsOfForeignSessions: Bool { state == "26000" || state == "42P05" }

    var explanation: ServiceError? {
        switch state {
        case "55P03": .databaseIsBusy
        case Self.canceled: .outOfTime
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
