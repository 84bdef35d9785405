import AVFAudio
import Foundation
import Synchronization
@_spi(Simulation) import UserNotifications

/// The object through which an app reports its calls to the system.
/// [CXProvider](https://developer.apple.com/documentation/callkit/cxprovider)
open class CXProvider: NSObject {
    private struct State: @unchecked Sendable {  // `@unchecked`: under the lock only
        weak var delegate: (any CXProviderDelegate)?
        var queue: DispatchQueue?
        var configuration: CXProviderConfiguration
        var pending: [CXTransaction] = []
    }

    private weak let host: (any CallHost)?
    private let state: Mutex<State>

    public init(configuration: CXProviderConfiguration) {
        let first = State(configuration: configuration)
        state = Mutex(first)
        host = SimulatedDevices.currentProcess as? any CallHost
        super.init()
        host?.made(self)
    }

    open var configuration: CXProviderConfiguration {
        get { copied.configuration }
        set {
            let box = State(configuration: newValue)
            state.withLock { $0.configuration = box.configuration }
        }
    }

    /// The transactions with an action that is neither fulfilled nor failed.
    open var pendingTransactions: [CXTransaction] { copied.pending.filter { !$0.isComplete } }

    open func pendingCallActions(of callActionClass: AnyClass, withCall callUUID: UUID) -> [CXCallAction] {
        pendingTransactions.flatMap(\.actions).compactMap { $0 as? CXCallAction }
            .filter { type(of: $0) == callActionClass && $0.callUUID == callUUID }
    }

    /// Sets the delegate, which is told about the person's actions on calls.
    ///
    /// - Parameter queue: the queue on which the delegate is called; `nil` means the main queue.
    open func setDelegate(_ delegate: (any CXProviderDelegate)?, queue: DispatchQueue?) {
        let new = State(delegate: delegate, queue: queue, configuration: copied.configuration)
        state.withLock { state in
            state.delegate = new.delegate
            state.queue = new.queue
        }
        if delegate != nil { callDelegate { $0.providerDidBegin($1) } }
    }

    /// Reports an incoming call.
    ///
    /// - Parameter completion: called with `CXErrorCodeIncomingCallError` if the call is not shown. The app must then end the
    ///   call.
    @preconcurrency open func reportNewIncomingCall(
        with UUID: UUID, update: CXCallUpdate, completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        guard let host else { return completion(CXErrorCodeIncomingCallError(.unknown)) }
        host.report(newCall: UUID, update, from: self, completion: completion)
    }

    public func reportNewIncomingCall(with UUID: UUID, update: CXCallUpdate) async throws {
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            reportNewIncomingCall(with: UUID, update: update) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    open func reportCall(with UUID: UUID, updated update: CXCallUpdate) {
        host?.report(
            UUID,
            .updated(
                name: update.localizedCallerName, handle: update.remoteHandle?.value, hasVideo: update.hasVideo))
    }

    /// Reports that a call has ended, for a reason outside the app's control.
    ///
    /// - Parameter dateEnded: the time of the end; `nil` means now. Differs from iOS: the date has no effect.
    open func reportCall(with UUID: UUID, endedAt dateEnded: Date?, reason endedReason: CXCallEndedReason) {
        host?.report(UUID, .ended(endedReason))
    }

    /// Reports that an outgoing call has begun to connect.
    ///
    /// - Parameter dateStartedConnecting: the time at which connecting began; `nil` means now. Differs from iOS: the date has
    ///   no effect.
    open func reportOutgoingCall(with UUID: UUID, startedConnectingAt dateStartedConnecting: Date?) {
        host?.report(UUID, .startedConnecting)
    }

    /// Reports that an outgoing call is connected.
    ///
    /// - Parameter dateConnected: the time of the connection; `nil` means now. Differs from iOS: the date has no effect.
    open func reportOutgoingCall(with UUID: UUID, connectedAt dateConnected: Date?) {
        host?.report(UUID, .connected)
    }

    /// Ends the provider's calls, and tells the delegate that the provider was reset.
    open func invalidate() {
        host?.ended(self)
        callDelegate { $0.providerDidReset($1) }
    }

    private var copied: State { state.withLock { $0 } }

    private func callDelegate(_ body: @escaping (any CXProviderDelegate, CXProvider) -> Void) {
        let state = copied
        guard let delegate = state.delegate else { return }
        CallDelivery { body(delegate, self) }.deliver(on: state.queue ?? .main)
    }

    /// Makes the delegate perform a transaction on the delegate's queue.
    ///
    /// Without a delegate the actions fail.
    @_spi(Simulation) public func perform(_ transaction: CXTransaction) {
        let box = State(configuration: copied.configuration, pending: [transaction])
        state.withLock { $0.pending = $0.pending.filter { !$0.isComplete } + box.pending }
        guard copied.delegate != nil else {
            for action in transaction.actions { action.fail() }
            return
        }
        callDelegate { delegate, provider in
            guard !delegate.provider(provider, execute: transaction) else { return }
            for action in transaction.actions { provider.perform(action, by: delegate) }
        }
    }

    private func perform(_ action: CXAction, by delegate: any CXProviderDelegate) {
        switch action {
        case let action as CXStartCallAction: delegate.provider(self, perform: action)
        case let action as CXAnswerCallAction: delegate.provider(self, perform: action)
        case let action as CXEndCallAction: delegate.provider(self, perform: action)
        case let action as CXSetHeldCallAction: delegate.provider(self, perform: action)
        case let action as CXSetMutedCallAction: delegate.provider(self, perform: action)
        case let action as CXSetGroupCallAction: delegate.provider(self, perform: action)
        case let action as CXPlayDTMFCallAction: delegate.provider(self, perform: action)
        default: action.fail()
        }
    }

    /// Tells the delegate that the audio of the provider's calls begins or ends.
    @_spi(Simulation) public func audioSession(isActive: Bool) {
        callDelegate { delegate, provider in
            if isActive {
                delegate.provider(provider, didActivate: .sharedInstance())
            } else {
                delegate.provider(provider, didDeactivate: .sharedInstance())
            }
        }
    }

    @_spi(Simulation) public func timedOut(_ action: CXAction) {
        callDelegate { $0.provider($1, timedOutPerforming: action) }
    }
}
