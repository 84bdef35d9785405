@_spi(Simulation) import CallKit
import CarillonCore
import Foundation
@_spi(Simulation) import PushKit
import Synchronization
@_spi(Simulation) import UserNotifications

/// The calls of an app to PushKit.
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

    /// The registry that receives pushes for calls: the app's latest registry that requests them.
    @MainActor var callRegistry: PKPushRegistry? {
        registries.compactMap(\.object).last { $0.desiredPushTypes?.contains(.voIP) ?? false }
    }
}

/// The calls of an app to CallKit.
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

/// The calls of a service extension to CallKit.
extension RunningProcess: VoIPPushHost {
    /// The entitlement: [reportNewIncomingVoIPPushPayload](https://developer.apple.com/documentation/callkit/cxprovider/reportnewincomingvoippushpayload(_:completion:)).
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

/// A report that the app sends to the phone.
///
/// `@unchecked`: the update is a copy that is never modified, and the provider has a lock.
private struct UncheckedCallReport: @unchecked Sendable {
    let update: CXCallUpdate
    let provider: CXProvider
}

/// A weak reference to an object of the app.
///
/// `@unchecked`: app code uses it only while the object is made; afterwards only the main actor does.
struct WeakObject<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var object: Object?

    init(_ object: Object) { self.object = object }
}
