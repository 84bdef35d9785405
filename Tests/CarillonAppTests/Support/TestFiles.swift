import CarillonApp
import CarillonMessaging
import Foundation
import Synchronization

/// The store's files in memory: counted, closed like those of a phone before its first unlock, torn as by a crash.
final class TestFiles: StoreFiles {
    struct State {
        var contents: [StoreFolder: [String: Data]] = [:]
        /// Files exist, and can be neither read nor written.
        var isClosed = false
        /// The next write or append leaves this many bytes and fails.
        var bytesBeforeCrash: Int?
        /// The files that were read, though not those that do not exist.
        var reads: [String] = []
        var appends: [Int] = []
        var writes: [String] = []
    }

    private let state: Mutex<State>

    init(_ contents: [StoreFolder: [String: Data]] = [:]) { state = Mutex(State(contents: contents)) }

    subscript<Value: Sendable>(path: any WritableKeyPath<State, Value> & Sendable) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }

    /// The app's files whose names end so, sorted.
    func names(ending: String) -> [String] { names(in: .app).filter { $0.hasSuffix(ending) } }

    func forgetCounts() {
        state.withLock { state in
            state.reads = []
            state.appends = []
            state.writes = []
        }
    }

    func prepare() {}

    func names(in folder: StoreFolder) -> [String] {
        state.withLock { $0.contents[folder, default: [:]].keys.sorted() }
    }

    func read(_ name: String, in folder: StoreFolder, from offset: Int) throws(StoreError) -> Data? {
        try state.withLock { state throws(StoreError) in
            guard let data = state.contents[folder]?[name] else { return nil }
            if state.isClosed { throw .unreadable(file: name, reason: "closed") }
            let rest = data.dropFirst(offset)
            // The end of a file that has not grown tells nothing.
            if offset == 0 || !rest.isEmpty { state.reads.append(name) }
            return Data(rest)
        }
    }

    func write(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError) {
        try state.withLock { state throws(StoreError) in
            // Whole or not at all: what is torn has another name.
            if state.isClosed || state.bytesBeforeCrash != nil { throw .unwritable(file: name, reason: "test") }
            state.writes.append(name)
            state.contents[folder, default: [:]][name] = data
        }
    }

    func append(_ name: String, in folder: StoreFolder, _ data: Data) throws(StoreError) {
        try state.withLock { state throws(StoreError) in
            if state.isClosed { throw .unwritable(file: name, reason: "closed") }
            let whole = state.bytesBeforeCrash.map { data.prefix($0) } ?? data
            state.contents[folder]?[name]?.append(whole)
            guard state.bytesBeforeCrash == nil else { throw .unwritable(file: name, reason: "test") }
            state.appends.append(data.count)
        }
    }

    func remove(_ name: String, in folder: StoreFolder) { state.withLock { $0.contents[folder]?[name] = nil } }

    func putAside(_ name: String, in folder: StoreFolder) {
        state.withLock { state in
            let data = state.contents[folder]?[name]
            state.contents[folder]?[name + ".corrupt"] = data
            state.contents[folder]?[name] = nil
        }
    }
}
