import CarillonCore
import Foundation
import UIKit
import UserNotifications

/// The notification center, reduced to what the SDK asks of it, in values that may cross threads.
///
/// The completion forms of Apple's methods are used throughout: their async forms hand non-`Sendable` objects from
/// one isolation to another, which Swift 6 refuses on iOS.
///
/// The continuations are unchecked: an app may end while iOS still owes it an answer, and then nobody answers. On iOS its
/// memory goes with it; a simulated phone lives in a larger process, where a checked continuation would complain.
@MainActor
final class NotificationCenterClient {
    /// A notification that is on the screen, or rather in its list.
    struct Shown: Sendable, Hashable {
        let identifier: String
        let userInfo: [String: JSONValue]
        /// `nil` for one that was put there without alerting anybody.
        let delivered: Timestamp?

        init(_ notification: UNNotification) {
            identifier = notification.request.identifier
            let isQuiet = notification.request.content.interruptionLevel == .passive
            delivered = isQuiet ? nil : Timestamp(notification.date)
            userInfo = JSONValue(foundation: notification.request.content.userInfo)?.objectValue ?? [:]
        }
    }

    /// How often the list is read again after a removal. Each reading is an answer of the system, not a wait.
    static let removalReadLimit = 20

    private let center: UNUserNotificationCenter

    init(center: UNUserNotificationCenter) { self.center = center }

    func shown() async -> [Shown] {
        await withUnsafeContinuation { continuation in
            center.getDeliveredNotifications { @Sendable notifications in
                continuation.resume(returning: notifications.map(Shown.init))
            }
        }
    }

    func permission() async -> PermissionState {
        await withUnsafeContinuation { continuation in
            center.getNotificationSettings { @Sendable settings in
                continuation.resume(returning: PermissionState(settings.authorizationStatus))
            }
        }
    }

    /// - Returns: whether the person allows notifications, now or from before.
    func requestPermission(_ options: UNAuthorizationOptions) async throws -> Bool {
        try await withUnsafeThrowingContinuation { continuation in
            center.requestAuthorization(options: options) { @Sendable granted, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: granted) }
            }
        }
    }

    /// Replaces all categories of the app.
    func setCategories(_ categories: [NotificationCategory]) {
        center.setNotificationCategories(Set(categories.map(\.category)))
    }

    /// Makes the notification; returns when iOS has taken it.
    func add(_ notification: LocalNotification) async throws {
        let request = UNNotificationRequest(
            identifier: notification.identifier, content: notification.content, trigger: nil)
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            center.add(request) { @Sendable error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Takes the notifications away, pending ones too.
    ///
    /// Apple's method returns at once and removes later. This one returns when the list no longer shows them: an app
    /// that is suspended right afterwards leaves nothing behind.
    ///
    /// - Returns: those that are still there after ``removalReadLimit`` readings.
    func remove(_ identifiers: [String]) async -> Set<String> {
        guard !identifiers.isEmpty else { return [] }
        center.removePendingNotificationRequests(withIdentifiers: identifiers)
        center.removeDeliveredNotifications(withIdentifiers: identifiers)
        var remaining = Set(identifiers)
        for _ in 0..<Self.removalReadLimit where !remaining.isEmpty {
            remaining.formIntersection(await shown().map(\.identifier))
        }
        return remaining
    }

    /// Takes everything of this app away, with the same promise.
    func removeAll() async {
        center.removeAllPendingNotificationRequests()
        center.removeAllDeliveredNotifications()
        for _ in 0..<Self.removalReadLimit where !(await shown().isEmpty) {}
    }

    /// Sets the number on the icon.
    ///
    /// iOS empties the app's list when the number falls to 0: also of what nobody has read, of what is not ours, and of
    /// what arrives while the call is under way. So the number is not set to 0 but hidden with -1, which takes effect at
    /// once and leaves the list alone; `setBadgeCount` does not take it.
    ///
    /// - Parameter count: 0 removes the number.
    func setBadge(_ count: Int, on application: UIApplication) async throws {
        guard count > 0 else {
            if application.applicationIconBadgeNumber > 0 { application.applicationIconBadgeNumber = -1 }
            return
        }
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            center.setBadgeCount(count) { @Sendable error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }
}

extension PermissionState {
    init(_ status: UNAuthorizationStatus) {
        self =
            switch status {
            case .notDetermined: .notDetermined
            case .denied: .denied
            case .authorized: .authorized
            case .provisional: .provisional
            case .ephemeral: .ephemeral
            @unknown default: .notDetermined
            }
    }
}
