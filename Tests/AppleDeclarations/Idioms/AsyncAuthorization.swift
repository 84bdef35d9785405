// Swift 5: accepted · Swift 5, main actor by default: accepted · Swift 6: accepted · Swift 6, main actor by default: accepted
import UIKit
import UserNotifications

@MainActor final class AsyncAuthorization {
    func ask() async {
        do {
            try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge])
            let settings = await UNUserNotificationCenter.current().notificationSettings()
            if settings.authorizationStatus == .authorized { UIApplication.shared.registerForRemoteNotifications() }
        } catch { print(error) }
    }
}
