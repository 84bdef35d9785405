import Foundation
import _SystemFoundation

/// The folders in the container of an app or an extension. The phone creates the folders that iOS creates.
@_spi(Simulation) public struct AppFolders: Sendable {
    /// The container: the app's `NSHomeDirectory()`.
    public let home: URL

    public init(home: URL) { self.home = home }

    /// The folders of the process whose code is running; `nil` outside any phone.
    ///
    /// Only the current task determines the process. Other hints, such as the process whose code the main queue is running, are
    /// ignored: with them a test's own code would sometimes find an app's folders and sometimes the machine's.
    static var current: AppFolders? {
        SimulatedDevices.taskLocal.map { AppFolders(home: $0.containerDirectory(appGroup: nil)) }
    }

    /// The app's folder for temporary files: `tmp` in the container.
    public var temporary: URL { made("tmp") }

    /// Returns the container's folder for a purpose, such as Documents or Caches.
    ///
    /// - Returns: the folder; `nil` if iOS has no such folder in an app's container.
    public func folder(_ directory: FileManager.SearchPathDirectory) -> URL? {
        switch directory {
        case .documentDirectory: made("Documents")
        case .libraryDirectory: made("Library")
        case .cachesDirectory: made("Library/Caches")
        // iOS leaves it to the app to create these.
        case .applicationSupportDirectory: path("Library/Application Support")
        case .autosavedInformationDirectory: path("Library/Autosave Information")
        case .desktopDirectory: path("Desktop")
        case .downloadsDirectory: path("Downloads")
        case .moviesDirectory: path("Movies")
        case .musicDirectory: path("Music")
        case .picturesDirectory: path("Pictures")
        case .sharedPublicDirectory: path("Public")
        default: nil
        }
    }

    private func path(_ name: String) -> URL { home.appending(path: name, directoryHint: .isDirectory) }

    private func made(_ name: String) -> URL {
        let folder = path(name)
        try? FileManager.system.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

// A file that imports Foundation by name uses Foundation's functions, which return the machine's folders.

/// Returns the temporary folder of the calling app, with a slash at the end.
@_disfavoredOverload public func NSTemporaryDirectory() -> String {
    AppFolders.current.map { $0.temporary.path + "/" } ?? SystemPlaces.temporaryDirectory
}

/// Returns the container of the calling app.
@_disfavoredOverload public func NSHomeDirectory() -> String {
    AppFolders.current?.home.path ?? SystemPlaces.homeDirectory
}

/// Returns the path of a folder of the calling app, such as Documents, in an array.
///
/// - Parameter expandTilde: if `false`, the path on iOS begins with a tilde; here it is always the whole path.
@_disfavoredOverload public func NSSearchPathForDirectoriesInDomains(
    _ directory: FileManager.SearchPathDirectory, _ domainMask: FileManager.SearchPathDomainMask, _ expandTilde: Bool
) -> [String] { FileManager.default.urls(for: directory, in: domainMask).map(\.path) }

@available(iOS 16, *)
extension URL {
    @_disfavoredOverload public static var documentsDirectory: URL { ofApp(.documentDirectory) }
    @_disfavoredOverload public static var cachesDirectory: URL { ofApp(.cachesDirectory) }
    @_disfavoredOverload public static var libraryDirectory: URL { ofApp(.libraryDirectory) }
    @_disfavoredOverload public static var applicationSupportDirectory: URL { ofApp(.applicationSupportDirectory) }
    @_disfavoredOverload public static var temporaryDirectory: URL { FileManager.default.temporaryDirectory }
    @_disfavoredOverload public static var homeDirectory: URL {
        URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
    }

    private static func ofApp(_ directory: FileManager.SearchPathDirectory) -> URL {
        FileManager.default.urls(for: directory, in: .userDomainMask)[0]
    }
}
