import CarillonCore
import Foundation

/// One save of ``AppStore``: the values to write, and a method that writes them and may be called on any thread.
package struct StoreWrite: Sendable {
    /// A change to append to a journal as one line.
    package struct Line: Sendable {
        var journal: String
        var change: StoreChange

        package init(journal: String, change: StoreChange) {
            self.journal = journal
            self.change = change
        }
    }

    /// A snapshot of the store's contents, with an empty journal for later changes.
    package struct Snapshot: Sendable {
        var next: StoreGeneration
        /// The previous snapshot; `nil` if the new snapshot is the first.
        ///
        /// This save keeps the previous snapshot with its journal, and removes older snapshots.
        var last: StoreGeneration?
        var contents: StoreChange

        package init(next: StoreGeneration, last: StoreGeneration?, contents: StoreChange) {
            self.next = next
            self.last = last
            self.contents = contents
        }
    }

    /// The result of a save.
    package struct Outcome: Sendable {
        /// The error that ended the save; `nil` if it succeeded.
        package var error: StoreError?
        /// The number of bytes that the save appended to the journal.
        var byteCount = 0
    }

    /// The inbox to write; `nil` if it has not changed since the last save.
    var inbox: (any Encodable & Sendable)?
    var line: Line?
    var snapshot: Snapshot?
    /// The names of the service extension's files that the app has read; this save includes their changes.
    ///
    /// As its last step, the save removes these files.
    var joined: Set<String> = []

    package init(line: Line? = nil, snapshot: Snapshot? = nil, joined: Set<String> = []) {
        self.line = line
        self.snapshot = snapshot
        self.joined = joined
    }

    var isEmpty: Bool { inbox == nil && line == nil && snapshot == nil && joined.isEmpty }

    /// Carries out the save.
    ///
    /// - Parameters:
    ///   - files: the installation's files.
    ///   - torn: the name of a journal that may end with an incomplete line; no further line is appended to it.
    /// - Returns: the error, if any, and the number of bytes appended to the journal.
    package func perform(in files: any StoreFiles, torn: Guarded<String?>) -> Outcome {
        var outcome = Outcome()
        do throws(StoreError) {
            if let inbox { try Self.write(inbox, StoreFileName.inbox, files) }
            if let line {
                let data = try Self.encoded(line.change, line.journal) + [UInt8(ascii: "\n")]
                guard torn.withLock(\.self) != line.journal else {
                    throw .unwritable(file: line.journal, reason: "an earlier line is incomplete")
                }
                torn.withLock { $0 = line.journal }
                try files.append(line.journal, in: .app, data)
                torn.withLock { $0 = nil }
                outcome.byteCount = data.count
            }
            if let snapshot {
                // Lines that already wait for this journal are useless without this snapshot.
                torn.withLock { $0 = snapshot.next.journal }
                try files.write(snapshot.next.journal, in: .app, Data())
                try Self.write(snapshot.contents, snapshot.next.snapshot, files)
                torn.withLock { $0 = nil }
                removeGenerations(before: snapshot.last, files)
            }
            for name in joined { files.remove(name, in: .serviceExtension) }
        } catch {
            outcome.error = error
        }
        return outcome
    }

    private func removeGenerations(before generation: StoreGeneration?, _ files: any StoreFiles) {
        guard let generation else { return }
        for name in files.names(in: .app) {
            guard let old = StoreGeneration(file: name), old < generation else { continue }
            files.remove(old.snapshot, in: .app)
            files.remove(old.journal, in: .app)
        }
    }

    /// Encodes a value and writes it as a whole file.
    static func write(_ value: some Encodable, _ name: String, _ files: any StoreFiles) throws(StoreError) {
        try files.write(name, in: .app, try encoded(value, name))
    }

    /// Returns the error of `work`; `nil` if it succeeds.
    static func error(_ work: () throws(StoreError) -> Void) -> StoreError? {
        do throws(StoreError) {
            try work()
            return nil
        } catch {
            return error
        }
    }

    private static func encoded(_ value: some Encodable, _ name: String) throws(StoreError) -> Data {
        do { return try CarillonJSON.encode(value) } catch {
            throw StoreError.unwritable(file: name, reason: "\(error)")
        }
    }
}

/// A file that the service extension has left for the app.
package struct ExtensionChange: Sendable {
    /// The result of reading a file of the service extension: a change of the app's stored data, or a problem with the file.
    package enum Content: Sendable {
        case change(StoreChange)
        /// The file cannot be decoded.
        case damaged
        /// The file cannot be read now.
        case unreadable(StoreError)
    }

    package var name: String
    package var content: Content

    /// Reads the files that the service extension has left for the app, oldest first.
    ///
    /// - Parameters:
    ///   - files: the installation's files.
    ///   - known: the names of files that were read before, and are not read again.
    /// - Returns: the files with their contents.
    package static func all(in files: any StoreFiles, except known: Set<String>) -> [ExtensionChange] {
        files.names(in: .serviceExtension).sorted()
            .filter { $0.hasSuffix(StoreFileName.extensionEnding) && !known.contains($0) }
            .compactMap { name -> ExtensionChange? in
                do throws(StoreError) {
                    guard let data = try files.read(name, in: .serviceExtension, from: 0) else { return nil }
                    let change = try? CarillonJSON.decode(StoreChange.self, from: data)
                    return ExtensionChange(name: name, content: change.map(Content.change) ?? .damaged)
                } catch {
                    return ExtensionChange(name: name, content: .unreadable(error))
                }
            }
    }
}
