import CarillonCore
import Foundation

/// A recall: the message is marked, so that nothing further is sent; then, step by step, what is queued is cancelled, and what
/// may have arrived gets a removal.
struct Recalling: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let ranges: RangesTable
    private let work: WorkTable
    private let working: Working
    private let ending: Ending

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        ranges = RangesTable(session)
        work = WorkTable(session)
        working = Working(session)
        ending = Ending(session)
    }

    /// Takes a message back from everyone.
    func recall(_ message: Int64, _ notice: RecallNotice?, _ rules: SendingRules) throws {
        guard let row = try row("SELECT recalled, paused, notice, payload FROM messages WHERE number = ?", [message])
        else {
            return
        }
        let isNew = row.timestamp("recalled") == nil
        let given = row["notice"] as Data? == nil ? try notice.flatMap { try self.notice($0, insteadOf: row) } : nil
        guard isNew || given != nil else { return }
        try messages.recall(message, notice: given)
        try work.drop(on: message)
        // A recall is not held up by a pause, nor is its notice.
        if row.timestamp("paused") != nil { try ending.holdRange(message, false) }
        try ranges.mark(message, .recalled)
        try working.begin(.recall(message: message, wait: rules.assuredWait.wholeMilliseconds))
    }

    /// A notice as it is kept; `nil` when the message has no text whose place it could take.
    private func notice(_ notice: RecallNotice, insteadOf row: SQLRow) throws -> Data? {
        try row.payload("payload").aps.alert == nil ? nil : try CarillonJSON.encode(notice)
    }
}
