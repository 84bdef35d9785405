import CarillonCore
import Foundation
import Synchronization

/// What the SDK remembers: two small files in a folder of the app, or of the App Group that it shares with its service
/// extension. Damage is survived: the damaged part starts fresh, and is reported.
final class CarillonStore: Sendable {
    private struct Volatile {
        var identity: Identity?
        var contents: StoreContents?
        /// The last write failed: memory is ahead of the file.
        var isUnsaved = false
        var randomness: any RandomNumberGenerator & Sendable
    }

    private let lock: FileLock
    private let identityFile: JSONFile<Identity>
    private let contentsFile: JSONFile<StoreContents>
    private let volatile: Mutex<Volatile>
    private let report: @Sendable (CarillonEvent) -> Void

    /// - Parameter directory: made when it is not there.
    init(
        directory: URL, randomness: any RandomNumberGenerator & Sendable,
        report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        let folder = directory.appendingPathComponent("Carillon", isDirectory: true)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        lock = FileLock(path: folder.appendingPathComponent("lock").path)
        identityFile = JSONFile(url: folder.appendingPathComponent("installation.json"))
        contentsFile = JSONFile(url: folder.appendingPathComponent("state.json"))
        volatile = Mutex(Volatile(randomness: randomness))
        self.report = report
    }

    /// Who this installation is; made at the first call.
    var identity: Identity {
        volatile.withLock { volatile in
            if let identity = volatile.identity { return identity }
            let identity = attempt({ try lock.withLock { try loadIdentity(&volatile) } }) {
                Self.makeIdentity(&volatile)
            }
            volatile.identity = identity
            return identity
        }
    }

    /// Forgets who this installation was: the service refuses it, and it must begin anew.
    func renewIdentity() {
        volatile.withLock { volatile in
            let identity = Self.makeIdentity(&volatile)
            volatile.identity = identity
            attempt({ try lock.withLock { try identityFile.write(identity) } }) {}
        }
    }

    /// Reads the newest contents, which the other process may have written, changes them, and writes them if they
    /// changed. When the file cannot be used now, the change lives in memory until it can.
    @discardableResult
    func update<Value: Sendable>(_ change: (inout StoreContents) -> Value) -> Value {
        volatile.withLock { volatile in
            var result: Value?
            attempt({
                try lock.withLock {
                    let before = try loadContents(&volatile)
                    var contents = before
                    result = change(&contents)
                    volatile.contents = contents
                    volatile.isUnsaved = true
                    if contents != before { try contentsFile.write(contents) }
                    volatile.isUnsaved = false
                }
            }) {}
            if let result { return result }
            // Unreadable: go on with what is in memory. Nothing is written, so the file keeps what it has.
            var contents = volatile.contents ?? Self.fresh(&volatile)
            let value = change(&contents)
            volatile.contents = contents
            return value
        }
    }

    var contents: StoreContents { update { $0 } }

    // MARK: Private

    private func loadIdentity(_ volatile: inout Volatile) throws -> Identity {
        switch try identityFile.read() {
        case .contents(let identity): return identity
        case .corrupt:
            report(.storeWasDamaged(file: "installation.json"))
            fallthrough
        case .absent:
            let identity = Self.makeIdentity(&volatile)
            try identityFile.write(identity)
            return identity
        }
    }

    private func loadContents(_ volatile: inout Volatile) throws -> StoreContents {
        if volatile.isUnsaved, let contents = volatile.contents { return contents }
        switch try contentsFile.read() {
        case .contents(let contents): return contents
        case .corrupt:
            report(.storeWasDamaged(file: "state.json"))
            return Self.fresh(&volatile)
        case .absent:
            return volatile.contents ?? Self.fresh(&volatile)
        }
    }

    private func attempt<Value>(_ work: () throws -> Value, otherwise: () -> Value) -> Value {
        do {
            return try work()
        } catch {
            report(.storeIsUnavailable(reason: "\(error)"))
            return otherwise()
        }
    }

    private static func makeIdentity(_ volatile: inout Volatile) -> Identity {
        var randomness: any RandomNumberGenerator & Sendable = volatile.randomness
        defer { volatile.randomness = randomness }
        return Identity(using: &randomness)
    }

    private static func fresh(_ volatile: inout Volatile) -> StoreContents {
        var randomness: any RandomNumberGenerator & Sendable = volatile.randomness
        defer { volatile.randomness = randomness }
        return StoreContents(using: &randomness)
    }
}
