import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// The notification service extension, which runs in a separate process and may change a push before the phone shows it.
extension Pushes {
    enum ExtensionOutcome {
        case show(UNNotificationContent)
        case suppress
    }

    func changed(
        _ request: UNNotificationRequest, by make: @escaping @MainActor @Sendable () -> UNNotificationServiceExtension,
        of push: PushUnderWay
    ) async -> ExtensionOutcome {
        let (process, grant) = life.startServiceExtension(of: push.app)
        var instance: UNNotificationServiceExtension?
        let isLate = LockedValue(false)
        let handler: CompletionHandler<UNNotificationContent> = background.completionHandler(
            "the service extension", of: process, seconds: kernel.rules.serviceExtensionSeconds, grant: grant,
            expire: { close in
                isLate.value = true
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
        for name in process.lostChanges {
            push.entry.note(
                "lost: the service extension called \(name) right before it answered. Wait for an answer of the center, "
                    + "such as the delivered notifications, before the content handler is called")
        }
        process.end()
        if content == nil { noteMissingAnswer(of: process, push.entry) }
        return outcome(of: content, request, push, isLate: isLate.value)
    }

    private func noteMissingAnswer(of process: RunningProcess, _ entry: TraceEntry) {
        entry.note(
            process.hasEndedForMistake
                ? "the service extension ended before it answered: the original is shown"
                : "the service extension did not finish in time: the original is shown")
    }

    /// Returns whether the service extension runs for a push.
    ///
    /// The push needs text and `mutable-content` (``PhoneRule/extensionNeedsMutableContent``), and the app's notifications
    /// must be allowed to appear on a locked or unlocked screen or in the notification center.
    func runsExtension(for push: PushUnderWay) -> Bool {
        let aps = push.content.aps
        guard aps.mutableContent && aps.alert?.hasText == true || !kernel.rules.keeps(.extensionNeedsMutableContent)
        else {
            return false
        }
        let settings = settings(of: push.app)
        let places = [settings.alert, settings.lockScreen, settings.notificationCenter]
        guard places.contains(.enabled) else {
            push.entry.note("the service extension did not run: alerts are not enabled")
            return false
        }
        return true
    }

    private func outcome(
        of content: UNNotificationContent?, _ request: UNNotificationRequest, _ push: PushUnderWay, isLate: Bool
    ) -> ExtensionOutcome {
        guard let content else {
            return kernel.rules.keeps(.lateExtensionShowsOriginal) ? .show(request.content) : .suppress
        }
        let isEmptied = content.title.isEmpty && content.subtitle.isEmpty && content.body.isEmpty
        guard isEmptied else {
            push.entry.note(
                isLate
                    ? "the service extension ran out of time, and answered in serviceExtensionTimeWillExpire"
                    : "the service extension has handled it")
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
