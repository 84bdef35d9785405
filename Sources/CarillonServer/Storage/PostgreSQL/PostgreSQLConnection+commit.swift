import Foundation

/// Commits transactions, and determines whether a commit has happened if the server's answer was lost.
extension PostgreSQLConnection {
    /// Commits the open transaction, and returns only if it is certain that the commit has happened; otherwise throws.
    ///
    /// Statements that were sent and have no answer yet share the commit's round trip, unless the transaction's number is still
    /// to be asked for: the number must be known before the commit is sent.
    ///
    /// - Throws: ``LateFailure`` if such a statement has failed; the errors of the connection and of the commit.
    func commit(_ handle: PostgreSQLHandle) throws {
        do {
            // Turns the time-out off, because it would end the wait for a standby server and acknowledge the commit without the
            // standby.
            try handle.send("SET LOCAL statement_timeout = 0", [])
            if number.isWanted { try awaitStatements() }
        } catch {
            rollBack()
            throw LateFailure.naming(error)
        }
        do {
            let answer = try handle.ask("COMMIT", [])
            try handle.endPipeline()
            guard answer.result?.result.tag == "COMMIT" else {
                throw PostgreSQLError(state: "40000", description: "the transaction was rolled back")
            }
        } catch let error as PostgreSQLError where !handle.isOpen {
            guard case .known(let number) = number else { throw error }
            try findOut(number, handle, error)
        } catch {
            rollBack()
            throw LateFailure.naming(error)
        }
    }

    /// Determines whether a transaction was committed, after the connection was lost before the commit's answer.
    ///
    /// The function returns if the transaction was committed.
    ///
    /// - Parameters:
    ///   - number: the transaction's number on the server.
    ///   - former: the connection to the server on which the transaction ran.
    ///   - error: the error of the commit.
    /// - Throws: ``lost`` if the transaction was not committed and can run again; ``PostgreSQLError/outcomeUnknown`` if the
    ///   server stays unreachable, or is another server than before.
    private func findOut(_ number: String, _ former: PostgreSQLHandle, _ error: PostgreSQLError) throws {
        let unknown = PostgreSQLError(
            state: PostgreSQLError.outcomeUnknown,
            description: """
                the connection to PostgreSQL was lost during a commit (\(error)), and whether it has happened is not known: \
                ask, or repeat the call with the same Idempotency-Key or id
                """)
        let end = ContinuousClock.now.advanced(by: patience)
        repeat {
            // Waits even if other calls have found the server unreachable, because only this call can tell its caller the
            // outcome.
            guard let handle = try? opened(within: patience), handle.history == former.history else { throw unknown }
            switch outcome(of: number, handle, former) {
            case .committed: return
            case .undone: throw Self.lost
            case .unknown: throw unknown
            case .pending: Thread.sleep(forTimeInterval: 0.02)
            }
        } while ContinuousClock.now < end
        throw unknown
    }

    private func outcome(of number: String, _ handle: PostgreSQLHandle, _ former: PostgreSQLHandle) -> CommitOutcome {
        do {
            let status = try handle.text(
                "SELECT coalesce(pg_xact_status(CAST('\(number)' AS xid8)), '') AS status")
            return CommitOutcome(status: status, hasCrashed: handle.recovered != former.recovered)
        } catch {
            return CommitOutcome(error)
        }
    }
}

/// The number of a transaction on the server, with which a connection finds out whether a lost commit has happened.
///
/// The server assigns the number at the transaction's first change. The connection asks for the number when it waits for the
/// server anyway.
enum TransactionNumber: Hashable {
    /// The transaction has changed nothing.
    case isNotNeeded
    /// The transaction may have changed something, and its number was not asked for since.
    case isNeeded
    case known(String)

    /// The query for the transaction's number; its text is empty if the transaction has changed nothing.
    static let query = "SELECT coalesce(CAST(pg_current_xact_id_if_assigned() AS TEXT), '') AS number"

    var isWanted: Bool { self == .isNeeded }

    /// Returns whether a statement may change something.
    static func isNeeded(for sql: String) -> Bool { !sql.hasPrefix("SELECT") }

    /// Records that a statement was sent that may change something.
    mutating func isNeeded() { if self == .isNotNeeded { self = .isNeeded } }

    /// Reads the answer to ``query``.
    mutating func read(_ answer: LateAnswer) throws {
        let row = try answer.result.flatMap { try $0.result.rows($0.columns, limit: 1).first }
        let text = row?.text("number") ?? ""
        self = text.isEmpty ? .isNotNeeded : .known(text)
    }
}

/// The outcome of a transaction, if the server did not answer its commit.
///
/// The server reports the outcome by transaction number. After a crash of the server, the report `committed` proves nothing: the
/// transaction may be lost, and another transaction may have got its number.
enum CommitOutcome: Hashable {
    case committed
    /// The transaction was rolled back, or was lost in a crash of the server, so it can run again.
    case undone
    /// The transaction is still in progress on the server.
    case pending
    case unknown

    /// Determines the outcome from the server's report on the transaction.
    ///
    /// - Parameters:
    ///   - status: the result of [`pg_xact_status`](https://www.postgresql.org/docs/current/functions-info.html); empty if the
    ///     server has forgotten the transaction's number.
    ///   - hasCrashed: whether the server has crashed since the transaction began, or may have crashed.
    init(status: String, hasCrashed: Bool) {
        switch status {
        case "committed": self = hasCrashed ? .unknown : .committed
        case "aborted": self = .undone
        case "in progress": self = .pending
        default: self = .unknown
        }
    }

    /// Determines the outcome of a transaction from the error of the query that asks the server for the outcome.
    ///
    /// - Parameter error: the error of the query. If it says that the server has never given out the transaction's number,
    ///   nothing was committed, and the transaction can run again. After any other error, the caller can repeat the query.
    init(_ error: any Error) {
        let state = (error as? PostgreSQLError)?.state
        self = state == PostgreSQLError.invalidParameter ? .undone : .pending
    }
}
