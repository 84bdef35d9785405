import CarillonMessaging
import UIKit
import UserNotifications

/// What only the app may do: an extension has no `UIApplication`.
extension NotificationCenterClient {
    /// Sets the number on the app's icon.
    ///
    /// iOS empties the app's list when the number falls to 0: also of what nobody has read, of what is not ours, and of
    /// what arrives while the call is under way. So the number is not set to 0 but hidden with -1, which takes effect at
    /// once and leaves the list alone; `setBadgeCount` does not take it.
    ///
    /// - Parameters:
    ///   - count: 0 removes the number.
    ///   - application: `UIApplication.shared`.
    /// - Throws: what iOS reports.
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
