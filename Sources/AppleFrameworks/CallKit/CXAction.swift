import Foundation
import Synchronization

/// An action on calls, which the app performs and then fulfills or fails.
/// [CXAction](https://developer.apple.com/documentation/callkit/cxaction)
open class CXAction: NSObject {
    private struct State {
        var isComplete = false
        var timeoutDate = Date.distantFuture
        var settled: (@Sendable (Bool) -> Void)?
    }

    public let uuid: UUID
    private let state = Mutex(State())

    /// Makes an action.
    ///
    /// Differs from iOS: the action's identifier comes from a counter and is not random.
    override init() {
        uuid = CallIdentifiers.next()
        super.init()
    }

    /// Whether the action was fulfilled or has failed.
    open var isComplete: Bool { state.withLock(\.isComplete) }
    /// The time, by the phone's clock, at which an unfinished action fails.
    open var timeoutDate: Date { state.withLock(\.timeoutDate) }

    /// Reports that the action is done.
    open func fulfill() { settle(true) }

    /// Reports that the action cannot be done.
    open func fail() { settle(false) }

    private func settle(_ isDone: Bool) {
        let settled = state.withLock { state in
            state.isComplete = true
            return state.settled
        }
        settled?(isDone)
    }

    /// Sets the timeout and the callback, before the phone hands the action to the app.
    ///
    /// - Parameters:
    ///   - timeout: the time at which an unfinished action fails.
    ///   - settled: called with `true` after each `fulfill()`, and with `false` after each `fail()`.
    @_spi(Simulation) public func begin(timeout: Date, settled: @escaping @Sendable (Bool) -> Void) {
        state.withLock { state in
            state.timeoutDate = timeout
            state.settled = settled
        }
    }
}
