import Foundation
import Synchronization

/// The files of user defaults on a phone: one object for each file, shared between an app and its extensions.
@_spi(Simulation) public final class PreferenceFiles: Sendable {
    private let files = Mutex<[String: PreferenceFile]>([:])

    public init() {}

    public func file(_ url: URL) -> PreferenceFile {
        files.withLock { files in
            if let file = files[url.path] { return file }
            let new = PreferenceFile(url: url)
            files[url.path] = new
            return new
        }
    }

    /// Forgets all files when the phone is switched off; they are read again after it is switched on.
    public func forgetAll() { files.withLock { $0 = [:] } }

    /// Forgets the settings files in a folder that is deleted or whose files are replaced.
    public func forget(below folder: URL) {
        let prefix = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
        let gone = files.withLock { files -> [PreferenceFile] in
            let gone = files.filter { $0.key.hasPrefix(prefix) }
            for path in gone.keys { files[path] = nil }
            return Array(gone.values)
        }
        for file in gone { file.delete() }
    }
}
