import CarillonMessaging
import Foundation

/// The store's files on a disk that stands still for as long as the test wants it: reading the extension's folder waits.
///
/// `@unchecked`: the state is used only under the condition's lock.
final class HeldFiles: @unchecked Sendable {
    /// The times that a reading has waited.
    let waits = Occurrences()
    private let condition = NSCondition()
    private var isHeld = false

    func hold() { condition.withLock { isHeld = true } }

    func release() {
        condition.withLock {
            isHeld = false
            condition.broadcast()
        }
    }

    private func wait() {
        condition.lock()
        defer { condition.unlock() }
        guard isHeld else { return }
        waits.happened()
        while isHeld { condition.wait() }
    }

    func files(in files: any StoreFiles) -> any StoreFiles { Files(files: files, held: self) }

    private struct Files: StoreFiles {
        let files: any StoreFiles
        let held: HeldFiles

        func prepare() { files.prepare() }

        func names(in folder: StoreFolder) -> [String] {
            if folder == .serviceExtension { held.wait() }
            return files.names(in: folder)
        }

        func read(_ name: String, in folder: StoreFolder, from offset: Int) throws(StoreError) -> Data? {
            try files.read(name, in: folder, from: offset)
        }

        func write(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError) {
            try files.write(name, in: folder, data)
        }

        func append(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError) {
            try files.append(name, in: folder, data)
        }

        func remove(_ name: String, in folder: StoreFolder) { files.remove(name, in: folder) }
        func putAside(_ name: String, in folder: StoreFolder) { files.putAside(name, in: folder) }
    }
}
