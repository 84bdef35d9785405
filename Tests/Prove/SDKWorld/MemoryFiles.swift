import CarillonCore
import CarillonMessaging
import Foundation

/// The store's files as a value.
struct FileContents: Sendable {
    var folders: [StoreFolder: [String: Data]] = [:]
    /// Whether the disk is full, so that nothing can be written.
    var isFull = false
}

/// The store's files in memory, for the duration of one operation.
final class MemoryFiles: StoreFiles {
    private let state: Guarded<FileContents>

    init(_ contents: FileContents) { state = Guarded(contents) }

    var contents: FileContents { state.withLock(\.self) }

    func prepare() {}

    func names(in folder: StoreFolder) -> [String] {
        state.withLock { $0.folders[folder, default: [:]].keys.sorted() }
    }

    func read(_ name: String, in folder: StoreFolder, from offset: Int) throws(StoreError) -> Data? {
        state.withLock { $0.folders[folder]?[name].map { Data($0.dropFirst(offset)) } }
    }

    func write(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError) {
        guard state.withLock({ $0.write(name, folder, data) }) else {
            throw .unwritable(file: name, reason: "the disk is full")
        }
    }

    func append(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError) {
        let isWritten = state.withLock { $0.write(name, folder, ($0.folders[folder]?[name] ?? Data()) + data) }
        guard isWritten else { throw .unwritable(file: name, reason: "the disk is full") }
    }

    func remove(_ name: String, in folder: StoreFolder) { state.withLock { $0.folders[folder]?[name] = nil } }

    func putAside(_ name: String, in folder: StoreFolder) { remove(name, in: folder) }
}

extension FileContents {
    fileprivate mutating func write(_ name: String, _ folder: StoreFolder, _ data: Data) -> Bool {
        guard !isFull else { return false }
        folders[folder, default: [:]][name] = data
        return true
    }
}
