@_spi(Simulation) import CallKit
import CarillonCore
import Foundation

/// Handles the actions on phone calls: the person or the app requests an action, and the app performs it.
extension Telephony {
    // MARK: the person

    /// Answers a call, after putting an active call on hold ("Hold & Accept") or, if it cannot be held, ending it ("End &
    /// Accept").
    ///
    /// [CXSetHeldCallAction](https://developer.apple.com/documentation/callkit/cxsetheldcallaction)
    func answer(_ call: PhoneCall) async {
        for other in current where other.state == .active && !other.isOnHold {
            let action: CXCallAction =
                other.supportsHolding
                ? CXSetHeldCallAction(call: other.id, onHold: true) : CXEndCallAction(call: other.id)
            await perform(action, on: other)
        }
        await perform(CXAnswerCallAction(call: call.id), on: call)
    }

    func hangUp(_ call: PhoneCall) async { await perform(CXEndCallAction(call: call.id), on: call) }

    private func perform(_ action: CXCallAction, on call: PhoneCall) async {
        guard let entry = entry(call.id) else { return }
        await perform(CXTransaction(action: action), by: entry.provider, of: entry.process)
    }

    // MARK: the app

    /// Checks a transaction that the app requests.
    ///
    /// - Returns: the reason why the phone refuses the transaction; `nil` if the app may perform it.
    func refusal(of transaction: CXTransaction, from process: AppProcess) -> CXErrorCodeRequestTransactionError? {
        guard !transaction.actions.isEmpty else { return .init(.emptyTransaction) }
        guard process.callProviders.last != nil else { return .init(.unknownCallProvider) }
        for case let action as CXCallAction in transaction.actions {
            let isKnown = entry(action.callUUID, of: process) != nil
            if action is CXStartCallAction, isKnown { return .init(.callUUIDAlreadyExists) }
            if !(action is CXStartCallAction), !isKnown { return .init(.unknownCallUUID) }
        }
        return nil
    }

    func request(_ transaction: CXTransaction, from process: AppProcess) async {
        guard let latest = process.callProviders.last else { return }
        for case let action as CXStartCallAction in transaction.actions {
            begin(
                PhoneCall(
                    id: action.callUUID, bundleID: process.bundle.bundleID, isOutgoing: true, name: nil,
                    handle: action.handle.value, hasVideo: action.isVideo, state: .connecting),
                of: process, latest)
        }
        let known = transaction.actions.lazy.compactMap { ($0 as? CXCallAction).flatMap { self.entry($0.callUUID) } }
        await perform(transaction, by: known.first?.provider ?? latest, of: process)
    }

    // MARK: actions of the person and the app

    private func perform(_ transaction: CXTransaction, by provider: CXProvider, of process: AppProcess) async {
        let seconds = kernel.rules.callActionSeconds
        for action in transaction.actions {
            // Problems with the handler get a trace entry of their own.
            let handler: CompletionHandler<Bool> = background.completionHandler(
                "\(type(of: action))", of: process, seconds: seconds,
                report: { [life] problem in
                    life.traces.begin(event: "CallKit", of: process.bundle.bundleID).finish(note: problem.sentence)
                })
            action.begin(timeout: (kernel.now + .seconds(seconds)).date, settled: handler.call)
            began(action)
            background.follow(handler) { [self] outcome in
                guard case .overdue = outcome else { return settled(action, isDone: outcome.value ?? false) }
                kernel.tasks.begin("timedOutPerforming of \(process.bundle.bundleID)") { [self] in
                    await kernel.call(process, "timedOutPerforming") { provider.timedOut(action) }
                    settled(action, isDone: false)
                }
            }
        }
        await kernel.call(process, "perform \(transaction.actions.map { "\(type(of: $0))" }.joined(separator: ", "))") {
            provider.perform(transaction)
        }
    }

    private func began(_ action: CXAction) {
        if let action = action as? CXAnswerCallAction { update(action.callUUID) { $0.state = .connecting } }
    }

    private func settled(_ action: CXAction, isDone: Bool) {
        guard let action = action as? CXCallAction, let call = entry(action.callUUID)?.call else { return }
        switch action {
        case is CXAnswerCallAction where isDone:
            update(call.id) { $0.state = .active }
            becameAudible(call.id)
        case is CXStartCallAction where isDone: becameAudible(call.id)
        case is CXAnswerCallAction where !isDone, is CXStartCallAction where !isDone: end(call.id, .failed)
        case is CXEndCallAction: end(call.id, isDone ? (call.state == .ringing ? .declined : .hungUp) : .failed)
        case let action as CXSetHeldCallAction where isDone: update(call.id) { $0.isOnHold = action.isOnHold }
        case let action as CXSetMutedCallAction where isDone: update(call.id) { $0.isMuted = action.isMuted }
        default: break
        }
    }
}
