import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Carries out UIKit's notification methods from before iOS 10 when an app calls them.
extension AppProcess {
    @MainActor var notificationSettings: UNNotificationSettings.Values {
        installed == nil ? .init() : system?.notifications.settingValues(of: bundle.bundleID) ?? .init()
    }

    /// Calls the app delegate's `didReceiveRemoteNotification` without a completion handler, if the app is in the foreground.
    ///
    /// Calls `then` with whether the delegate implements this method and was called.
    @MainActor func receiveByOlderMethod(
        _ payload: UncheckedUserInfo, then: @escaping @MainActor (_ isTold: Bool) -> Void = { _ in }
    ) {
        guard applicationState != .background else { return then(false) }
        let method = OptionalMethod.Call()
        ProcessScheduler.shared.run(as: self, "didReceiveRemoteNotification") {
            OptionalMethod.$call.withValue(method) {
                self.application.delegate?.application(
                    self.application, didReceiveRemoteNotification: payload.value)
            }
        } done: { hasRun in
            then(hasRun && !method.isMissing("didReceiveRemoteNotification"))
        }
    }

    /// Adds a trace entry when a method that the app has called fails, because iOS does not report this failure to the app.
    @MainActor func note(_ event: String, _ sentence: String) {
        guard installed != nil, let system else { return }
        system.life.traces.begin(event: event, of: bundle.bundleID).finish(note: sentence)
    }

    @MainActor func schedule(
        _ content: UNNotificationContent, _ trigger: UNNotificationTrigger?, original: AnyObject
    ) {
        guard let app = installed, let system else { return }
        if UserInfoKind(content.userInfo) != .propertyList { made(.oldUserInfoNoPropertyList) }
        guard !hasEndedForMistake else { return }
        let identifier = kernel.randomUUID().uuidString
        system.notifications.keep(original, as: identifier, of: app)
        let request = UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
        if let refusal = system.notifications.add(request, to: bundle.bundleID) {
            note("scheduleLocalNotification", "refused: \(refusal.localizedDescription)")
        }
    }

    @MainActor var scheduledOriginals: [AnyObject] {
        guard let app = installed, let system else { return [] }
        return system.notifications.list(of: app).pending.compactMap {
            system.notifications.oldNotification($0.request.identifier, of: app)
        }
    }

    @MainActor func cancelScheduled(where matches: (AnyObject) -> Bool) {
        guard let app = installed, let system else { return }
        let gone = system.notifications.list(of: app).pending.map(\.request.identifier).filter {
            system.notifications.oldNotification($0, of: app).map(matches) ?? false
        }
        system.notifications.removePending(gone, of: bundle.bundleID)
    }
}
