import CPostgreSQL

/// A statement, or the preparation of a statement, that was sent and has no answer yet.
struct SentStatement {
    var key: StatementKey
    var prepares = false
}

/// Sends statements one after the other and reads their answers together.
///
/// So a transaction waits for the server only when it needs a result, not for each write. libpq calls this a
/// [pipeline](https://www.postgresql.org/docs/current/libpq-pipeline-mode.html). If a statement fails, earlier statements take
/// effect and later ones do not.
///
/// Whenever a caller waits for a result, the pipeline ends, so that the server's time-outs for idle transactions apply as usual.
extension PostgreSQLHandle {
    private typealias Answer = (statement: SentStatement, result: PostgreSQLResult)

    /// Whether a pipeline is open, so that statements are sent without waiting for their answers.
    var isPiped: Bool { PQpipelineStatus(handle) != PQ_PIPELINE_OFF }

    /// Sends a statement without waiting for its result.
    ///
    /// - Throws: ``PostgreSQLError``, possibly the error of a statement that was sent earlier.
    func send(_ sql: String, _ arguments: SQLArguments) throws {
        try enqueue(sql, try PostgreSQLValues(arguments))
        // Reads the answers before too many are pending, so that the server never waits for this client.
        if unanswered.count >= StoreLimits.statementsSentAhead { try endPipeline() }
    }

    /// Sends a statement, and waits for its answer and for the answers to all statements that were sent before it.
    ///
    /// - Returns: the statement's result, and the names of its columns.
    func runPiped(
        _ sql: String, _ values: PostgreSQLValues
    ) throws -> (result: PostgreSQLResult, columns: [String]) {
        let key = try enqueue(sql, values)
        let result = try endPipeline() ?? PostgreSQLResult(nil)
        return (result, prepared.columns(of: key, in: result))
    }

    /// Waits for the answers to all statements that were sent, and ends the pipeline.
    ///
    /// - Returns: the last statement's result; `nil` if no statement was sent.
    /// - Throws: the error of the first statement that has failed.
    @discardableResult
    func endPipeline() throws -> PostgreSQLResult? {
        guard isPiped else { return nil }
        try taken(PQpipelineSync(handle))
        let answers = unanswered.map { Answer($0, nextAnswer()) }
        unanswered = []
        // Reads the answer that marks the end of the pipeline.
        PQclear(PQgetResult(handle))
        if PQexitPipelineMode(handle) != 1 { isBroken = true }
        guard let place = answers.firstIndex(where: { !$0.result.isSuccess }) else { return answers.last?.result }
        let error = failure(answers[place].result)
        for answer in answers[place...] where answer.statement.prepares { prepared.remove(answer.statement.key) }
        prepared.note(error)
        throw error
    }

    private func nextAnswer() -> PostgreSQLResult {
        let result = PostgreSQLResult(PQgetResult(handle))
        while let further = PQgetResult(handle) { PQclear(further) }
        return result
    }

    @discardableResult
    private func enqueue(_ sql: String, _ values: PostgreSQLValues) throws -> StatementKey {
        let key = StatementKey(sql: sql, types: values.types)
        let isPrepared = !prepared.hasForeignSessions
        if isPrepared, !prepared.contains(key) { try makeRoomForStatement() }
        if !isPiped { try taken(PQenterPipelineMode(handle)) }
        if isPrepared, !prepared.contains(key) {
            try taken(PQsendPrepare(handle, prepared.name(of: key), key.text, Int32(key.types.count), key.types))
            prepared.add(key)
            unanswered.append(SentStatement(key: key, prepares: true))
        }
        try values.withPointers { pointers, lengths, formats in
            try taken(
                isPrepared
                    ? PQsendQueryPrepared(
                        handle, prepared.name(of: key), values.count, pointers, lengths, formats, 1)
                    : PQsendQueryParams(
                        handle, key.text, values.count, values.types, pointers, lengths, formats, 1))
        }
        unanswered.append(SentStatement(key: key))
        return key
    }

    private func taken(_ code: Int32) throws {
        guard code == 1 else { throw failure(PostgreSQLResult(nil)) }
    }
}
