import CarillonCore
import Foundation

/// Begins the recall of a message: marks the message, so that no sender claims further pushes of it.
///
/// Later steps cancel queued pushes, and make the devices that the message may have reached remove it.
struct Recalling: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let ranges: RangesTable
    private let work: WorkTable
    private let working: WorkingInSteps
    private let steering: Steering

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        ranges = RangesTable(session)
        work = WorkTable(session)
        working = WorkingInSteps(session)
        steering = Steering(session)
    }

    /// Begins the recall of a message from all devices.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - notice: the push that replaces the message on devices that do not confirm the removal; `nil` for none.
    ///   - rules: the rules with the time for which the service waits for a confirmation before it sends the notice.
    /// - Returns: whether the call has changed anything; false if an earlier recall has already recalled the message.
    /// - Throws: the errors of the database.
    func recall(_ message: Int64, _ notice: RecallNotice?, _ rules: SendingRules) throws -> Bool {
        let query = SQLStatement(
            sql: "SELECT recalled, paused, notice, payload FROM messages WHERE number = ?", arguments: [message])
        try foresee([query, MessagesTable.reference(toMessage: message)])
        guard let row = try row(query) else { return false }
        let isNew = row.timestamp("recalled") == nil
        let given = row["notice"] as Data? == nil ? try notice.flatMap { try self.notice($0, insteadOf: row) } : nil
        guard isNew || given != nil else { return false }
        try messages.recall(message, notice: given)
        try work.drop(on: message)
        // A pause delays neither a recall nor its notice.
        if row.timestamp("paused") != nil { try steering.holdChunks(of: message, false) }
        try ranges.mark(message, .recalled)
        try working.begin(.recall(message: message, wait: rules.assuredWait.wholeMilliseconds))
        return true
    }

    /// Returns a recall's notice as JSON; `nil` if the message in `row` has no visible text that the notice could replace.
    private func notice(_ notice: RecallNotice, insteadOf row: SQLRow) throws -> Data? {
        try row.payload("payload").aps.alert == nil ? nil : try CarillonJSON.encode(notice)
    }
}
