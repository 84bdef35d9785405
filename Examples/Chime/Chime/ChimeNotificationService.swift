import CarillonApp
import CarillonExtension
import Foundation
import UserNotifications

/// Chime's notification service extension: a separate target in Xcode, with the app's App Group.
///
/// It runs for every alert, even after a force-quit, and needs only the App Group and the service's address. It is
/// `nonisolated`, because new Xcode projects put every class on the main actor, and iOS calls an extension elsewhere.
nonisolated open class ChimeNotificationService: CarillonServiceExtension {
    private var configuration = ChimeConfiguration.local

    /// Makes the extension for a test or another backend.
    ///
    /// - Parameter configuration: the app's configuration.
    public convenience init(configuration: ChimeConfiguration) {
        self.init()
        self.configuration = configuration
    }

    open override var appGroup: String? { ChimeConfiguration.appGroup }
    open override var service: URL? { configuration.service }
    open override var withdrawnText: String { "This news is no longer available." }

    open override func report(_ event: CarillonEvent) { configuration.report(event) }
}
