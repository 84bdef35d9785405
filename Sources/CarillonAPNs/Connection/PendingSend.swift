import CarillonCore
import Foundation
import NIOCore

/// A request in progress: its content, and the caller that awaits the outcome.
///
/// `@unchecked Sendable`: the request belongs to the caller until it is submitted, then to the client's event loop, and after
/// its outcome to the caller again. The send queue's lock and the resumption of the caller's task make these changes of owner
/// safe.
final class PendingSend: @unchecked Sendable {
    enum Caller {
        /// A suspended task.
        ///
        /// The continuation is unchecked, because ``ClientLoop`` resumes each request exactly once, and a checked continuation
        /// would cost an allocation for each request.
        case task(UnsafeContinuation<Result<APNsOutcome, APNsError>, Never>)
        case batch(BatchFeed)
        case list(SendList, place: Int)

        func complete(_ request: PendingSend, _ result: Result<APNsOutcome, APNsError>) {
            switch self {
            case .task(let continuation): continuation.resume(returning: result)
            case .batch(let feed): feed.completed([APNsDelivery(request, result)])
            case .list(let list, let place): list.completed([(place, result)])
            }
        }
    }

    /// The content of the request.
    enum Content {
        case notification(APNsNotification)
        /// A broadcast or a request about channels.
        ///
        /// The case is indirect, so that pushes stay small.
        indirect case channel(ChannelRequest)

        /// The object in which the event loop stores the answer to a request about channels; `nil` for a push.
        var reply: ChannelReply? { if case .channel(let request) = self { request.reply } else { nil } }

        /// The id that APNs repeats in its answer.
        var id: UUID {
            switch self {
            case .notification(let notification): notification.apnsID
            case .channel(let request): request.id
            }
        }

        /// The size of the request's body, in bytes.
        var byteCount: Int {
            switch self {
            case .notification(let notification): notification.payload.byteCount
            case .channel(let request): request.body.readableBytes
            }
        }

        /// Whether the request is a push: a notification or a broadcast, but not the management of a channel.
        var isPush: Bool {
            if case .channel(let request) = self { request.isBroadcast } else { true }
        }

        /// The size limit of a successful answer's JSON, in bytes; `nil` for a push, whose answer has no body.
        var answerByteLimit: Int? {
            if case .channel(let request) = self { request.answerByteLimit } else { nil }
        }
    }

    let content: Content
    /// The time at which the request fails, on the monotonic clock.
    ///
    /// It is counted from the caller's call, so that a request that waits for the event loop has less time left.
    let deadline: Timestamp
    /// The caller that awaits the outcome.
    ///
    /// It is set before the request is submitted.
    var caller: Caller?

    /// The id that the client's ``Pool`` gives to the request.
    ///
    /// It is `nil` before the event loop has taken the request from the send queue.
    var id: RequestID?
    /// Whether the caller's task has been cancelled.
    var isCancelled = false
    /// The uptime at which the event loop took the request from the send queue.
    var arrival: Duration = .zero

    init(_ content: Content, deadline: Timestamp, caller: Caller? = nil) {
        self.content = content
        self.deadline = deadline
        self.caller = caller
    }

    /// Returns whether the request was submitted as part of the given batch or list.
    ///
    /// - Parameter owner: a ``BatchFeed`` or a ``SendList``, compared by identity.
    /// - Returns: `false` also for a request that was submitted alone.
    func belongs(to owner: AnyObject) -> Bool {
        switch caller {
        case .batch(let feed): feed === owner
        case .list(let list, _): list === owner
        case .task, nil: false
        }
    }

    /// Whether sending the request is pointless, because its caller no longer waits for the outcome.
    var isUnwanted: Bool {
        if isCancelled { return true }
        return switch caller {
        case .batch(let feed): feed.isStopped
        case .list(let list, _): list.isStopped
        case .task, nil: false
        }
    }
}
