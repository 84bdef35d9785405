import CarillonCore
import Foundation

/// A reader of the app's files: it reads the newest snapshot of ``StoreContents``, then the changes in the snapshot's journal.
package struct StoreReader: Sendable {
    /// The store's contents as read so far; `nil` before the first reading, or if there is no snapshot.
    package private(set) var contents: StoreContents?
    package private(set) var generation: StoreGeneration?
    /// The number of journal bytes read, up to the end of the last complete line.
    package private(set) var journalByteCount = 0
    /// Whether the journal ends with an incomplete line: its writer has crashed, or is still writing.
    package private(set) var hasTornEnd = false
    /// The files that could not be decoded and have not been reported yet.
    private(set) var damaged: [String] = []

    /// Makes a reader that has read nothing.
    package init() {}

    /// Reads the changes that were written to the store since the last call.
    ///
    /// - Parameters:
    ///   - files: the store's files.
    ///   - fresh: makes the contents of a new installation, to which a snapshot is applied, or the journals if all snapshots are
    ///     damaged.
    /// - Throws: ``StoreError`` if a file cannot be read now. The reader then keeps its earlier contents.
    package mutating func read(_ files: any StoreFiles, fresh: () -> StoreContents) throws(StoreError) {
        let names = files.names(in: .app)
        let found = Set(names.compactMap(StoreGeneration.init(file:))).filter { names.contains($0.snapshot) }
            .sorted(by: >)
        guard let newest = found.first else {
            contents = nil
            generation = nil
            return
        }
        if generation != newest { try readSnapshot(found, files, fresh: fresh) }
        try readJournal(files)
    }

    /// Reads the newest snapshot.
    ///
    /// If that snapshot is damaged, reads the previous snapshot, and then the journals of both.
    private mutating func readSnapshot(
        _ found: [StoreGeneration], _ files: any StoreFiles, fresh: () -> StoreContents
    ) throws(StoreError) {
        var next = StoreReader()
        next.damaged = damaged
        var unreadable: [StoreGeneration] = []
        for generation in found where next.contents == nil {
            guard let data = try files.read(generation.snapshot, in: .app, from: 0) else { continue }
            if let everything = try? CarillonJSON.decode(StoreChange.self, from: data), !everything.isEmpty {
                var contents = fresh()
                contents.apply(everything)
                next.contents = contents
                next.generation = generation
            } else {
                next.damaged.append(generation.snapshot)
                unreadable.append(generation)
            }
        }
        for later in unreadable.reversed() {
            if next.contents == nil { next.contents = fresh() }
            if next.generation != nil { try next.readJournal(files) }
            next.generation = later
            next.journalByteCount = 0
        }
        self = next
    }

    private mutating func readJournal(_ files: any StoreFiles) throws(StoreError) {
        guard let generation, let data = try files.read(generation.journal, in: .app, from: journalByteCount) else {
            return
        }
        let end = data.lastIndex(of: UInt8(ascii: "\n")).map { data.index(after: $0) } ?? data.startIndex
        hasTornEnd = end < data.endIndex
        journalByteCount += end - data.startIndex
        for line in data[..<end].split(separator: UInt8(ascii: "\n")) {
            guard let change = try? CarillonJSON.decode(StoreChange.self, from: Data(line)) else {
                damaged.append(generation.journal)
                continue
            }
            contents?.apply(change)
        }
    }

    /// Returns the damaged files that were not returned before.
    package mutating func takeDamaged() -> [String] {
        defer { damaged = [] }
        return damaged
    }
}

/// A snapshot of ``StoreContents`` and the journal that continues it: two files with the same base name.
///
/// A snapshot never changes once written, and a journal only grows. So readers need no lock and read each byte once. The previous
/// snapshot and its journal are kept for readers that have just found them, and in case the newest snapshot is damaged.
package struct StoreGeneration: Sendable, Hashable, Comparable {
    /// The number of this snapshot and its journal: 1 for an installation's first snapshot, one more for each later snapshot.
    package let number: Int
    /// The file name of the snapshot and of its journal, without `.json` and `.journal`.
    let name: String

    package var snapshot: String { name + ".json" }
    package var journal: String { name + ".journal" }

    /// Creates the name of the next snapshot and its journal.
    ///
    /// - Parameters:
    ///   - number: the number of the newest snapshot, plus one.
    ///   - mark: a random text in the files' names, so that a reinstalled app does not use the names of its predecessor.
    package init(number: Int, mark: String) {
        self.number = number
        name = "state-\(number)-\(mark)"
    }

    private init(number: Int, name: String) {
        self.number = number
        self.name = name
    }

    /// Reads the snapshot's number from the file name of a snapshot or of a journal; `nil` for any other file.
    ///
    /// - Parameter file: the name of any file in the store's folder.
    package init?(file: String) {
        guard let name = [".json", ".journal"].first(where: file.hasSuffix).map({ String(file.dropLast($0.count)) })
        else { return nil }
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "state", let number = Int(parts[1]), number > 0 else { return nil }
        self.init(number: number, name: name)
    }

    package static func < (one: Self, other: Self) -> Bool { (one.number, one.name) < (other.number, other.name) }
}
