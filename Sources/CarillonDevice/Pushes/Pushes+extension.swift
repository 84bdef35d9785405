import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// The notification service extension: a process of its own that may change a push before it is shown.
extension Pushes {
    enum ExtensionOutcome {
        case show(UNNotificationContent)
        case suppress
    }

    func changed(
        _ request: UNNotificationRequest, by make: @escaping @MainActor @Sendable () -> UNNotificationServiceExtension,
        of push: PushUnderWay
    ) async -> ExtensionOutcome {
        let process = life.startServiceExtension(of: push.app)
        var instance: UNNotificationServiceExtension?
        let handler: CompletionHandler<UNNotificationContent> = background.completionHandler(
            "the service extension", of: process, seconds: kernel.rules.serviceExtensionSeconds,
            expire: { close in
                // The last chance: an answer within this call still counts.
                ProcessScheduler.shared.run(as: process, "serviceExtensionTimeWillExpire") {
                    instance?.serviceExtensionTimeWillExpire()
                } done: { _ in
                    close()
                }
            }, report: { push.entry.note($0.sentence) })
        await kernel.call(process, "service extension") { [life] in
            let made = make()
            instance = made
            life.inspect([made], of: push.app)
            made.didReceive(request) { handler.call($0) }
        }
        let content = await handler.outcome().value
        process.end()
        return outcome(of: content, request, push)
    }

    /// Returns whether the service extension runs for a push (rule 30).
    func runsExtension(for push: PushUnderWay) -> Bool {
        let aps = push.content.aps
        guard aps.mutableContent && aps.alert?.hasText == true || !kernel.rules.keeps(.extensionNeedsMutableContent)
        else {
            return false
        }
        let settings = settings(of: push.app)
        guard settings.alert == .enabled || settings.notificationCenter == .enabled else {
            push.entry.note("the service extension did not run: alerts are not enabled")
            return false
        }
        return true
    }

    private func outcome(
        of content: UNNotificationContent?, _ request: UNNotificationRequest, _ push: PushUnderWay
    ) -> ExtensionOutcome {
        guard let content else {
            push.entry.note("the service extension did not finish in time: the original is shown")
            return kernel.rules.keeps(.lateExtensionShowsOriginal) ? .show(request.content) : .suppress
        }
        let isEmptied = content.title.isEmpty && content.subtitle.isEmpty && content.body.isEmpty
        guard isEmptied else {
            push.entry.note("the service extension has handled it")
            return .show(content)
        }
        if push.app.bundle.entitlements.contains(.filtering)
            || !kernel.rules.keeps(.emptiedContentShowsOriginal)
        {
            return .suppress
        }
        push.entry.note("the service extension emptied it without the filtering entitlement: the original is shown")
        return .show(request.content)
    }
}
