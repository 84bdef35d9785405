import Foundation
import _SystemFoundation

/// The type of `FileManager.default` in a module that imports UserNotifications or UIKit anywhere.
///
/// The file manager is Foundation's, except that Documents, Library, Caches and the temporary folder belong to the calling app
/// on its phone. Outside any phone, these folders are the machine's.
public final class AppFileManager: FileManager, @unchecked Sendable {
    // `@unchecked`: the class has no properties, and Foundation allows calling it from any thread.
    fileprivate static let shared = AppFileManager()

    public override func urls(
        for directory: FileManager.SearchPathDirectory, in domainMask: FileManager.SearchPathDomainMask
    ) -> [URL] {
        guard domainMask.contains(.userDomainMask), let folder = AppFolders.current?.folder(directory) else {
            return super.urls(for: directory, in: domainMask)
        }
        return [folder]
    }

    public override var temporaryDirectory: URL { AppFolders.current?.temporary ?? super.temporaryDirectory }
}

extension FileManager {
    // Swift prefers this property to Foundation's, even in a file that imports Foundation by name, because its type is more
    // specific.
    public class var `default`: AppFileManager { AppFileManager.shared }
}
