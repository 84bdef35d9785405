import CarillonCore
import Foundation
import NIOCore
import NIOHPACK

/// A notification in the form of the wire, checked.
struct SendDraft: Sendable {
    /// Longer ones would overflow arithmetic somewhere; nobody waits for longer.
    static let longestDeadline: Duration = .seconds(86_400 * 365)

    /// Everything but `authorization`.
    let headers: HPACKHeaders
    let body: ByteBuffer
    let apnsID: UUID
    /// The same as it stands in the header.
    let apnsIDText: String
    let deadline: Duration
}

/// One send on its way: what goes out, and whoever awaits the outcome.
///
/// `@unchecked Sendable`: the variables are touched on the client's event loop only; the rest does not change.
final class SendRequest: @unchecked Sendable {
    typealias Completion = @Sendable (Result<APNsOutcome, APNsError>) -> Void

    let draft: SendDraft
    private let completion: Completion

    /// Given by the pool once the event loop has the request.
    var id: RequestID?
    /// Set when the caller gave up before that.
    var isCancelled = false
    private var isComplete = false

    init(_ draft: SendDraft, completion: @escaping Completion) {
        self.draft = draft
        self.completion = completion
    }

    func complete(_ result: Result<APNsOutcome, APNsError>) {
        guard !isComplete else { return }
        isComplete = true
        completion(result)
    }
}
