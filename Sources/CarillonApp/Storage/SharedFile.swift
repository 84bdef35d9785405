import Foundation
import Synchronization

/// One file of the SDK, shared by the app and its service extension: read, changed and written under a lock.
///
/// A file that cannot be decoded starts anew, and that is reported.
final class SharedFile<Contents: Codable & Equatable & Sendable>: Sendable {
    private struct InMemory {
        var contents: Contents?
        var memory: JSONFile<Contents>.Memory?
        /// Whether the last write failed, so that ``contents`` is newer than the file.
        var isUnsaved = false
    }

    private let lock: FileLock
    private let file: JSONFile<Contents>
    private let inMemory = Mutex(InMemory())
    private let fresh: @Sendable () -> Contents
    private let report: @Sendable (CarillonEvent) -> Void

    /// - Parameters:
    ///   - name: of the file.
    ///   - folder: exists already.
    ///   - lock: of the folder.
    ///   - fresh: makes the contents of a file that does not exist or cannot be decoded.
    ///   - report: told when the file cannot be used.
    init(
        _ name: String, in folder: URL, lock: FileLock, fresh: @escaping @Sendable () -> Contents,
        report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        self.lock = lock
        file = JSONFile(url: folder.appendingPathComponent(name))
        self.fresh = fresh
        self.report = report
    }

    /// Reads the newest contents, which the other process may have written, changes them, and writes what has changed.
    ///
    /// When the file cannot be used now, the change is kept in memory until it can.
    @discardableResult
    func update<Value: Sendable>(_ change: (inout Contents) -> Value) -> Value {
        inMemory.withLock { inMemory in
            var result: Value?
            do {
                try lock.withLock {
                    let (before, isNew) = try load(&inMemory)
                    var contents = before
                    result = change(&contents)
                    inMemory.contents = contents
                    inMemory.isUnsaved = true
                    if isNew || contents != before { try file.write(contents, &inMemory.memory) }
                    inMemory.isUnsaved = false
                }
            } catch {
                report(.storeIsUnavailable(reason: "\(error)"))
            }
            if let result { return result }
            // Unreadable: go on with what is in memory. Nothing is written, so the file keeps what it has.
            var contents = inMemory.contents ?? fresh()
            let value = change(&contents)
            inMemory.contents = contents
            return value
        }
    }

    /// The newest contents, which the other process may have written.
    var contents: Contents { update { $0 } }

    /// Replaces the contents by new ones.
    func startFresh() { update { $0 = fresh() } }

    private func load(_ inMemory: inout InMemory) throws -> (contents: Contents, isNew: Bool) {
        if inMemory.isUnsaved, let contents = inMemory.contents { return (contents, true) }
        switch try file.read(&inMemory.memory) {
        case .contents(let contents): return (contents, false)
        case .corrupt:
            report(.storeWasDamaged(file: file.url.lastPathComponent))
            return (fresh(), true)
        case .absent:
            return (inMemory.contents ?? fresh(), true)
        }
    }
}
