import CarillonCore
import Foundation
import NIOCore

/// An answer as it came, before it is matched with the request's own id.
struct APNsAnswer: Sendable, Hashable {
    private enum Content: Sendable, Hashable {
        case error(APNsErrorBody)
        case json(ByteBuffer)
        case nothing
    }

    let head: APNsAnswerHead
    /// The error or the JSON, never both: an answer travels with every push and stays small.
    private let content: Content

    /// - Parameters:
    ///   - head: the answer's head.
    ///   - error: the error that APNs reports; `nil` with success.
    ///   - json: the body of a successful request about channels; `nil` for a push.
    init(head: APNsAnswerHead, error: APNsErrorBody?, json: ByteBuffer? = nil) {
        self.head = head
        content = error.map(Content.error) ?? json.map(Content.json) ?? .nothing
    }

    /// The error that APNs reports; `nil` with success.
    var error: APNsErrorBody? { if case .error(let error) = content { error } else { nil } }

    /// The JSON of a successful request about channels.
    var json: ByteBuffer? { if case .json(let json) = content { json } else { nil } }
}

extension APNsAnswer {
    /// Returns the answer as the client's user gets it.
    ///
    /// - Parameters:
    ///   - id: the request's own id, used when the answer names none.
    ///   - now: the wall clock's time at which the answer came.
    /// - Returns: acceptance for an answer without an error, else a rejection.
    func outcome(to id: UUID, at now: @autoclosure () -> Timestamp) -> APNsOutcome {
        let apnsID = head.apnsID ?? id
        guard let error else { return .accepted(apnsID: apnsID, uniqueID: head.uniqueID) }
        return .rejected(
            APNsRejection(
                reason: error.reason, status: head.status, timestamp: error.timestamp, apnsID: apnsID,
                clockLead: head.date.map { now() - $0 }))
    }
}
