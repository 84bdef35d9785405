import Foundation

extension FileManager {
    /// Returns the folder that an app shares with its extensions; Foundation has this method only on Apple's platforms.
    ///
    /// - Returns: `nil` for a group that the app does not belong to, and outside any phone.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        guard let process = SimulatedDevices.currentProcess, process.appGroups.contains(groupIdentifier) else {
            return nil
        }
        return process.containerDirectory(appGroup: groupIdentifier)
    }
}
