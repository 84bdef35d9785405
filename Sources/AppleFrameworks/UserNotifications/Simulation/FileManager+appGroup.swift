import Foundation

extension FileManager {
    /// The folder that an app shares with its extensions, which Foundation has on Apple's platforms only.
    ///
    /// - Returns: `nil` outside of any phone.
    ///
    /// Differs from iOS: for a group that the app does not belong to, its own folder rather than `nil`.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        SimulatedDevices.current?.containerDirectory(appGroup: groupIdentifier)
    }
}
