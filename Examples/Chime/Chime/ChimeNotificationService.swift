import CarillonApp
import CarillonExtension
import Foundation
import UserNotifications

/// Chime's notification service extension: a target of its own in Xcode, with the same App Group as the app.
///
/// It runs for every alert, also after a force-quit, and needs only to know where the app's store and the service are.
/// `nonisolated`, for new Xcode projects put every class on the main actor, and iOS calls an extension elsewhere.
nonisolated open class ChimeNotificationService: CarillonServiceExtension {
    private var configuration = ChimeConfiguration.local

    /// Makes the extension for a test or another backend.
    ///
    /// - Parameter configuration: the same as the app's.
    public convenience init(configuration: ChimeConfiguration) {
        self.init()
        self.configuration = configuration
    }

    open override var appGroup: String? { ChimeConfiguration.appGroup }
    open override var service: URL? { configuration.service }
    open override var withdrawnText: String { "This news is no longer available." }

    open override func report(_ event: CarillonEvent) { configuration.report(event) }
}
