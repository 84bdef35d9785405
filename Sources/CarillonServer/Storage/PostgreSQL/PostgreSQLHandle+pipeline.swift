import CPostgreSQL

/// A statement, or the preparation of a statement, that was sent and has no answer yet.
struct SentStatement {
    var key: StatementKey
    var prepares = false
    /// Receives the statement's result; `nil` if nobody wants it.
    var answer: LateAnswer?
}

/// The result of a statement that was sent; it arrives when the pipeline ends.
final class LateAnswer {
    /// The result, with the names of its columns; `nil` if it has not arrived, or if the statement has failed.
    fileprivate(set) var result: (result: PostgreSQLResult, columns: [String])?
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

    /// Sends a statement whose result is read after the end of the pipeline (``endPipeline()``).
    ///
    /// - Throws: ``PostgreSQLError``, possibly the error of a statement that was sent earlier.
    func ask(_ sql: String, _ arguments: SQLArguments) throws -> LateAnswer {
        let answer = LateAnswer()
        try enqueue(sql, try PostgreSQLValues(arguments), answer)
        if unanswered.count >= StoreLimits.statementsSentAhead { try endPipeline() }
        return answer
    }

    /// Waits for the answers to all statements that were sent, and ends the pipeline.
    ///
    /// - Throws: the error of the first statement that has failed.
    func endPipeline() throws {
        guard isPiped else { return }
        try taken(PQpipelineSync(handle))
        let answers = unanswered.map { Answer($0, nextAnswer()) }
        unanswered = []
        // Reads the answer that marks the end of the pipeline.
        PQclear(PQgetResult(handle))
        if PQexitPipelineMode(handle) != 1 { isBroken = true }
        let failed = answers.firstIndex { !$0.result.isSuccess }
        for (sent, result) in answers[..<(failed ?? answers.endIndex)] {
            sent.answer?.result = (result, prepared.columns(of: sent.key, in: result))
        }
        guard let place = failed else { return }
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

    private func enqueue(
        _ sql: String, _ values: PostgreSQLValues, _ answer: LateAnswer? = nil
    ) throws {
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
        unanswered.append(SentStatement(key: key, answer: answer))
    }

    private func taken(_ code: Int32) throws {
        guard code == 1 else { throw failure(PostgreSQLResult(nil)) }
    }
}
