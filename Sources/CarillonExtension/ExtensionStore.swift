import CarillonCore
import CarillonMessaging
import Foundation

/// The service extension's store while it handles one notification.
///
/// It reads what the app has written, and what was left for the app by the extension before, and writes files of its own,
/// never the app's. `CarillonStore/takeOverFromExtension()` joins and removes them.
final class ExtensionStore: Sendable {
    private let files: any StoreFiles
    private let process: ExtensionProcess
    /// The contents where nothing can be read.
    private let fresh: StoreContents
    /// The beginning of the names of this notification's files: they sort by time, and no two are the same.
    private let namePrefix: String
    private let fileCount = Guarded(0)
    private let report: @Sendable (CarillonEvent) -> Void

    /// - Parameters:
    ///   - files: of the installation.
    ///   - process: what this process has read before.
    ///   - now: the phone's clock.
    ///   - randomness: for names of files.
    ///   - report: told of files that cannot be used.
    init(
        files: any StoreFiles, process: ExtensionProcess, now: Timestamp,
        randomness: any RandomNumberGenerator & Sendable, report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        var random = randomness
        fresh = StoreContents(using: &random)
        let mark = InstallationIdentity.hexadecimal(byteCount: 8, using: &random)
        namePrefix = "\(now.millisecondsSince1970)-\(mark)"
        self.files = files
        self.process = process
        self.report = report
        files.prepare()
    }

    /// Everything that is known now, with what the app and other notifications have changed meanwhile.
    package var contents: StoreContents { process.read(files, fresh: fresh, report: report) }

    /// The installation's identity; `nil` when that cannot be read, or the app has never run.
    package var identity: InstallationIdentity? {
        let data = try? files.read(StoreFileName.identity, in: .app, from: 0)
        return data.flatMap { try? CarillonJSON.decode(InstallationIdentity.self, from: $0) }
    }

    /// Changes what is known now, and leaves the change for the app.
    @discardableResult
    func update<Value: Sendable>(_ change: (inout StoreContents) -> Value) -> Value {
        let number = fileCount.withLock { count in
            count += 1
            return count
        }
        let name = "\(namePrefix)-\(number)\(StoreFileName.extensionEnding)"
        return process.update(files, fresh: fresh, file: name, report: report, change)
    }
}

/// The memory that a process of the service extension has of a store.
///
/// iOS may let one process handle many notifications, each with an object of its own. The second one reads only what is new.
final class ExtensionProcess: Sendable {
    private struct State {
        var reader = StoreReader()
        /// The changes that the extension has left for the app, by the name of the file.
        var changes: [String: StoreChange] = [:]
        /// The app's contents joined with ``changes``; `nil` before the first reading.
        var joined: StoreContents?
    }

    /// The memory of each store that a process has read.
    private final class OfStores: Sendable {
        private let all = Guarded<[URL: ExtensionProcess]>([:])

        func process(for folder: URL) -> ExtensionProcess {
            all.withLock { all in
                if let known = all[folder] { return known }
                if all.count >= AppLimits.storesPerExtensionProcess { all = [:] }
                let process = ExtensionProcess()
                all[folder] = process
                return process
            }
        }
    }

    private static let ofThisProcess = OfStores()

    private let state = Guarded(State())
    /// The requests that bring the receipts of all its notifications to the service.
    let receiptRequests = ReceiptRequests()

    /// The memory of this process for the store of an app.
    ///
    /// On iOS there is one. The extensions of simulated phones share a process, so each phone has a memory of its own.
    static func current(on platform: AppPlatform) -> ExtensionProcess {
        platform.shared(ofThisProcess, OfStores.init).process(for: platform.directory)
    }

    /// Reads what is new.
    ///
    /// - Parameters:
    ///   - files: the store's.
    ///   - fresh: what is known where nothing can be read.
    ///   - report: told of files that cannot be used.
    /// - Returns: everything that is known.
    package func read(_ files: any StoreFiles, fresh: StoreContents, report: (CarillonEvent) -> Void) -> StoreContents {
        state.withLock { state in
            Self.read(&state, files, fresh: fresh, report)
            return state.joined ?? fresh
        }
    }

