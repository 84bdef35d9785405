import CarillonCore
import Foundation
import UserNotifications

/// The part of `UNUserNotificationCenter` that the SDK uses, in values that may cross threads.
///
/// The completion forms of Apple's methods are used throughout: their async forms hand non-`Sendable` objects from
/// one isolation to another, which Swift 6 refuses on iOS.
///
/// The continuations are unchecked: an app may end while iOS still owes it an answer, which then never comes. On iOS the
/// app's memory goes with it; a simulated phone lives in a larger process, where a checked continuation would complain.
@MainActor
package final class NotificationCenterClient {
    package let center: UNUserNotificationCenter
    private let memory = DeliveredMemory()

    package init(center: UNUserNotificationCenter) { self.center = center }

    /// The notifications of this app that are in the list.
    package func delivered() async -> [DeliveredNotification] {
        await withUnsafeContinuation { continuation in
            center.getDeliveredNotifications { @Sendable [memory] notifications in
                continuation.resume(returning: memory.read(notifications))
            }
        }
    }

    /// The notification of this app that has an identifier, if it is in the list; none of the others is read.
    package func delivered(_ identifier: String) async -> DeliveredNotification? {
        await withUnsafeContinuation { continuation in
            center.getDeliveredNotifications { @Sendable notifications in
                let found = notifications.first { $0.request.identifier == identifier }
                continuation.resume(returning: found.map(DeliveredNotification.init))
            }
        }
    }

    /// A notification that iOS is about to put into the list, or `nil` if it does not come.
    package func newlyDelivered(_ identifier: String) async -> DeliveredNotification? {
        for _ in 0..<AppLimits.removalReads {
            if let found = await delivered(identifier) { return found }
        }
        return nil
    }

    /// The notifications of this app that wait for their time.
    package func pending() async -> [DeliveredNotification] {
        await withUnsafeContinuation { continuation in
            center.getPendingNotificationRequests { @Sendable requests in
                continuation.resume(returning: requests.map(DeliveredNotification.init))
            }
        }
    }

    /// The identifiers of the notifications of this app that are in the list.
    private func deliveredIdentifiers() async -> Set<String> {
        await withUnsafeContinuation { continuation in
            center.getDeliveredNotifications { @Sendable notifications in
                continuation.resume(returning: Set(notifications.map(\.request.identifier)))
            }
        }
    }

    /// The categories of listed notifications that the app has not declared, sorted.
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

    /// Reads what the person allows now.
    package func authorizationStatus() async -> UNAuthorizationStatus {
        await withUnsafeContinuation { continuation in
            center.getNotificationSettings { @Sendable settings in
                continuation.resume(returning: settings.authorizationStatus)
            }
        }
    }

    /// Reads what the person allows now, in the form that the service is told.
    package func permission() async -> PermissionState { PermissionState(await authorizationStatus()) }

    /// Asks the person for permission, or repeats the answer that was given before.
    ///
    /// - Parameter options: what to ask for.
    /// - Returns: whether the person allows notifications.
    /// - Throws: what iOS reports.
    package func requestPermission(_ options: UNAuthorizationOptions) async throws -> Bool {
        try await withUnsafeThrowingContinuation { continuation in
            center.requestAuthorization(options: options) { @Sendable granted, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: granted) }
            }
        }
    }

    /// Adds a notification; returns when iOS has accepted it.
    ///
    /// - Parameter notification: delivered at once.
    /// - Throws: what iOS reports.
    package func add(_ notification: LocalNotification) async throws {
        let request = UNNotificationRequest(
            identifier: notification.identifier, content: notification.content, trigger: nil)
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            center.add(request) { @Sendable error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Removes notifications, pending ones too; returns when the removal is visible in the list.
    ///
    /// Apple's method returns at once and removes later, so an app that is suspended right afterwards may leave them in
    /// the list.
    ///
    /// - Parameter identifiers: those that are not in the list count as removed.
    /// - Returns: those that are still there after ``AppLimits/removalReads`` readings of the list.
    package func remove(_ identifiers: [String]) async -> Set<String> {
        guard !identifiers.isEmpty else { return [] }
        center.removePendingNotificationRequests(withIdentifiers: identifiers)
        center.removeDeliveredNotifications(withIdentifiers: identifiers)
        var remaining = Set(identifiers)
        for _ in 0..<AppLimits.removalReads where !remaining.isEmpty {
            remaining.formIntersection(await deliveredIdentifiers())
        }
        return remaining
    }

    // MARK: The badge

    /// Sets the number on the app's icon; returns when iOS has done so.
    ///
    /// iOS may empty the app's list when the number falls to 0, also of what is not ours. What is gone then is put back,
    /// without alerting anybody. A number that is 0 already does not fall: what goes meanwhile was removed by the person.
    ///
    /// - Parameters:
    ///   - count: 0 removes the number.
    ///   - shown: the number on the icon.
    ///   - willPutBack: called with the identifiers before they are put back.
    /// - Throws: what iOS reports.
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
        for listed in gone.reversed() { await putBack(listed) }
    }

    private func putBack(_ listed: ListedRequest) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            // It was in the list a moment ago: should iOS refuse it, there is nobody to tell.
            center.add(listed.quietly()) { @Sendable _ in continuation.resume() }
        }
    }

    private func listedRequests() async -> [ListedRequest] {
        await withUnsafeContinuation { continuation in
            center.getDeliveredNotifications { @Sendable notifications in
                continuation.resume(returning: notifications.map { ListedRequest(request: $0.request) })
            }
        }
    }

    /// `@unchecked`: iOS's own object, which nobody changes; it is only handed back to iOS.
    private struct ListedRequest: @unchecked Sendable {
        let request: UNNotificationRequest

        /// The notification without banner, sound and badge.
        func quietly() -> UNNotificationRequest {
            guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return request }
            content.interruptionLevel = .passive
            content.sound = nil
            content.badge = nil
            return UNNotificationRequest(identifier: request.identifier, content: content, trigger: nil)
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

/// A notification in the list of delivered notifications, in values that may cross threads.
package struct DeliveredNotification: Sendable, Hashable {
    package let identifier: String
    package let userInfo: [String: JSONValue]
    /// Its message, under the identifier that it has in the list; `nil` for another SDK's notification.
    package let message: PushMessage?
    /// When it was delivered; `nil` for one that was delivered without alerting the person.
    package let alertedAt: Timestamp?

    init(identifier: String, userInfo: [String: JSONValue], message: PushMessage?, alertedAt: Timestamp?) {
        self.identifier = identifier
        self.userInfo = userInfo
        self.message = message
        self.alertedAt = alertedAt
    }

    package init(_ notification: UNNotification) {
        let isQuiet = notification.request.content.interruptionLevel == .passive
        self.init(notification.request, alertedAt: isQuiet ? nil : Timestamp(notification.date))
    }

    /// A notification that waits for its time.
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

/// Remembers what the notifications of the list say, so that a list that has hardly changed is not read anew.
///
/// It goes by the object, which it keeps: where the system makes new ones for each reading, nothing is found here, and all
/// is as without it.
///
/// `@unchecked`: everything is touched under the lock only.
final class DeliveredMemory: @unchecked Sendable {
    private let lock = NSLock()
    private var known: [ObjectIdentifier: (object: UNNotification, value: DeliveredNotification)] = [:]

    /// - Parameter notifications: the whole list; what is not in it is forgotten.
    /// - Returns: what they say, in their order.
    package func read(_ notifications: [UNNotification]) -> [DeliveredNotification] {
        lock.withLock {
            var isAnyNew = known.count != notifications.count
            let values = notifications.map { object in
                if let known = known[ObjectIdentifier(object)] { return known.value }
                isAnyNew = true
                return DeliveredNotification(object)
            }
            if isAnyNew {
                known = Dictionary(
                    zip(notifications, values).map { (ObjectIdentifier($0), ($0, $1)) }, uniquingKeysWith: { $1 })
            }
            return values
        }
    }
}
