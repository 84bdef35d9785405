import Foundation
import NIOCore

/// An answer as it came, before the request's own id is put to it.
struct APNsAnswer: Sendable, Hashable {
    private enum Content: Sendable, Hashable {
        case error(APNsErrorBody)
        case json(ByteBuffer)
        case nothing
    }

    let head: APNsAnswerHead
    /// One or the other: an answer travels with every push, and stays as small as it can.
    private let content: Content

    /// - Parameters:
    ///   - head: the answer's head.
    ///   - error: what APNs says went wrong; `nil` with success.
    ///   - json: what came with success: of a request about channels its JSON, of a push `nil`.
    init(head: APNsAnswerHead, error: APNsErrorBody?, json: ByteBuffer? = nil) {
        self.head = head
        content = error.map(Content.error) ?? json.map(Content.json) ?? .nothing
    }

    /// What APNs says went wrong; `nil` with success.
    var error: APNsErrorBody? { if case .error(let error) = content { error } else { nil } }

    /// The JSON of a successful request about channels.
    var json: ByteBuffer? { if case .json(let json) = content { json } else { nil } }
}

extension APNsAnswer {
    /// The answer as the client's user gets it.
    ///
    /// - Parameter id: the request's own, which is taken when the answer names none.
    /// - Returns: acceptance for an answer without an error, else a rejection.
    func outcome(to id: UUID) -> APNsOutcome {
        let apnsID = head.apnsID ?? id
        guard let error else { return .accepted(apnsID: apnsID, uniqueID: head.uniqueID) }
        return .rejected(
            APNsRejection(
                reason: error.reason, status: head.status, timestamp: error.timestamp, apnsID: apnsID))
    }
}
