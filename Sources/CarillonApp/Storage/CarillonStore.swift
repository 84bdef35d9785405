import CarillonCore
import Foundation
import Synchronization

/// What the SDK remembers: three small files in a folder of the app, or of the App Group that it shares with its service
/// extension. Damage is survived: the damaged part starts fresh, and is reported.
final class CarillonStore: Sendable {
    /// The person's messages, in a file of their own: it is large, and seldom changes.
    let inbox: SharedFile<InboxState>

    private let identityFile: SharedFile<InstallationIdentity>
    private let contentsFile: SharedFile<StoreContents>

    /// - Parameter directory: made when it is not there.
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

    /// Who this installation is; made at the first call.
    var identity: InstallationIdentity { identityFile.contents }

    /// Forgets who this installation was: the service refuses it, and it must begin anew.
    func renewIdentity() { identityFile.startFresh() }

    /// Changes what is remembered; see ``SharedFile/update(_:)``.
    @discardableResult
    func update<Value: Sendable>(_ change: (inout StoreContents) -> Value) -> Value { contentsFile.update(change) }

    var contents: StoreContents { contentsFile.contents }
}
