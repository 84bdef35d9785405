import CarillonCore
import Foundation
import NIOCore

/// One send in progress: its content, and the caller that awaits the outcome.
///
/// `@unchecked Sendable`: before it is submitted it belongs to the sender, from then on to the client's event loop, and with
/// its outcome to the sender again. The queue's lock and the waking of the sender order these accesses.
final class PendingSend: @unchecked Sendable {
    enum Caller {
        /// A suspended task.
        ///
        /// Unchecked, because ``ClientLoop`` completes each request once and never forgets one, and the check would
        /// cost an allocation for each.
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
        /// A broadcast or a request about channels; indirect, so that it does not make pushes larger.
        indirect case channel(ChannelRequest)

        /// The holder of the answer to a request about channels; `nil` for a push.
        var reply: ChannelReply? { if case .channel(let request) = self { request.reply } else { nil } }

        /// The id that APNs repeats in its answer.
        var id: UUID {
            switch self {
            case .notification(let notification): notification.apnsID
            case .channel(let request): request.id
            }
        }

        /// The size of the body, in bytes.
        var byteCount: Int {
            switch self {
            case .notification(let notification): notification.payload.byteCount
            case .channel(let request): request.body.readableBytes
            }
        }

        /// Whether it counts as a push: everything but the management of channels.
        var isPush: Bool {
            if case .channel(let request) = self { request.isBroadcast } else { true }
        }

        /// The size limit of a successful answer's JSON, in bytes; `nil` for a push, whose answer is a status.
        var answerByteLimit: Int? {
            if case .channel(let request) = self { request.answerByteLimit } else { nil }
        }
    }

    let content: Content
    /// The time limit, counted from the arrival on the event loop.
    let timeLimit: Duration
    /// The caller; the sender sets it before it submits.
    var caller: Caller?

    /// The request's id, which the pool sets once the event loop has the request.
    var id: RequestID?
    /// Whether the caller gave up before the event loop had the request.
    var isCancelled = false
    /// The time at which the event loop took the request, on the clock's uptime.
    var arrival: Duration = .zero

    init(_ content: Content, timeLimit: Duration, caller: Caller? = nil) {
        self.content = content
        self.timeLimit = min(timeLimit, ClientLimits.longestDeadline)
        self.caller = caller
    }

    /// Whether it belongs to this batch or list.
    func belongs(to owner: AnyObject) -> Bool {
        switch caller {
        case .batch(let feed): feed === owner
        case .list(let list, _): list === owner
        case .task, nil: false
        }
    }

    /// Whether its caller has given up, though it has not been sent.
    var isUnwanted: Bool {
        if isCancelled { return true }
        return switch caller {
        case .batch(let feed): feed.isStopped
        case .list(let list, _): list.isStopped
        case .task, nil: false
        }
    }
}
