import Foundation
import GRDBSQLite
import Synchronization

/// SQLite's files as a power cut would leave them: of each file, only what was synced.
///
/// It stands between SQLite and the operating system, as a VFS ([sqlite.org/vfs.html](https://www.sqlite.org/vfs.html)) whose
/// files are the ordinary ones and which notes writes and syncs. A write that was not synced counts as lost, and so is
/// every write after it until the next sync: the worst that a disk may do with them, short of keeping some.
final class SyncedFiles: Sendable {
    /// The contents of the files that a power cut would leave, by name.
    typealias Image = [String: [UInt8]]

    private enum Change {
        case write([UInt8], at: Int)
        case truncate(to: Int)
    }

    private struct State {
        var synced: Image = [:]
        var pending: [String: [Change]] = [:]
        var syncs: [String: Int] = [:]
        var refusesSyncs = false
    }

    private let state = Mutex(State())

    /// The files that a power cut would leave now.
    var image: Image { state.withLock { $0.synced } }

    /// Whether every sync fails, as at a disk that is ill: what was written before may be there afterwards or not.
    var refusesSyncs: Bool {
        get { state.withLock { $0.refusesSyncs } }
        set { state.withLock { $0.refusesSyncs = newValue } }
    }

    /// Counts the syncs of files whose names end with `suffix`.
    func syncs(of suffix: String) -> Int {
        state.withLock { $0.syncs.filter { $0.key.hasSuffix(suffix) }.values.reduce(0, +) }
    }

    /// Watches the database files that are opened in a folder from now on.
    init(in folder: URL) { WatchingVFS.shared.watch(folder.path, self) }

    func wrote(_ bytes: UnsafeRawBufferPointer, at offset: Int, in file: String) {
        state.withLock { $0.pending[file, default: []].append(.write(Array(bytes), at: offset)) }
    }

    func truncated(_ file: String, to size: Int) {
        state.withLock { $0.pending[file, default: []].append(.truncate(to: size)) }
    }

    func synced(_ file: String) {
        state.withLock { state in
            var contents = state.synced[file] ?? []
            for change in state.pending.removeValue(forKey: file) ?? [] {
                switch change {
                case .truncate(let size): contents.removeSubrange(min(size, contents.count)...)
                case .write(let bytes, let offset):
                    let end = offset + bytes.count
                    if contents.count < end { contents += [UInt8](repeating: 0, count: end - contents.count) }
                    contents.replaceSubrange(offset..<end, with: bytes)
                }
            }
            state.synced[file] = contents
            state.syncs[file, default: 0] += 1
        }
    }
}

extension SyncedFiles.Image {
    /// Writes the files into a folder, as they would be found after the power is back.
    func write(to folder: URL) throws {
        for (path, contents) in self {
            try Data(contents).write(to: folder.appending(path: URL(fileURLWithPath: path).lastPathComponent))
        }
    }
}
