import CarillonCore
import Foundation
import NIOCore
import NIOHPACK

/// One send on its way: the request in the form of the wire, and whoever awaits the outcome.
///
/// `@unchecked Sendable`: the variables are touched on the client's event loop only; the rest does not change.
final class SendRequest: @unchecked Sendable {
    typealias Completion = @Sendable (Result<APNsOutcome, APNsError>) -> Void

    /// Everything but `authorization`.
    let headers: HPACKHeaders
    let body: ByteBuffer
    let apnsID: UUID
    let deadline: Duration
    private let completion: Completion

    /// Given by the pool once the event loop has the request.
    var id: RequestID?
    /// Set when the caller gave up before that.
    var isCancelled = false
    private var isComplete = false

    init(
        headers: HPACKHeaders, body: ByteBuffer, apnsID: UUID, deadline: Duration, completion: @escaping Completion
    ) {
        self.headers = headers
        self.body = body
        self.apnsID = apnsID
        self.deadline = deadline
        self.completion = completion
    }

    func complete(_ result: Result<APNsOutcome, APNsError>) {
        guard !isComplete else { return }
        isComplete = true
        completion(result)
    }
}
