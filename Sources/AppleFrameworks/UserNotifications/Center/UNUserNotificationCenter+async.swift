import Foundation

/// The async forms, as Swift imports them on Apple's platforms.
extension UNUserNotificationCenter {
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            requestAuthorization(options: options) { granted, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: granted) }
            }
        }
    }

    public func notificationCategories() async -> Set<UNNotificationCategory> {
        await withCheckedContinuation { continuation in
            getNotificationCategories { continuation.resume(returning: $0) }
        }
    }

    public func notificationSettings() async -> UNNotificationSettings {
        await withCheckedContinuation { continuation in
            getNotificationSettings { continuation.resume(returning: $0) }
        }
    }

    public func add(_ request: UNNotificationRequest) async throws {
        try await withCheckedThrowingContinuation { continuation in
            add(request, withCompletionHandler: Self.resume(continuation))
        }
    }

    public func pendingNotificationRequests() async -> [UNNotificationRequest] {
        await withCheckedContinuation { continuation in
            getPendingNotificationRequests { continuation.resume(returning: $0) }
        }
    }

    public func deliveredNotifications() async -> [UNNotification] {
        await withCheckedContinuation { continuation in
            getDeliveredNotifications { continuation.resume(returning: $0) }
        }
    }

    public func setBadgeCount(_ newBadgeCount: Int) async throws {
        try await withCheckedThrowingContinuation { continuation in
            setBadgeCount(newBadgeCount, withCompletionHandler: Self.resume(continuation))
        }
    }

    private static func resume(
        _ continuation: CheckedContinuation<Void, any Error>
    ) -> @Sendable ((any Error)?) -> Void {
        { error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        }
    }
}
