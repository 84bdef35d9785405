import CarillonCore
import Foundation
import UIKit
@_spi(Simulation) import UserNotifications

/// An app on this phone, running or not: all its state that outlives its process.
@MainActor final class InstalledApp {
    /// The number of the installation, from 1 on each phone; an update or a new installation gets a new number.
    let number: Int
    let bundle: AppBundle
    let containers: Containers
    let extensionContainers: Containers
    let contentExtensionContainers: Containers
    /// The app's `Bundle.main`.
    let place: BundlePlace
    /// The attachments of its notifications.
    let attachments: AttachmentStore

    /// - Parameters:
    ///   - number: the number of the installation.
    ///   - bundle: the app.
    ///   - phone: the phone's folder.
    ///   - preferences: the settings of all the phone's apps.
    init(_ number: Int, bundle: AppBundle, phone: URL, preferences: PreferenceFiles) {
        self.number = number
        self.bundle = bundle
        let name = Containers.fileName(bundle.bundleID)
        func folder(_ path: String) -> URL { phone.appending(path: path, directoryHint: .isDirectory) }
        func containers(_ process: String) -> Containers {
            Containers(
                own: folder("Apps/\(name)/\(process)"), groups: folder("Groups"), appGroups: bundle.appGroups,
                preferences: preferences)
        }
        // Outside the app's own files, which are closed before the first unlock.
        place = BundlePlace(bundle, folder: folder("Bundles/\(name)"))
        attachments = AttachmentStore(folder: folder("Attachments/\(name)"))
        self.containers = containers("App")
        extensionContainers = containers("ServiceExtension")
        contentExtensionContainers = containers("ContentExtension")
    }
}
