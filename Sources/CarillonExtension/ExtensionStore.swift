import CarillonCore
import CarillonMessaging
import Foundation

/// What the service extension knows while it handles one notification.
///
/// It reads what the app has written, and what was left for the app by the extension before, and writes files of its own,
/// never the app's. `CarillonStore/takeOverFromExtension()` joins and removes them.
final class ExtensionStore: Sendable {
    private let files: any StoreFiles
    private let process: ExtensionProcess
    /// What is known where nothing can be read.
    private let fresh: StoreContents
    /// The beginning of the names of this notification's files: they sort by time, and no two are the same.
    private let namePrefix: String
    private let fileCount = Guarded(0)
    private let report: @Sendable (CarillonEvent) -> Void

    /// - Parameters:
    ///   - files: of the installation.
    ///   - process: what this process has read before.
    ///   - now: the phone's clock.
    ///   - randomness: for names of files.
    ///   - report: told of files that cannot be used.
    init(
        files: any StoreFiles, process: ExtensionProcess, now: Timestamp,
        randomness: any RandomNumberGenerator & Sendable, report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        var random = randomness
        fresh = StoreContents(using: &random)
        let mark = InstallationIdentity.hexadecimal(byteCount: 8, using: &random)
        namePrefix = "\(now.millisecondsSince1970)-\(mark)"
        self.files = files
        self.process = process
        self.report = report
        files.prepare()
    }

    /// What is known now, also of what the app and other notifications have led to meanwhile.
    package var contents: StoreContents { process.read(files, fresh: fresh, report: report) }

    /// Who this installation is; `nil` when that cannot be read, or the app has never run.
    package var identity: InstallationIdentity? {
        let data = try? files.read(StoreFileName.identity, in: .app, from: 0)
        return data.flatMap { try? CarillonJSON.decode(InstallationIdentity.self, from: $0) }
    }

    /// Changes what is known now, and leaves the change for the app.
    @discardableResult
    func update<Value: Sendable>(_ change: (inout StoreContents) -> Value) -> Value {
        let number = fileCount.withLock { count in
            count += 1
            return count
        }
        let name = "\(namePrefix)-\(number)\(StoreFileName.extensionEnding)"
        return process.update(files, fresh: fresh, file: name, report: report, change)
    }
}
