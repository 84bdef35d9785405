import Foundation
import Synchronization
@_spi(Simulation) import UserNotifications

/// An observer of the calls on the phone.
/// [CXCallObserver](https://developer.apple.com/documentation/callkit/cxcallobserver)
open class CXCallObserver: NSObject {
    private struct Receiver: @unchecked Sendable {  // `@unchecked`: under the lock only
        weak var delegate: (any CXCallObserverDelegate)?
        var queue: DispatchQueue?
    }

    private weak let host: (any CallHost)?
    private let receiver = Mutex(Receiver())

    public override init() {
        host = SimulatedDevices.currentProcess as? any CallHost
        super.init()
        host?.made(self)
    }

    /// The calls that have not ended.
    open var calls: [CXCall] { host?.currentCalls ?? [] }

    /// Sets the delegate, which is told when a call changes.
    ///
    /// - Parameter queue: the queue on which the delegate is called; `nil` means the main queue.
    open func setDelegate(_ delegate: (any CXCallObserverDelegate)?, queue: DispatchQueue?) {
        let new = Receiver(delegate: delegate, queue: queue)
        receiver.withLock { $0 = new }
    }

    @_spi(Simulation) public func changed(_ call: CXCall) {
        let receiver = receiver.withLock { $0 }
        guard let delegate = receiver.delegate else { return }
        CallDelivery { delegate.callObserver(self, callChanged: call) }.deliver(on: receiver.queue)
    }
}

/// The method that tells a delegate about changes of calls.
/// [CXCallObserverDelegate](https://developer.apple.com/documentation/callkit/cxcallobserverdelegate)
public protocol CXCallObserverDelegate: NSObjectProtocol {
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall)
}