    /// Reads what is new, changes it, and leaves the change for the app.
    ///
    /// - Parameters:
    ///   - files: the store's.
    ///   - fresh: what is known where nothing can be read.
    ///   - name: of the file that is left.
    ///   - report: told of files that cannot be used.
    ///   - change: of what is known.
    /// - Returns: what `change` returns.
    func update<Value: Sendable>(
        _ files: any StoreFiles, fresh: StoreContents, file name: String, report: (CarillonEvent) -> Void,
        _ change: (inout StoreContents) -> Value
    ) -> Value {
        state.withLock { state in
            Self.read(&state, files, fresh: fresh, report)
            var contents = state.joined ?? fresh
            state.joined = nil  // Else changing it would copy it.
            let before = StoreFacts(contents)
            let value = change(&contents)
            let difference = StoreChange(of: &contents, since: before)
            state.joined = contents
            guard let difference else { return value }
            do {
                try Self.write(difference, name, files)
                state.changes[name] = difference
                try Self.writeAsOne(&state, files)
            } catch {
                report(.storeIsUnavailable(reason: "\(error)"))
            }
            return value
        }
    }

    private static func read(
        _ state: inout State, _ files: any StoreFiles, fresh: StoreContents, _ report: (CarillonEvent) -> Void
    ) {
        do {
            // These first: the app saves what it takes over before it removes the file.
            let (new, hasFewer) = try readChanges(&state, files, report)
            let before = (state.reader.generation, state.reader.journalByteCount)
            try state.reader.read(files, fresh: { fresh })
            for file in state.reader.takeDamaged() { report(.storeWasDamaged(file: file)) }
            let isSame = before == (state.reader.generation, state.reader.journalByteCount) && !hasFewer
            if isSame, new.isEmpty, state.joined != nil { return }
            var joined = (isSame ? state.joined : nil) ?? state.reader.contents ?? fresh
            state.joined = nil
            for name in isSame ? new : state.changes.keys.sorted() { state.changes[name].map { joined.join($0) } }
            joined.countAsSaved()
            state.joined = joined
        } catch {
            report(.storeIsUnavailable(reason: "\(error)"))
        }
    }

    /// - Returns: the names of the files that were not known, sorted, and whether others are gone.
    private static func readChanges(
        _ state: inout State, _ files: any StoreFiles, _ report: (CarillonEvent) -> Void
    ) throws(StoreError) -> (new: [String], hasFewer: Bool) {
        let names = files.names(in: .serviceExtension).filter { $0.hasSuffix(StoreFileName.extensionEnding) }
        let gone = Set(state.changes.keys).subtracting(names)
        for name in gone { state.changes[name] = nil }
        var new: [String] = []
        for name in names.sorted() where state.changes[name] == nil {
            guard let data = try files.read(name, in: .serviceExtension, from: 0) else { continue }
            guard let change = try? CarillonJSON.decode(StoreChange.self, from: data) else {
                report(.storeWasDamaged(file: name))
                files.putAside(name, in: .serviceExtension)
                continue
            }
            state.changes[name] = change
            new.append(name)
        }
        return (new, !gone.isEmpty)
    }

    /// Makes one file of many, should the app not have run for long.
    private static func writeAsOne(_ state: inout State, _ files: any StoreFiles) throws(StoreError) {
        guard state.changes.count > AppLimits.extensionFiles else { return }
        let names = state.changes.keys.sorted()
        let changes = names.compactMap { state.changes[$0] }
        guard let last = names.last, var one = changes.first else { return }
        for change in changes.dropFirst() { one.append(change) }
        one = one.bounded()
        // A new name: the app may be about to remove what it has read under the others.
        let name = last.dropLast(StoreFileName.extensionEnding.count) + "-all" + StoreFileName.extensionEnding
        try write(one, String(name), files)
        for name in names { files.remove(name, in: .serviceExtension) }
        state.changes = [String(name): one]
    }

    private static func write(_ change: StoreChange, _ name: String, _ files: any StoreFiles) throws(StoreError) {
        let data: Data
        do { data = try CarillonJSON.encode(change) } catch {
            throw StoreError.unwritable(file: name, reason: "\(error)")
        }
        try files.write(name, in: .serviceExtension, data)
    }
}
