import CarillonCore
import Foundation
import NIOCore

/// An answer as received from APNs, without the id of its request.
struct APNsAnswer: Sendable, Hashable {
    private enum Content: Sendable, Hashable {
        case error(APNsErrorBody)
        case json(ByteBuffer)
        case nothing
    }

    let head: APNsAnswerHead
    /// The error of a rejection, the JSON of a successful answer about channels, or neither.
    ///
    /// One property for both keeps answers small: there is an answer for every push.
    private let content: Content

    /// Makes an answer from its head and its body.
    ///
    /// - Parameters:
    ///   - head: the answer's head.
    ///   - error: the error that APNs reports; `nil` for a success.
    ///   - json: the body of a successful answer about channels; `nil` for a push. The default is `nil`.
    init(head: APNsAnswerHead, error: APNsErrorBody?, json: ByteBuffer? = nil) {
        self.head = head
        content = error.map(Content.error) ?? json.map(Content.json) ?? .nothing
    }

    /// The error that APNs reports; `nil` for a success.
    var error: APNsErrorBody? { if case .error(let error) = content { error } else { nil } }

    /// The JSON of a successful answer about channels; `nil` for other answers.
    var json: ByteBuffer? { if case .json(let json) = content { json } else { nil } }
}

extension APNsAnswer {
    /// Returns the outcome that the client's caller gets.
    ///
    /// - Parameters:
    ///   - id: the request's own id, used if the answer contains no id.
    ///   - now: the wall clock's time at which the answer came.
    /// - Returns: acceptance if the answer reports no error; otherwise a rejection.
    func outcome(to id: UUID, at now: @autoclosure () -> Timestamp) -> APNsOutcome {
        let apnsID = head.apnsID ?? id
        guard let error else { return .accepted(apnsID: apnsID, uniqueID: head.uniqueID) }
        return .rejected(
            APNsRejection(
                reason: error.reason, status: head.status, timestamp: error.timestamp, apnsID: apnsID,
                clockLead: head.date.map { now() - $0 }, retryAfter: head.retryAfterSeconds.map { .seconds($0) }))
    }
}
