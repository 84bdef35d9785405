import Foundation
@_spi(Simulation) import UserNotifications

/// The object through which an app requests actions on calls.
/// [CXCallController](https://developer.apple.com/documentation/callkit/cxcallcontroller)
open class CXCallController: NSObject {
    public let callObserver = CXCallObserver()
    private weak let host: (any CallHost)?
    private let queue: DispatchQueue

    /// Makes a controller.
    ///
    /// - Parameter queue: the queue on which the completion handlers of requests are called.
    public init(queue: DispatchQueue) {
        self.queue = queue
        host = SimulatedDevices.currentProcess as? any CallHost
        super.init()
    }

    /// Makes a controller that calls the completion handlers of requests on the main queue.
    public convenience override init() { self.init(queue: .main) }

    /// Requests a transaction; if it is accepted, the provider's delegate performs it.
    ///
    /// - Parameter completion: called with `CXErrorCodeRequestTransactionError` if the transaction is refused.
    @preconcurrency open func request(
        _ transaction: CXTransaction, completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let queue = queue
        guard let host else { return completion(CXErrorCodeRequestTransactionError(.unknownCallProvider)) }
        host.request(transaction) { error in CallDelivery { completion(error) }.deliver(on: queue) }
    }

    @available(iOS 11, *)
    @preconcurrency open func requestTransaction(
        with actions: [CXAction], completion: @escaping @Sendable ((any Error)?) -> Void
    ) { request(CXTransaction(actions: actions), completion: completion) }

    @available(iOS 11, *)
    @preconcurrency open func requestTransaction(
        with action: CXAction, completion: @escaping @Sendable ((any Error)?) -> Void
    ) { request(CXTransaction(action: action), completion: completion) }

    public func request(_ transaction: CXTransaction) async throws {
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            request(transaction) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    @available(iOS 11, *)
    public func requestTransaction(with actions: [CXAction]) async throws {
        try await request(CXTransaction(actions: actions))
    }

    @available(iOS 11, *)
    public func requestTransaction(with action: CXAction) async throws {
        try await request(CXTransaction(action: action))
    }
}
