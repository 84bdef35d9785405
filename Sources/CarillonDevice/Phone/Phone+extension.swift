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
        let answer = PendingAnswer<UNNotificationContent>()
        process.onEnd { answer.close() }
        var instance: UNNotificationServiceExtension?
        let timer = schedule(afterSeconds: rules.serviceExtensionSeconds) { phone in
            // The last chance: what it answers within this call still counts.
            ProcessScheduler.shared.run(as: process) {
                instance?.serviceExtensionTimeWillExpire()
            } done: { _ in
                answer.close()
            }
        }
        await call(process) {
            let made = make()
            instance = made
            self.inspect([made], of: app)
            made.didReceive(request) { [mailbox = self.mailbox] content in
                let problem = HandlerProblem(answer.give(content), of: "the service extension")
                if let problem { mailbox.post { $0.update(number) { $0.notes.append(problem.sentence) } } }
            }
        }
        let content = await answer.wait()
        timer.cancel()
        process.end()
        extensions[ObjectIdentifier(process)] = nil
        return judge(content, request, app, number)
    }

    /// Rule 30.
    private func runsExtension(for payload: Payload, of app: InstalledApp, _ number: Int) -> Bool {
        let settings = settingValues(of: app.bundle.bundleID)
        let hasText = payload.aps.alert != nil
        guard payload.aps.mutableContent && hasText || !rules.keeps(.extensionNeedsMutableContent) else { return false }
        guard settings.alert == .enabled || settings.notificationCenter == .enabled else {
            update(number) { $0.notes.append("the service extension did not run: alerts are not enabled (rule 30)") }
            return false
        }
        return true
    }

    private func judge(
        _ content: UNNotificationContent?, _ request: UNNotificationRequest, _ app: InstalledApp, _ number: Int
    ) -> ExtensionOutcome {
        guard let content else {
            update(number) {
                $0.notes.append("the service extension did not answer in time: the original is shown (rule 30)")
            }
            return rules.keeps(.lateExtensionShowsOriginal) ? .show(request.content) : .suppress
        }
        let isEmptied = content.title.isEmpty && content.subtitle.isEmpty && content.body.isEmpty
        guard isEmptied else {
            update(number) { $0.notes.append("the service extension has seen it") }
            return .show(content)
        }
        if app.bundle.entitlements.contains(.filtering) || !rules.keeps(.emptiedContentShowsOriginal) {
            return .suppress
        }
        update(number) {
            $0.notes.append(
                "the service extension emptied it without the filtering entitlement: the original is shown (rule 31)")
        }
        return .show(request.content)
    }
}
