import Foundation

/// The async variants of the center's methods, as Swift imports them on Apple's platforms.
///
/// The continuations are unsafe, because the phone never answers a terminated app. The app's tasks stay suspended, and
/// checked continuations would report the missing answers as mistakes.
extension UNUserNotificationCenter {
    @discardableResult
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        try await withUnsafeThrowingContinuation { continuation in
            requestAuthorization(options: options) { granted, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: granted) }
            }
        }
    }

    public func notificationCategories() async -> Set<UNNotificationCategory> {
        await withUnsafeContinuation { continuation in
            getNotificationCategories { continuation.resume(returning: Unchecked($0).value) }
        }
    }

    public func notificationSettings() async -> UNNotificationSettings {
        await withUnsafeContinuation { continuation in
            getNotificationSettings { continuation.resume(returning: Unchecked($0).value) }
        }
    }

    public func add(_ request: UNNotificationRequest) async throws {
        try await withUnsafeThrowingContinuation { continuation in
            add(request, withCompletionHandler: Self.resume(continuation))
        }
    }

    public func pendingNotificationRequests() async -> [UNNotificationRequest] {
        await withUnsafeContinuation { continuation in
            getPendingNotificationRequests { continuation.resume(returning: Unchecked($0).value) }
        }
    }

    public func deliveredNotifications() async -> [UNNotification] {
        await withUnsafeContinuation { continuation in
            getDeliveredNotifications { continuation.resume(returning: Unchecked($0).value) }
        }
    }

    @available(iOS 16, *)
    public func setBadgeCount(_ newBadgeCount: Int) async throws {
        try await withUnsafeThrowingContinuation { continuation in
            setBadgeCount(newBadgeCount, withCompletionHandler: Self.resume(continuation))
        }
    }

    private static func resume(
        _ continuation: UnsafeContinuation<Void, any Error>
    ) -> @Sendable ((any Error)?) -> Void {
        { error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        }
    }
}
