@_spi(Simulation) import CallKit
import CarillonCore
import Foundation
@_spi(Simulation) import PushKit
import Synchronization
@_spi(Simulation) import UserNotifications

/// Keeps an app's `PKPushRegistry` objects, and passes the push types that they request to the phone.
extension AppProcess: PushRegistryHost {
    nonisolated func made(_ registry: PKPushRegistry) {
        let box = WeakObject(registry)
        kernel.mailbox.post { [weak self] in self?.registries.append(box) }
    }

    nonisolated func desiresChanged(of registry: PKPushRegistry) {
        let box = WeakObject(registry)
        post(
            SystemCall(name: "desiredPushTypes", needsProcess: false) { system, process in
                guard let registry = box.object, let process = process as? AppProcess else { return }
                system.connection.desired(registry, by: process)
            })
    }

    nonisolated func pushToken(for type: PKPushType) -> Data? { type == .voIP ? voIPToken.value : nil }

    /// The registry that receives VoIP pushes: the app's newest registry that requests them.
    @MainActor var callRegistry: PKPushRegistry? {
        registries.compactMap(\.object).last { $0.desiredPushTypes?.contains(.voIP) ?? false }
    }
}

/// Handles an app's use of CallKit: its reports of phone calls, and its requests for actions on them.
extension AppProcess: CallHost {
    nonisolated var currentCalls: [CXCall] { callsOnPhone.value.map { CXCall($0) } }
    @MainActor var callProviders: [CXProvider] { providers.compactMap(\.object) }
    @MainActor var callObservers: [CXCallObserver] { observers.compactMap(\.object) }

    nonisolated func made(_ provider: CXProvider) {
        let box = WeakObject(provider)
        kernel.mailbox.post { [weak self] in self?.providers.append(box) }
    }

    nonisolated func made(_ observer: CXCallObserver) {
        let box = WeakObject(observer)
        kernel.mailbox.post { [weak self] in self?.observers.append(box) }
    }

    nonisolated func report(
        newCall id: UUID, _ update: CXCallUpdate, from provider: CXProvider,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        reportedCalls.add(1, ordering: .relaxed)
        let copy = update.copy() as? CXCallUpdate ?? update
        let report = UncheckedCallReport(update: copy, provider: provider)
        post(
            SystemCall(name: "reportNewIncomingCall", needsProcess: false) { system, process in
                guard let process = process as? AppProcess else { return }
                let failure = system.telephony.reported(id, report.update, by: report.provider, of: process)
                process.reply { completion(failure) }
            })
    }

    nonisolated func report(_ id: UUID, _ event: CallReport) {
        post(
            SystemCall(name: "reportCall", needsProcess: false) { system, process in
                system.telephony.reported(event, of: id, by: process)
            })
    }

    nonisolated func request(_ transaction: CXTransaction, completion: @escaping @Sendable ((any Error)?) -> Void) {
        post(
            SystemCall(name: "request transaction", needsProcess: true) { system, process in
                guard let process = process as? AppProcess else { return }
                let refusal = system.telephony.refusal(of: transaction, from: process)
                process.reply { completion(refusal) }
                guard refusal == nil else { return }
                process.kernel.tasks.begin("a transaction of \(process.bundle.bundleID)") {
                    await system.telephony.request(transaction, from: process)
                }
            })
    }

    nonisolated func ended(_ provider: CXProvider) {
        post(
            SystemCall(name: "invalidate", needsProcess: false) { system, _ in system.telephony.invalidated(provider) })
    }
}

/// Handles a service extension's use of CallKit: its report of an incoming VoIP push.
extension RunningProcess: VoIPPushHost {
    /// Delivers a VoIP push that a service extension passes on; the app needs the filtering entitlement.
    ///
    /// See [reportNewIncomingVoIPPushPayload](https://developer.apple.com/documentation/callkit/cxprovider/reportnewincomingvoippushpayload(_:completion:)).
    func report(voIPPush payload: Data, completion: @escaping @Sendable ((any Error)?) -> Void) {
        post(
            SystemCall(name: "reportNewIncomingVoIPPushPayload", needsProcess: false) { system, process in
                let bundle = process.bundle
                guard !(process is AppProcess) else {
                    return process.reply {
                        completion(CXErrorCodeNotificationServiceExtensionError(.invalidClientProcess))
                    }
                }
                guard bundle.entitlements.contains(.filtering) else {
                    return process.reply {
                        completion(
                            CXErrorCodeNotificationServiceExtensionError(.missingNotificationFilteringEntitlement))
                    }
                }
                let push = IncomingPush(
                    topic: bundle.bundleID, pushType: .voip, payload: payload, apnsID: process.kernel.randomUUID())
                system.pushes.arrived(push)
                process.reply { completion(nil) }
            })
    }
}

/// An app's report of an incoming call, on its way to the phone.
///
/// `@unchecked`: the update is a copy that is never modified, and the provider has a lock.
private struct UncheckedCallReport: @unchecked Sendable {
    let update: CXCallUpdate
    let provider: CXProvider
}

/// A weak reference to an object of the app.
///
/// `@unchecked`: one thread of the app makes the reference; afterwards only the main actor uses it.
struct WeakObject<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
