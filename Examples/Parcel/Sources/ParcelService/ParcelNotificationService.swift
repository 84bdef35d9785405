import CarillonExtension
import UserNotifications

/// The notification service extension, which also runs after a force-quit.
nonisolated open class ParcelNotificationService: CarillonServiceExtension {
    open override var appGroup: String? { "group.com.example.parcel" }
    open override var service: URL? { URL(string: "https://push.example.com") }
}
