import CarillonCore
import Foundation

@testable import CarillonApp
@testable import CarillonExtension
@testable import CarillonMessaging

/// An app's store and its extension's over the same files.
@MainActor
struct StoreFixture {
    nonisolated static let start = Timestamp(secondsSince1970: 1_800_000_000)

    let files: TestFiles
    let log = EventLog()
    /// The extension's process.
    var process = ExtensionProcess()

    init(_ files: TestFiles = TestFiles()) { self.files = files }

    /// The app is launched.
    func launch(inFront isInFront: @escaping @MainActor () -> Bool = { false }) -> CarillonStore {
        CarillonStore(
            files: files, randomness: SystemRandomNumberGenerator(), isInFront: isInFront,
            report: { [log] in log.add($0) })
    }

    /// The extension is called for a notification.
    nonisolated func notified(at now: Timestamp = StoreFixture.start) -> ExtensionStore {
        ExtensionStore(
            files: files, process: process, now: now, randomness: SystemRandomNumberGenerator(),
            report: { [log] in log.add($0) })
    }

    /// The store's contents as a relaunched app reads them.
    var relaunched: StoreContents { launch().contents }
}

extension StoreContents {
    /// A removal of a message that has not come.
    mutating func bury(_ identifier: String) {
        _ = policy.remove([PushRemoval(identifier: identifier)], at: StoreFixture.start)
    }

    /// A message that has come and was reported.
    mutating func receive(_ identifier: String, revision: Int = 1, at now: Timestamp = StoreFixture.start) {
        guard let id = try? MessageID(identifier) else { return }
        let message = PushMessage(
            identifier: identifier, messageID: id, presentation: .bySystem, revision: revision)
        policy.record(message, at: now)
        policy.claim(.received, of: identifier, at: now)
    }

    var buried: Int { policy.tombstones.count }
}
