import CarillonCore
import Foundation
import UIKit
@_spi(Simulation) import UserNotifications

/// An app that is installed on this phone, running or not: its bundle and the folders of its files.
///
/// Each part of the phone keeps its own state of the app in a ``PerApp``.
@MainActor final class InstalledApp {
    /// The number of the installation, counted from 1 on each phone; an update or a new installation gets a new number.
    let number: Int
    let bundle: AppBundle
    let containers: Containers
    let extensionContainers: Containers
    let contentExtensionContainers: Containers
    let widgetExtensionContainers: Containers
    /// The folders that serve as the app's `Bundle.main`; the phone's locale decides which one the app sees.
    let place: BundlePlace
    /// The attachments of the app's notifications.
    let attachments: AttachmentStore

    /// Makes the installation of an app, and determines the app's folders.
    ///
    /// - Parameters:
    ///   - number: the number of the installation.
    ///   - bundle: the app's code and Info.plist values.
    ///   - phone: the phone's folder, in which the app's folders are.
    ///   - preferences: the `UserDefaults` of all apps on the phone.
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
        // These folders are outside the app's own folder, whose files cannot be read before the first unlock.
        place = BundlePlace(bundle, folder: folder("Bundles/\(name)"))
        attachments = AttachmentStore(folder: folder("Attachments/\(name)"))
        self.containers = containers("App")
        extensionContainers = containers("ServiceExtension")
        contentExtensionContainers = containers("ContentExtension")
        widgetExtensionContainers = containers("WidgetExtension")
    }
}
