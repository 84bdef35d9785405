import Foundation
@_spi(Simulation) import UserNotifications

/// Writes a file into its own folder and one into the App Group's.
final class FolderExtension: UNNotificationServiceExtension {
    @MainActor init(_ callLog: CallLog) { super.init() }

    override init() { super.init() }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let device = SimulatedDevices.current
        for (group, name) in [(nil, "own.txt"), ("group.chime", "shared.txt")] {
            guard let folder = device?.containerDirectory(appGroup: group) else { continue }
            try? Data("x".utf8).write(to: folder.appending(path: name))
        }
        contentHandler(request.content)
    }
}
