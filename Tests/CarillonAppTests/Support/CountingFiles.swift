import CarillonApp
import CarillonMessaging
import Foundation
import Synchronization

/// The store's files on the disk, as the app accesses them, counted.
final class CountingFiles: StoreFiles {
    struct Counts {
        var reads = 0
        var writes = 0
        var appends = 0
        var longestAppend = 0
    }

    private let files: any StoreFiles
    private let state = Mutex(Counts())

    init(_ files: any StoreFiles) { self.files = files }

    var counts: Counts { state.withLock(\.self) }

    func prepare() { files.prepare() }
    func names(in folder: StoreFolder) -> [String] { files.names(in: folder) }

    func read(_ name: String, in folder: StoreFolder, from offset: Int) throws(StoreError) -> Data? {
        let data = try files.read(name, in: folder, from: offset)
        if data != nil { state.withLock { $0.reads += 1 } }
        return data
    }

    func write(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError) {
        state.withLock { $0.writes += 1 }
        try files.write(name, in: folder, data)
    }

    func append(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError) {
        state.withLock { counts in
            counts.appends += 1
            counts.longestAppend = max(counts.longestAppend, data.count)
        }
        try files.append(name, in: folder, data)
    }

    func remove(_ name: String, in folder: StoreFolder) { files.remove(name, in: folder) }
    func putAside(_ name: String, in folder: StoreFolder) { files.putAside(name, in: folder) }
}
