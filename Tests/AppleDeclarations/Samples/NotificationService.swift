import CarillonExtension
import Foundation

nonisolated final class NotificationService: CarillonServiceExtension {
    override var appGroup: String? { "group.com.example.app" }
    override var service: URL? { URL(string: "https://push.example.com") }
}
