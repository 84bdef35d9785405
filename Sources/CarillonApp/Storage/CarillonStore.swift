import CarillonCore
import Foundation
import Synchronization

/// What the SDK remembers: three small files in the app's folder, or in that of the App Group.
///
/// A file that cannot be decoded starts anew, which is reported; the others are kept.
final class CarillonStore: Sendable {
    /// The inbox, in a file of its own, because it is large and seldom changes.
    let inbox: SharedFile<InboxState>

    private let identityFile: SharedFile<InstallationIdentity>
    private let contentsFile: SharedFile<StoreContents>

    /// - Parameters:
    ///   - directory: ``AppPlatform/directory``; created if it does not exist.
    ///   - randomness: for the installation's id and secret.
    ///   - report: told of files that cannot be used.
    init(
        directory: URL, randomness: any RandomNumberGenerator & Sendable,
        report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        let folder = directory.appendingPathComponent("Carillon", isDirectory: true)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let lock = FileLock(path: folder.appendingPathComponent("lock").path)
        let random = SharedRandomSource(randomness)
        identityFile = SharedFile(
            "installation.json", in: folder, lock: lock, fresh: { random.draw { InstallationIdentity(using: &$0) } },
            report: report
        )
        contentsFile = SharedFile(
            "state.json", in: folder, lock: lock, fresh: { random.draw { StoreContents(using: &$0) } }, report: report)
        inbox = SharedFile("inbox.json", in: folder, lock: lock, fresh: { InboxState() }, report: report)
    }

    /// Who this installation is; made when it is first read.
    var identity: InstallationIdentity { identityFile.contents }

    /// Makes a new identity, because the service refuses this one.
    func renewIdentity() { identityFile.startFresh() }

    /// Changes `state.json`; see ``SharedFile/update(_:)``.
    @discardableResult
    func update<Value: Sendable>(_ change: (inout StoreContents) -> Value) -> Value { contentsFile.update(change) }

    /// What `state.json` holds now; the other process may have written it.
    var contents: StoreContents { contentsFile.contents }
}
