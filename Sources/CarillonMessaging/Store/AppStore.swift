import CarillonCore
import Foundation

/// The SDK's state in the app: in memory, and in files of the app's folder or its App Group.
///
/// Reads come from memory. ``save()`` appends changes to a journal, and a snapshot replaces a journal that has grown long
/// (``StoreGeneration``). The service extension writes its changes to files of its own, and ``takeOver()`` merges them into
/// this store. The two processes share no lock.
///
/// ``open()`` reads the files on the main actor, at launch or once they are readable. ``StoreDisk`` carries out the later file
/// work. The inbox has a file of its own, because it is large and seldom changes.
///
/// Until the phone's first unlock after a restart, the files cannot be read. During that time ``identity`` is `nil`, so the app
/// sends no requests. Changes stay in memory until ``open()`` succeeds.
@MainActor
package final class AppStore<Inbox: StoredInbox> {
    /// The store's current contents.
    package private(set) var contents: StoreContents
    /// The messages of the inbox, and the messages read on this phone that are not yet reported to the service.
    package private(set) var inbox = Inbox()
    /// Called when the messages of the inbox have changed.
    package var onInboxChange: (@MainActor () -> Void)?
    /// The id and the secret of this installation; `nil` while their file can neither be read nor written.
    package private(set) var identity: InstallationIdentity?

    private let files: any StoreFiles
    private let disk: StoreDisk
    private let vendor: String?
    private let random: SharedRandomSource
    private let report: @Sendable (CarillonEvent) -> Void
    /// The inbox as the last save wrote it; `nil` if that save failed.
    private var savedInbox: Inbox? = Inbox()
    /// The journal that receives changes; `nil` until ``open()`` has succeeded.
    private var journal: Journal?
    /// The name of a journal whose last line may be incomplete, so that nothing more is appended to it; `nil` if there is none.
    private let torn = Guarded<String?>(nil)

    /// The names of the extension's files that are merged into ``contents`` and not yet saved.
    ///
    /// The save that contains their changes also removes the files.
    private var takenOver: Set<String> = []
    /// The names of the extension's files that a running save removes at its end.
    private var leaving: Set<String> = []
    /// The removals by the service extension that the app's own code does not know.
    private var removedByExtension: [PushRemoval] = []

    /// Makes a store, and reads its files if they are readable now.
    ///
    /// - Parameters:
    ///   - files: the installation's files.
    ///   - vendor: `UIDevice.identifierForVendor`; `nil`, the default, if it is not known.
    ///   - randomness: the source of the installation's id and secret.
    ///   - isInFront: returns whether the person may be looking at the app; the default returns `false`.
    ///   - report: receives events about unusable files.
    package init(
        files: any StoreFiles, vendor: String? = nil, randomness: any RandomNumberGenerator & Sendable,
        isInFront: @escaping @MainActor () -> Bool = { false }, report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        self.files = files
        disk = StoreDisk(files, isInFront: isInFront)
        self.vendor = vendor
        self.report = report
        random = SharedRandomSource(randomness)
        contents = random.draw { StoreContents(using: &$0) }
        open()
    }

    // MARK: Changes

    /// Changes the store's contents in memory; ``save()`` writes them to the files.
    @discardableResult
    package func update<Value>(_ change: (inout StoreContents) -> Value) -> Value { change(&contents) }

    /// Changes the inbox in memory, and calls ``onInboxChange`` if its messages have changed.
    ///
    /// ``save()`` writes the inbox to its file.
    @discardableResult
    package func updateInbox<Value>(_ change: (inout Inbox) throws -> Value) rethrows -> Value {
        let before = inbox
        defer { if !inbox.showsSame(as: before) { onInboxChange?() } }
        return try change(&inbox)
    }

    /// Draws a random number.
    ///
    /// - Returns: a number in `0..<1`; each phone draws different numbers.
    package func chance() -> Double { random.chance() }

    /// Saves all changes since the last save: appends one line to the journal, and writes the inbox if it has changed.
    ///
    /// In the background, the files are written before this method returns. In the foreground they are written soon afterwards:
    /// await ``saved()`` before an action that must not happen twice. If writing fails, the changes stay in memory and the next
    /// save writes them.
    package func save() {
        guard let journal else { return }
        var write = StoreWrite()
        if inbox != savedInbox {
            write.inbox = inbox
            savedInbox = inbox
        }
        if journal.isTorn {
            write.snapshot = nextSnapshot(after: journal.generation)
        } else if let change = contents.takeChange() {
            write.line = StoreWrite.Line(journal: journal.generation.journal, change: change)
        }
        write.joined = takenOver
        guard !write.isEmpty else { return }
        leaving.formUnion(takenOver)
        takenOver = []
        perform(write)
    }

    /// Saves all changes, and returns when the files are written.
    package func saved() async {
        save()
        await disk.finish()
    }

    /// Saves all changes, and runs `next` when the files are written.
    ///
    /// - Parameter next: the closures of several calls begin in the order of the calls.
    package func saved(then next: @escaping @MainActor () async -> Void) async {
        save()
        await disk.finish(then: next)
    }

    /// Saves all changes if one of them must not be lost, such as a new receipt; otherwise leaves them for the next save.
    package func saveWhatMatters() {
        if inbox != savedInbox || journal?.isTorn == true || contents.mustBeSaved { save() }
    }

    /// Calls ``saveWhatMatters()``, and returns when the files are written.
    package func savedWhatMatters() async {
        saveWhatMatters()
        await disk.finish()
    }

    /// Saves all changes, and returns when they are saved; called when the app enters the background.
    package func saveAtOnce() {
        save()
        disk.carryOut()
    }

    /// Replaces the installation's id and secret with new ones, and returns when their file is written.
    ///
    /// Called when the service refuses the current identity, or when another phone uses this identity too. If the file cannot be
    /// written, the current identity stays.
    package func renewIdentity() async {
        let fresh = random.draw { InstallationIdentity(using: &$0, vendor: vendor) }
        disk.perform { files in
            StoreWrite.error { () throws(StoreError) in
                try StoreWrite.write(fresh, StoreFileName.identity, files)
            }
        } then: { [self] error in
            if let error { report(.storeIsUnavailable(reason: "\(error)")) } else { identity = fresh }
        }
        await disk.finish()
    }

    /// Merges into this store the changes that the service extension has written since the last call.
    package func takeOver() async {
        beginTakingOver()
        await disk.finish()
    }

    /// Merges into this store the changes that the service extension has written since the last call, and then runs `next`.
    ///
    /// - Parameter next: the closures of several calls begin in the order of the calls, which is the order of iOS's callbacks.
    package func takeOver(then next: @escaping @MainActor () async -> Void) async {
        beginTakingOver()
        await disk.finish(then: next)
    }

    /// Merges the service extension's new changes into this store.
    ///
    /// They are merged when this method returns, even while the app is in the foreground.
    package func takeOverFromExtension() {
        beginTakingOver()
        disk.carryOut()
    }

    /// Takes the removals by the service extension that the app's own code does not know.
    ///
    /// - Parameter heard: the identifiers of removed messages that the app's own code learns from another source.
    /// - Returns: the removals of other messages than `heard`; a further call returns only later ones.
    package func takeRemovalsByExtension(except heard: Set<String>) -> [PushRemoval] {
        defer { removedByExtension = [] }
        return removedByExtension.filter { heard.isDisjoint(with: $0.identifiers) }
    }

    private func beginTakingOver() {
        guard open() else { return }
        let known = takenOver.union(leaving)
        disk.perform {
            ExtensionChange.all(in: $0, except: known)
        } then: { [self] changes in
            for file in changes where !takenOver.contains(file.name) {
                switch file.content {
                case .change(let change):
                    let before = contents.policy.tombstones
                    contents.join(change)
                    removedByExtension += contents.policy.tombstones.removals(since: before)
                case .damaged: report(.storeWasDamaged(file: file.name))
                case .unreadable(let error):
                    report(.storeIsUnavailable(reason: "\(error)"))
                    continue
                }
                takenOver.insert(file.name)
            }
        }
    }

    // MARK: Opening

    /// Reads the files, unless an earlier call has read them.
    ///
    /// Also merges and saves the changes that were made before the files were readable.
    ///
    /// - Returns: whether the files have been read, by this call or an earlier one.
    @discardableResult
    package func open() -> Bool {
        guard journal == nil else { return true }
        disk.carryOut()
        files.prepare()
        do {
            var reader = StoreReader()
            try reader.read(files, fresh: { random.draw { StoreContents(using: &$0) } })
            let (identity, isFromAnotherPhone) = try readIdentity()
            if isFromAnotherPhone {
                try beginAnew(reader)
            } else {
                try begin(reader, try readInbox())
            }
            self.identity = identity
            return true
        } catch {
            report(.storeIsUnavailable(reason: "\(error)"))
            return false
        }
    }

    /// Starts a new installation, because the files come from a backup of another phone that may still use the old installation.
    ///
    /// Keeps only the tags, and the setting whether the SDK writes receipts.
    private func beginAnew(_ reader: StoreReader) throws(StoreError) {
        if let contents = reader.contents {
            self.contents.policy.writesReceipts = contents.policy.writesReceipts
            self.contents.tags = contents.tags
        }
        _ = contents.takeChange()
        try StoreWrite.write(inbox, StoreFileName.inbox, files)
        savedInbox = inbox
        for name in files.names(in: .serviceExtension) { files.remove(name, in: .serviceExtension) }
        try writeSnapshot(after: reader.generation)
    }

    private func begin(_ reader: StoreReader, _ inbox: Inbox) throws(StoreError) {
        var reader = reader
        let damaged = reader.takeDamaged()
        for file in damaged {
            report(.storeWasDamaged(file: file))
            files.putAside(file, in: .app)
        }
        let (meanwhile, inboxMeanwhile) = (contents.takeChange(), self.inbox)
        if let contents = reader.contents { self.contents = contents }
        savedInbox = inbox
        self.inbox = inbox
        if let meanwhile { contents.join(meanwhile) }
        self.inbox.join(inboxMeanwhile)
        guard let generation = reader.generation, damaged.isEmpty else {
            try writeSnapshot(after: reader.generation)
            return
        }
        journal = Journal(generation: generation, byteCount: reader.journalByteCount, isTorn: reader.hasTornEnd)
        if meanwhile != nil { save() }
    }

    private func readIdentity() throws(StoreError) -> (InstallationIdentity, isFromAnotherPhone: Bool) {
        let known: InstallationIdentity? = try readFile(StoreFileName.identity)
        let isFromAnotherPhone = known?.isFromAnotherPhone(than: vendor) ?? false
        if let known, !isFromAnotherPhone { return (known, false) }
        let fresh = random.draw { InstallationIdentity(using: &$0, vendor: vendor) }
        try StoreWrite.write(fresh, StoreFileName.identity, files)
        return (fresh, isFromAnotherPhone)
    }

    private func readInbox() throws(StoreError) -> Inbox { try readFile(StoreFileName.inbox) ?? Inbox() }

    /// Reads and decodes one file; reports and renames a damaged file.
    ///
    /// - Returns: the decoded value; `nil` if the file is missing or damaged.
    private func readFile<Value: Decodable>(_ name: String) throws(StoreError) -> Value? {
        guard let data = try files.read(name, in: .app, from: 0) else { return nil }
        if let value = try? CarillonJSON.decode(Value.self, from: data) { return value }
        report(.storeWasDamaged(file: name))
        files.putAside(name, in: .app)
        return nil
    }

    // MARK: Writing

    private func perform(_ write: StoreWrite) {
        disk.perform { [torn] in
            write.perform(in: $0, torn: torn)
        } then: { [self] in
            written(write, $0)
        }
    }

    /// Records the outcome of a save.
    private func written(_ write: StoreWrite, _ outcome: StoreWrite.Outcome) {
        leaving.subtract(write.joined)
        if let error = outcome.error {
            report(.storeIsUnavailable(reason: "\(error)"))
            takenOver.formUnion(write.joined)
            if write.inbox != nil { savedInbox = nil }
            if let snapshot = write.snapshot, let last = snapshot.last, journal?.generation == snapshot.next {
                journal?.generation = last
            }
            // The next snapshot contains the changes of a line that was not written, or only in part.
            if write.line != nil || write.snapshot != nil { journal?.isTorn = true }
            return
        }
        guard let line = write.line, line.journal == journal?.generation.journal else { return }
        journal?.byteCount += outcome.byteCount
        // Only after the line is written: the current snapshot and the two journals then hold everything, even if the new
        // snapshot is lost.
        if let now = journal, now.byteCount >= AppLimits.journalBytes {
            perform(StoreWrite(snapshot: nextSnapshot(after: now.generation)))
        }
    }

    /// Writes a snapshot of the store's contents, and an empty journal that continues the snapshot; returns when both are
    /// written.
    private func writeSnapshot(after last: StoreGeneration?) throws(StoreError) {
        let snapshot = nextSnapshot(after: last)
        guard let error = StoreWrite(snapshot: snapshot).perform(in: files, torn: torn).error else { return }
        journal = nil
        throw error
    }

    /// Returns a snapshot of the store's contents, to be saved as the successor of the snapshot `last`.
    ///
    /// From this call on, changes go to the journal of the new snapshot.
    private func nextSnapshot(after last: StoreGeneration?) -> StoreWrite.Snapshot {
        let mark = random.draw { InstallationIdentity.hexadecimal(byteCount: 4, using: &$0) }
        let next = StoreGeneration(number: (last?.number ?? 0) + 1, mark: mark)
        _ = contents.takeChange()
        journal = Journal(generation: next, byteCount: 0, isTorn: false)
        return StoreWrite.Snapshot(next: next, last: last, contents: contents.everything)
    }
}

/// The file to which changes are appended as lines.
private struct Journal {
    var generation: StoreGeneration
    var byteCount: Int
    /// Whether the journal may end with an incomplete line; if so, the next save writes a snapshot instead of a further line.
    var isTorn: Bool
}

/// The inbox as the store sees it: a value with a file of its own.
package protocol StoredInbox: Codable, Equatable, Sendable {
    init()
    /// Returns whether both inboxes show the same messages.
    func showsSame(as other: Self) -> Bool
    /// Merges what happened to `meanwhile`, an inbox that was in use while the file could not be read.
    mutating func join(_ meanwhile: Self)
}
