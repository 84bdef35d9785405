import CarillonApp
import CarillonMessaging
import Dispatch
import Foundation
import Synchronization

/// The store's files on the disk, with a note of each operation: whether it ran on the main queue.
final class WatchedFiles: StoreFiles {
    struct Notes {
        /// The operations on the main queue.
        var onMain: [String] = []
        var elsewhere: [String] = []
    }

    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private let files: any StoreFiles
    private let state = Mutex(Notes())

    init(_ files: any StoreFiles) { self.files = files }

    var notes: Notes { state.withLock(\.self) }

    func forgetNotes() { state.withLock { $0 = Notes() } }

    private func note(_ operation: String) {
        let isOnMain = DispatchQueue.getSpecific(key: Self.mark) == true
        state.withLock { notes in
            if isOnMain { notes.onMain.append(operation) } else { notes.elsewhere.append(operation) }
        }
    }

    func prepare() {
        note("prepare")
        files.prepare()
    }

    func names(in folder: StoreFolder) -> [String] {
        note("names")
        return files.names(in: folder)
    }

    func read(_ name: String, in folder: StoreFolder, from offset: Int) throws(StoreError) -> Data? {
        note("read")
        return try files.read(name, in: folder, from: offset)
    }

    func write(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError) {
        note("write")
        try files.write(name, in: folder, data)
    }

    func append(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError) {
        note("append")
        try files.append(name, in: folder, data)
    }

    func remove(_ name: String, in folder: StoreFolder) {
        note("remove")
        files.remove(name, in: folder)
    }

    func putAside(_ name: String, in folder: StoreFolder) {
        note("put aside")
        files.putAside(name, in: folder)
    }
}
