import CarillonCore
import CarillonUserInfo
import Foundation
import UserNotifications

/// The part of `UNUserNotificationCenter` that the SDK uses, in values that may cross threads.
///
/// The client uses the completion handler variants of Apple's methods: the async variants pass non-`Sendable` objects between
/// isolations, which Swift 6 refuses on iOS.
///
/// The continuations are unchecked, because an app may end before iOS answers. On iOS the app's memory is then freed; a simulated
/// phone lives in a larger process, where a checked continuation would report a leak.
@MainActor
package final class NotificationCenterClient {
    package let center: UNUserNotificationCenter

    package init(center: UNUserNotificationCenter) { self.center = center }

    /// Returns this app's notifications in Notification Center.
    package func delivered() async -> [DeliveredNotification] {
        await withUnsafeContinuation { continuation in
            center.getDeliveredNotifications { @Sendable notifications in
                continuation.resume(returning: notifications.map(DeliveredNotification.init))
            }
        }
    }

    /// Returns this app's notification with this identifier, without parsing other notifications; `nil` if Notification Center
    /// does not contain it.
    package func delivered(_ identifier: String) async -> DeliveredNotification? {
        await withUnsafeContinuation { continuation in
            center.getDeliveredNotifications { @Sendable notifications in
                let found = notifications.first { $0.request.identifier == identifier }
                continuation.resume(returning: found.map(DeliveredNotification.init))
            }
        }
    }

    /// Waits for a notification that iOS is about to put into Notification Center.
    ///
    /// - Returns: the notification; `nil` if Notification Center does not contain it after ``AppLimits/removalReads`` readings.
    package func newlyDelivered(_ identifier: String) async -> DeliveredNotification? {
        for _ in 0..<AppLimits.removalReads {
            if let found = await delivered(identifier) { return found }
        }
        return nil
    }

    /// Returns this app's pending notifications, which iOS has not delivered yet.
    ///
    /// A ``DeliveredNotification`` can represent a pending notification too.
    package func pending() async -> [DeliveredNotification] {
        await withUnsafeContinuation { continuation in
            center.getPendingNotificationRequests { @Sendable requests in
                continuation.resume(returning: requests.map(DeliveredNotification.init))
            }
        }
    }

    /// Returns the identifiers of this app's notifications in Notification Center.
    private func deliveredIdentifiers() async -> Set<String> {
        await withUnsafeContinuation { continuation in
            center.getDeliveredNotifications { @Sendable notifications in
                continuation.resume(returning: Set(notifications.map(\.request.identifier)))
            }
        }
    }

    /// Returns, sorted, the categories that delivered notifications name but the app has not declared.
    package func unknownCategories() async -> [String] {
        let used: Set<String> = await withUnsafeContinuation { continuation in
            center.getDeliveredNotifications { @Sendable notifications in
                continuation.resume(returning: Set(notifications.map(\.request.content.categoryIdentifier)))
            }
        }
        let declared: Set<String> = await withUnsafeContinuation { continuation in
            center.getNotificationCategories { @Sendable categories in
                continuation.resume(returning: Set(categories.map(\.identifier)))
            }
        }
        return used.subtracting(declared).filter { !$0.isEmpty }.sorted()
    }

    /// Reads the person's permission.
    package func authorizationStatus() async -> UNAuthorizationStatus {
        await withUnsafeContinuation { continuation in
            center.getNotificationSettings { @Sendable settings in
                continuation.resume(returning: settings.authorizationStatus)
            }
        }
    }

    /// Reads the person's permission, in the form that the service expects.
    package func permission() async -> PermissionState { PermissionState(await authorizationStatus()) }

    /// Asks the person for permission, or returns the answer that was given before.
    ///
    /// - Parameter options: the options to ask for.
    /// - Returns: whether the person allows notifications.
    /// - Throws: the error that iOS reports.
    package func requestPermission(_ options: UNAuthorizationOptions) async throws -> Bool {
        try await withUnsafeThrowingContinuation { continuation in
            center.requestAuthorization(options: options) { @Sendable granted, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: granted) }
            }
        }
    }

    /// Adds a notification; returns when iOS has accepted it.
    ///
    /// If iOS refuses the notification with its attachment, this method adds it without the attachment.
    ///
    /// - Parameter notification: the notification, which iOS delivers immediately.
    /// - Throws: the error that iOS reports.
    package func add(_ notification: LocalNotification) async throws {
        try await add(notification.identifier, notification.content)
    }

    private func add(_ identifier: String, _ content: UNNotificationContent) async throws {
        do { return try await deliver(identifier, content) } catch {
            guard !content.attachments.isEmpty, let plain = content.mutableCopy() as? UNMutableNotificationContent
            else { throw error }
            plain.attachments = []
            try await deliver(identifier, plain)
        }
    }

    private func deliver(_ identifier: String, _ content: UNNotificationContent) async throws {
        let request = UNNotificationRequest(identifier: identifier, content: content, trigger: nil)
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            center.add(request) { @Sendable error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Removes delivered and pending notifications; returns when Notification Center no longer contains them.
    ///
    /// Apple's method returns immediately and removes later. If iOS suspends the app right afterwards, the notifications may
    /// stay.
    ///
    /// - Parameter identifiers: the notifications to remove; identifiers that Notification Center does not contain count as
    ///   removed.
    /// - Returns: the notifications found, and the identifiers that remain after ``AppLimits/removalReads`` readings.
    package func remove(_ identifiers: [String]) async -> RemovalOutcome {
        guard !identifiers.isEmpty else { return RemovalOutcome() }
        center.removePendingNotificationRequests(withIdentifiers: identifiers)
        let found = await withUnsafeContinuation { continuation in
            // iOS carries out an app's calls in order, so this reads the notifications right before the removal.
            center.getDeliveredNotifications { @Sendable notifications in
                let found = notifications.filter { identifiers.contains($0.request.identifier) }
                continuation.resume(returning: found.map(DeliveredNotification.init))
            }
            center.removeDeliveredNotifications(withIdentifiers: identifiers)
        }
        var left = Set(identifiers)
        for _ in 0..<AppLimits.removalReads where !left.isEmpty {
            left.formIntersection(await deliveredIdentifiers())
        }
        return RemovalOutcome(found: found, left: left)
    }

    // MARK: The badge

    /// Sets the number on the app's icon; returns when iOS has done so.
    ///
    /// If the number falls to 0, iOS may remove all delivered notifications of the app, even the ones that Carillon did not send.
    /// This method puts the lost notifications back without banner and sound. iOS has deleted their attachments with them.
    ///
    /// If the number is already 0, nothing is put back: a notification that disappears during this call was removed by the
    /// person.
    ///
    /// - Parameters:
    ///   - count: the new number; 0 removes the number from the icon.
    ///   - shown: the present number on the icon.
    ///   - willPutBack: receives the identifiers of the lost notifications before this method puts them back.
    /// - Throws: the error that iOS reports.
    package func setBadge(
        _ count: Int, over shown: Int, willPutBack: @MainActor (Set<String>) -> Void
    ) async throws {
        let before = count > 0 || shown == 0 ? [] : await listedRequests()
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            center.setBadgeCount(count) { @Sendable error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
        guard !before.isEmpty else { return }
        let remaining = await deliveredIdentifiers()
        let gone = before.filter { !remaining.contains($0.request.identifier) }
        guard !gone.isEmpty else { return }
        willPutBack(Set(gone.map(\.request.identifier)))
        // The notification was delivered a moment ago. If iOS refuses it now, nothing can be done.
        for listed in gone.reversed() { try? await add(listed.request.identifier, listed.quietContent) }
    }

    /// Returns whether a notification that arrives in the foreground can be one that ``setBadge(_:over:willPutBack:)`` puts back.
    package static func canBePutBack(_ request: UNNotificationRequest) -> Bool {
        request.trigger == nil && request.content.interruptionLevel == .passive && request.content.sound == nil
    }

    private func listedRequests() async -> [ListedRequest] {
        await withUnsafeContinuation { continuation in
            center.getDeliveredNotifications { @Sendable notifications in
                continuation.resume(returning: notifications.map { ListedRequest(request: $0.request) })
            }
        }
    }

    /// The request of a delivered notification.
    ///
    /// `@unchecked`: the object comes from iOS, is never modified, and is only given back to iOS.
    private struct ListedRequest: @unchecked Sendable {
        let request: UNNotificationRequest

        /// The notification's content without banner, sound and badge.
        var quietContent: UNNotificationContent {
            guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
                return request.content
            }
            content.interruptionLevel = .passive
            content.sound = nil
            content.badge = nil
            return content
        }
    }
}

extension PermissionState {
    package init(_ status: UNAuthorizationStatus) {
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

/// The outcome of a removal from the list of delivered notifications.
package struct RemovalOutcome: Sendable {
    /// The notifications that were in Notification Center right before the removal; the person may have seen them.
    package var found: [DeliveredNotification]
    /// The identifiers that Notification Center still contains.
    package var left: Set<String>

    package init(found: [DeliveredNotification] = [], left: Set<String> = []) {
        self.found = found
        self.left = left
    }
}

/// A delivered or pending notification, as a value that may cross threads.
package struct DeliveredNotification: Sendable, Hashable {
    package let identifier: String
    package let userInfo: [String: JSONValue]
    /// The notification's message, whose `identifier` is that of the notification; `nil` for another SDK's notification.
    package let message: PushMessage?
    /// The delivery's time; `nil` if the notification was delivered without alerting the person.
    package let alertedAt: Timestamp?

    package init(identifier: String, userInfo: [String: JSONValue], message: PushMessage?, alertedAt: Timestamp?) {
        self.identifier = identifier
        self.userInfo = userInfo
        self.message = message
        self.alertedAt = alertedAt
    }

    package init(_ notification: UNNotification) {
        let isQuiet = notification.request.content.interruptionLevel == .passive
        self.init(notification.request, alertedAt: isQuiet ? nil : Timestamp(notification.date))
    }

    /// Makes a `DeliveredNotification` from the request of a pending notification; ``alertedAt`` is then `nil`.
    init(_ request: UNNotificationRequest) { self.init(request, alertedAt: nil) }

    private init(_ request: UNNotificationRequest, alertedAt: Timestamp?) {
        identifier = request.identifier
        self.alertedAt = alertedAt
        userInfo = JSONValue(foundation: request.content.userInfo)?.objectValue ?? [:]
        var message = PushInterpreter().instructions(for: userInfo).message
        message?.identifier = identifier
        self.message = message
    }
}
