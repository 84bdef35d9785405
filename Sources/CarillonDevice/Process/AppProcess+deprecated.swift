import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// What UIKit's notifications from before iOS 10 ask of the phone.
extension AppProcess {
    @MainActor private var app: InstalledApp? {
        gate.phase == .running ? system?.apps[bundle.bundleID] : nil
    }

    @MainActor var notificationSettings: UNNotificationSettings.Values {
        app == nil ? .init() : system?.notifications.settingValues(of: bundle.bundleID) ?? .init()
    }

    /// Written down beside the pushes, since the app is told nothing.
    @MainActor func note(_ event: String, _ sentence: String) {
        guard app != nil, let system else { return }
        system.life.traces.begin(event: event, of: bundle.bundleID).finish(note: sentence)
    }

    @MainActor func schedule(
        _ content: UNNotificationContent, _ trigger: UNNotificationTrigger?, original: AnyObject
    ) {
        guard let app, let system else { return }
        let identifier = kernel.randomUUID().uuidString
        app.keep(original, as: identifier)
        let request = UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
        if let refusal = system.notifications.add(request, to: bundle.bundleID) {
            note("scheduleLocalNotification", "refused: \(refusal.localizedDescription)")
        }
    }

    @MainActor var scheduledOriginals: [AnyObject] {
        app?.list.pending.compactMap { app?.oldNotifications[$0.request.identifier] } ?? []
    }

    @MainActor func cancelScheduled(where matches: (AnyObject) -> Bool) {
        guard let app, let system else { return }
        let gone = app.list.pending.map(\.request.identifier).filter { app.oldNotifications[$0].map(matches) ?? false }
        system.notifications.removePending(gone, of: bundle.bundleID)
    }
}

extension InstalledApp {
    /// Notes the `UILocalNotification` behind a request, and forgets those that are neither pending nor shown.
    func keep(_ original: AnyObject, as identifier: String) {
        let known = Set(list.pending.map(\.request.identifier) + list.delivered.map(\.identifier))
        oldNotifications = oldNotifications.filter { known.contains($0.key) }
        oldNotifications[identifier] = original
    }
}
