import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// The notification service extension: a process of its own that may change a push before it is shown.
extension Phone {
    enum ExtensionOutcome {
        case show(UNNotificationContent)
        case suppress
    }

    func changedByExtension(
        _ request: UNNotificationRequest, _ payload: Payload, of app: InstalledApp, _ number: Int
    ) async -> ExtensionOutcome {
        guard let make = app.bundle.makeServiceExtension, runsExtension(for: payload, of: app, number) else {
            return .show(request.content)
        }
        let containers = rules.keeps(.extensionHasOwnFolder) ? app.extensionContainers : app.containers
        let process = RunningProcess(bundle: app.bundle, containers: containers, phone: self)
        _ = process.gate.grant()
        extensions[ObjectIdentifier(process)] = process
        var instance: UNNotificationServiceExtension?
        let handler: CompletionHandler<UNNotificationContent> = completionHandler(
            "the service extension", of: process, seconds: rules.serviceExtensionSeconds,
            expire: { close in
                // The last chance: what it answers within this call still counts.
                ProcessScheduler.shared.run(as: process) {
                    instance?.serviceExtensionTimeWillExpire()
                } done: { _ in
                    close()
                }
            }, report: { phone, problem in phone.note(problem.sentence, in: number) })
        await call(process) {
            let made = make()
            instance = made
            self.inspect([made], of: app)
            made.didReceive(request) { handler.call($0) }
        }
        let content = await handler.outcome().value
        process.end()
        extensions[ObjectIdentifier(process)] = nil
        return outcome(of: content, request, app, number)
    }

    /// Rule 30.
    private func runsExtension(for payload: Payload, of app: InstalledApp, _ number: Int) -> Bool {
        let settings = settingValues(of: app.bundle.bundleID)
        let hasText = payload.aps.alert != nil
        guard payload.aps.mutableContent && hasText || !rules.keeps(.extensionNeedsMutableContent) else { return false }
        guard settings.alert == .enabled || settings.notificationCenter == .enabled else {
            note("the service extension did not run: alerts are not enabled", in: number)
            return false
        }
        return true
    }

    private func outcome(
        of content: UNNotificationContent?, _ request: UNNotificationRequest, _ app: InstalledApp, _ number: Int
    ) -> ExtensionOutcome {
        guard let content else {
            note("the service extension did not finish in time: the original is shown", in: number)
            return rules.keeps(.lateExtensionShowsOriginal) ? .show(request.content) : .suppress
        }
        let isEmptied = content.title.isEmpty && content.subtitle.isEmpty && content.body.isEmpty
        guard isEmptied else {
            note("the service extension has handled it", in: number)
            return .show(content)
        }
        if app.bundle.entitlements.contains(.filtering) || !rules.keeps(.emptiedContentShowsOriginal) {
            return .suppress
        }
        note("the service extension emptied it without the filtering entitlement: the original is shown", in: number)
        return .show(request.content)
    }
}
