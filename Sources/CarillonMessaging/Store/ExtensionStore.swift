import CarillonCore
import Foundation

/// The service extension's store while it processes one notification.
///
/// It reads the app's files, and the files that the extension has written for earlier notifications. It writes only new files.
/// The app later merges the extension's files into its store and removes them (``AppStore/takeOver()``).
package final class ExtensionStore: Sendable {
    private let files: any StoreFiles
    private let process: ExtensionProcess
    /// The store contents to use if none of the app's files can be read.
    private let fresh: StoreContents
    /// The prefix of the names of this notification's files.
    ///
    /// The names sort by time, and no other notification uses this prefix.
    private let namePrefix: String
    private let fileCount = Guarded(0)
    private let report: @Sendable (CarillonEvent) -> Void

    /// Makes the store for the work on one notification; it reads no file until ``contents`` or ``identity`` is needed.
    ///
    /// - Parameters:
    ///   - files: the installation's files.
    ///   - process: keeps the store contents in memory from one notification to the next.
    ///   - now: the phone's time, with which the names of new files begin.
    ///   - randomness: the source of the random part of these names.
    ///   - report: receives events about unusable files.
    package init(
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

    /// The store's current contents, including the changes by the app and by the extension's runs for other notifications.
    package var contents: StoreContents { process.read(files, fresh: fresh, report: report) }

    /// The installation's identity; `nil` if its file cannot be read, or if the app has never run.
    package var identity: InstallationIdentity? {
        let data = try? files.read(StoreFileName.identity, in: .app, from: 0)
        return data.flatMap { try? CarillonJSON.decode(InstallationIdentity.self, from: $0) }
    }

    /// Changes the store's contents, and writes the change to a file for the app.
    @discardableResult
    package func update<Value: Sendable>(_ change: (inout StoreContents) -> Value) -> Value {
        let number = fileCount.withLock { count in
            count += 1
            return count
        }
        let name = "\(namePrefix)-\(number)\(StoreFileName.extensionEnding)"
        return process.update(files, fresh: fresh, file: name, report: report, change)
    }
}

/// The contents of one phone's store, kept in memory from one notification to the next.
///
/// iOS may let one operating-system process handle many notifications, each with its own extension object. The first notification
/// reads all files of the store; each later notification reads only the data written since.
package final class ExtensionProcess: Sendable {
    private struct State {
        var reader = StoreReader()
        /// The changes that the extension has written for the app, by file name.
        var changes: [String: StoreChange] = [:]
        /// The changes whose files could not be written; the next file that is written contains them.
        var unwritten: StoreChange?
        /// The contents of the app's store, merged with ``changes`` and ``unwritten``; `nil` before the store is first read.
        var joined: StoreContents?
        /// The events to report after the lock is released, because the app's own code receives them.
        private(set) var events: [CarillonEvent] = []

        mutating func note(_ event: CarillonEvent) { events.append(event) }

        mutating func takeEvents() -> [CarillonEvent] {
            defer { events = [] }
            return events
        }
    }

    /// A table of all ``ExtensionProcess`` objects in memory, by the folder of the store to which each of them belongs.
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
    /// The queue of HTTP requests that send the receipts of all notifications of this phone to the service.
    package let receiptRequests = ReceiptRequests()

    package init() {}

    /// Returns the ``ExtensionProcess`` of a phone, and makes it at the first call for that phone.
    ///
    /// On iOS there is only one. On Linux, the extensions of several simulated phones run in one operating-system process,
    /// which has one ``ExtensionProcess`` for each phone.
    ///
    /// - Parameter platform: the phone on which the extension runs: an iPhone, or one of the simulated phones.
    /// - Returns: the phone's object. If ``AppLimits/storesPerExtensionProcess`` other phones already have an object, the
    ///   function forgets those objects before it makes a new one.
    package static func current(on platform: AppPlatform) -> ExtensionProcess {
        platform.shared(ofThisProcess, OfStores.init).process(for: platform.directory)
    }

    /// Returns the store's current contents; reads from its files only what was written since the last call.
    ///
    /// - Parameters:
    ///   - files: the store's files.
    ///   - fresh: the store contents to use if no file can be read.
    ///   - report: receives events about unusable files.
    /// - Returns: the store's current contents.
    func read(_ files: any StoreFiles, fresh: StoreContents, report: (CarillonEvent) -> Void) -> StoreContents {
        let (contents, events) = state.withLock { state in
            Self.read(&state, files, fresh: fresh)
            return (state.joined ?? fresh, state.takeEvents())
        }
        for event in events { report(event) }
        return contents
    }

    /// Changes the store's contents, and writes the change to a file for the app.
    ///
    /// First reads from the store's files what was written since the last call.
    ///
    /// - Parameters:
    ///   - files: the store's files.
    ///   - fresh: the store contents to use if no file can be read.
    ///   - name: the name of the new file.
    ///   - report: receives events about unusable files.
    ///   - change: changes the store's contents.
    /// - Returns: the result of `change`.
    func update<Value: Sendable>(
        _ files: any StoreFiles, fresh: StoreContents, file name: String, report: (CarillonEvent) -> Void,
        _ change: (inout StoreContents) -> Value
    ) -> Value {
        let (value, events) = state.withLock { state in
            Self.read(&state, files, fresh: fresh)
            var contents = state.joined ?? fresh
            state.joined = nil  // Else changing it would copy it.
            let value = change(&contents)
            let difference = contents.takeChange()
            state.joined = contents
            if let difference { Self.save(difference, name, &state, files, fresh: fresh) }
            return (value, state.takeEvents())
        }
        for event in events { report(event) }
        return value
    }

    /// Writes a change to a file for the app, with the changes that could not be written before.
    private static func save(
        _ difference: StoreChange, _ name: String, _ state: inout State, _ files: any StoreFiles, fresh: StoreContents
    ) {
        var change = difference
        if let unwritten = state.unwritten {
            let written = state.changes.keys.sorted().compactMap { state.changes[$0] }
            change = merged([unwritten, difference], after: written, of: state.reader.contents ?? fresh)
        }
        do {
            try write(change, name, files)
            state.changes[name] = change
            state.unwritten = nil
            try writeAsOne(&state, files, fresh: fresh)
        } catch {
            if state.changes[name] == nil { state.unwritten = change }
            state.note(.storeIsUnavailable(reason: "\(error)"))
        }
    }

    /// Merges several changes into one.
    ///
    /// - Parameters:
    ///   - changes: the changes, oldest first.
    ///   - earlier: the changes before them.
    ///   - contents: the contents of the app's store.
    /// - Returns: a change with the effect of all, and with no more entries than the store keeps.
    private static func merged(
        _ changes: [StoreChange], after earlier: [StoreChange] = [], of contents: StoreContents
    ) -> StoreChange {
        var contents = contents
        for change in earlier { contents.join(change) }
        _ = contents.takeChange()
        for change in changes { contents.join(change) }
        return contents.takeChange() ?? changes[0]
    }

    private static func read(_ state: inout State, _ files: any StoreFiles, fresh: StoreContents) {
        do {
            // Reads the changes before the app's files: the app saves the changes that it takes over before it removes their
            // files.
            let (new, hasFewer) = try readChanges(&state, files)
            let before = (state.reader.generation, state.reader.journalByteCount)
            try state.reader.read(files, fresh: { fresh })
            for file in state.reader.takeDamaged() { state.note(.storeWasDamaged(file: file)) }
            let isSame = before == (state.reader.generation, state.reader.journalByteCount) && !hasFewer
            if isSame, new.isEmpty, state.joined != nil { return }
            var joined = (isSame ? state.joined : nil) ?? state.reader.contents ?? fresh
            state.joined = nil
            for name in isSame ? new : state.changes.keys.sorted() { state.changes[name].map { joined.join($0) } }
            if let unwritten = state.unwritten { joined.join(unwritten) }
            _ = joined.takeChange()
            state.joined = joined
        } catch {
            state.note(.storeIsUnavailable(reason: "\(error)"))
        }
    }

    /// Reads the changes that extensions have written.
    ///
    /// - Returns: the sorted names of new files, and whether files that were known before are gone.
    private static func readChanges(
        _ state: inout State, _ files: any StoreFiles
    ) throws(StoreError) -> (new: [String], hasFewer: Bool) {
        let names = files.names(in: .serviceExtension).filter { $0.hasSuffix(StoreFileName.extensionEnding) }
        let gone = Set(state.changes.keys).subtracting(names)
        for name in gone { state.changes[name] = nil }
        var new: [String] = []
        for name in names.sorted() where state.changes[name] == nil {
            guard let data = try files.read(name, in: .serviceExtension, from: 0) else { continue }
            guard let change = try? CarillonJSON.decode(StoreChange.self, from: data) else {
                state.note(.storeWasDamaged(file: name))
                files.putAside(name, in: .serviceExtension)
                continue
            }
            state.changes[name] = change
            new.append(name)
        }
        return (new, !gone.isEmpty)
    }

    /// Merges the extension's files into one if there are more than ``AppLimits/extensionFiles``.
    ///
    /// This happens if the app was not started for a long time.
    private static func writeAsOne(
        _ state: inout State, _ files: any StoreFiles, fresh: StoreContents
    ) throws(StoreError) {
        let names = state.changes.keys.sorted()
        guard names.count > AppLimits.extensionFiles, let last = names.last else { return }
        let one = merged(names.compactMap { state.changes[$0] }, of: state.reader.contents ?? fresh)
        // A new name, because the app may be about to remove the files that it has read.
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
