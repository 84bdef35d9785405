import Foundation
import Synchronization

/// One file of the SDK, shared by the app and its service extension: read, changed and written under a lock. Damage is
/// survived: the contents start fresh, and that is reported.
final class SharedFile<Contents: Codable & Equatable & Sendable>: Sendable {
    private struct Volatile {
        var contents: Contents?
        var memory: JSONFile<Contents>.Memory?
        /// The last write failed: memory is ahead of the file.
        var isUnsaved = false
    }

    private let lock: FileLock
    private let file: JSONFile<Contents>
    private let volatile = Mutex(Volatile())
    private let fresh: @Sendable () -> Contents
    private let report: @Sendable (CarillonEvent) -> Void

    /// - Parameter fresh: makes the contents of a file that is not there, or makes no sense.
    init(
        _ name: String, in folder: URL, lock: FileLock, fresh: @escaping @Sendable () -> Contents,
        report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        self.lock = lock
        file = JSONFile(url: folder.appendingPathComponent(name))
        self.fresh = fresh
        self.report = report
    }

    /// Reads the newest contents, which the other process may have written, changes them, and writes them if they
    /// changed. When the file cannot be used now, the change lives in memory until it can.
    @discardableResult
    func update<Value: Sendable>(_ change: (inout Contents) -> Value) -> Value {
        volatile.withLock { volatile in
            var result: Value?
            do {
                try lock.withLock {
                    let (before, isNew) = try load(&volatile)
                    var contents = before
                    result = change(&contents)
                    volatile.contents = contents
                    volatile.isUnsaved = true
                    if isNew || contents != before { try file.write(contents, &volatile.memory) }
                    volatile.isUnsaved = false
                }
            } catch {
                report(.storeIsUnavailable(reason: "\(error)"))
            }
            if let result { return result }
            // Unreadable: go on with what is in memory. Nothing is written, so the file keeps what it has.
            var contents = volatile.contents ?? fresh()
            let value = change(&contents)
            volatile.contents = contents
            return value
        }
    }

    var contents: Contents { update { $0 } }

    /// Forgets what the file held.
    func startFresh() { update { $0 = fresh() } }

    private func load(_ volatile: inout Volatile) throws -> (contents: Contents, isNew: Bool) {
        if volatile.isUnsaved, let contents = volatile.contents { return (contents, true) }
        switch try file.read(&volatile.memory) {
        case .contents(let contents): return (contents, false)
        case .corrupt:
            report(.storeWasDamaged(file: file.url.lastPathComponent))
            return (fresh(), true)
        case .absent:
            return (volatile.contents ?? fresh(), true)
        }
    }
}
