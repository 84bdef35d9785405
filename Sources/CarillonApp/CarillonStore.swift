import CarillonCore
import CarillonMessaging
import Foundation

/// The app's memory, and its files in the app's folder or its App Group.
///
/// Reads come from memory. Changes are appended to a journal, at most once per event from iOS; a snapshot replaces a long
/// journal (``StoreGeneration``). The service extension writes files of its own, and ``takeOver()`` joins them. No lock is
/// shared with another process.
///
/// The files are read on the main actor once, when the app is launched. All later file work is a ``StoreDisk``'s.
///
/// Before the phone's first unlock after a restart, the files cannot be read. Then ``identity`` is `nil`, so the app sends no
/// requests, and changes are kept in memory until ``open()`` succeeds.
@MainActor
final class CarillonStore {
    /// The store's current contents.
    private(set) var contents: StoreContents
    /// The inbox.
    ///
    /// It has a file of its own, because it is large and seldom changes.
    private(set) var inbox = InboxState()
    /// Called when the messages of the inbox have changed.
    var onInboxChange: (@MainActor () -> Void)?
    /// The installation's identity; `nil` while its file can neither be read nor written.
    private(set) var identity: InstallationIdentity?

    private let files: any StoreFiles
    private let disk: StoreDisk
    private let vendor: String?
    private let random: SharedRandomSource
    private let report: @Sendable (CarillonEvent) -> Void
    private var savedFacts: StoreFacts
    /// The inbox as it was written last; `nil` if writing it has failed.
    private var savedInbox: InboxState? = InboxState()
    /// `nil` until the files were read.
    private var journal: Journal?
    /// The journal to which a line was appended in part.
    private let torn = Guarded<String?>(nil)

    /// The extension's files that are joined in memory.
    ///
    /// They are removed once their contents are saved.
    private var takenOver: Set<String> = []
    /// The extension's files that are being removed.
    private var leaving: Set<String> = []

    /// The journal to which changes are appended.
    private struct Journal {
        var generation: StoreGeneration
        var byteCount: Int
        /// Whether the journal may end with an incomplete line: then only a snapshot saves further changes.
        var isTorn: Bool
    }

    /// Reads the files, if that is possible now.
    ///
    /// - Parameters:
    ///   - files: the installation's files.
    ///   - vendor: `UIDevice.identifierForVendor`; `nil`, the default, if it is not known.
    ///   - randomness: the source of the installation's id and secret.
    ///   - isInFront: whether the person may be looking at the app; the default is `false`.
    ///   - report: receives events about unusable files.
    init(
        files: any StoreFiles, vendor: String? = nil, randomness: any RandomNumberGenerator & Sendable,
        isInFront: @escaping @MainActor () -> Bool = { false }, report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        self.files = files
        disk = StoreDisk(files, isInFront: isInFront)
        self.vendor = vendor
        self.report = report
        random = SharedRandomSource(randomness)
        contents = random.draw { StoreContents(using: &$0) }
        savedFacts = StoreFacts(contents)
        open()
    }

    // MARK: Changes

    /// Changes the contents in memory; ``save()`` writes them.
    @discardableResult
    func update<Value>(_ change: (inout StoreContents) -> Value) -> Value { change(&contents) }

    /// Changes the inbox in memory, and calls ``onInboxChange`` if its messages have changed; ``save()`` writes it.
    @discardableResult
    func updateInbox<Value>(_ change: (inout InboxState) throws -> Value) rethrows -> Value {
        let before = inbox.items
        defer { if inbox.items != before { onInboxChange?() } }
        return try change(&inbox)
    }

    /// Draws a random number.
    ///
    /// - Returns: a number in `0..<1`, which differs from phone to phone.
    func chance() -> Double { random.chance() }

    /// Appends all changes since the last save to the journal, as one line.
    ///
    /// While the app is in front, the line is written soon; await ``saved()`` before something that must not happen twice. If
    /// writing fails, the changes stay in memory and are written the next time.
    func save() {
        guard let journal else { return }
        var write = StoreWrite()
        if inbox != savedInbox {
            write.inbox = inbox
            savedInbox = inbox
        }
        if journal.isTorn {
            write.snapshot = nextSnapshot(after: journal.generation)
        } else if let change = StoreChange(of: &contents, since: savedFacts) {
            write.line = StoreWrite.Line(journal: journal.generation.journal, change: change)
            savedFacts = StoreFacts(contents)
        }
        write.joined = takenOver
        guard !write.isEmpty else { return }
        leaving.formUnion(takenOver)
        takenOver = []
        perform(write)
    }

    /// Saves, and returns when all changes are written.
    func saved() async {
        save()
        await disk.finish()
    }

    /// Saves if any unsaved change must not be lost; other changes are written with the next line.
    func saveWhatMatters() {
        if inbox != savedInbox || journal?.isTorn == true || contents.mustBeSaved(since: savedFacts) { save() }
    }

    /// Saves what must not be lost, and returns when it is written.
    func savedWhatMatters() async {
        saveWhatMatters()
        await disk.finish()
    }

    /// Saves before it returns, because the app leaves the foreground.
    func saveAtOnce() {
        save()
        disk.carryOut()
    }

    /// Makes a new identity, because the service refuses the current one.
    func renewIdentity() async {
        let fresh = random.draw { InstallationIdentity(using: &$0, vendor: vendor) }
        disk.perform { files in
            StoreWrite.error { () throws(StoreError) in try StoreWrite.write(fresh, StoreFileName.identity, files) }
        } then: { [self] error in
            if let error { report(.storeIsUnavailable(reason: "\(error)")) } else { identity = fresh }
        }
        await disk.finish()
    }

    /// Joins the changes that the service extension has written since the last call.
    func takeOver() async {
        beginTakingOver()
        await disk.finish()
    }

    /// Joins the changes of the service extension before it returns.
    func takeOverFromExtension() {
        beginTakingOver()
        disk.carryOut()
    }

    private func beginTakingOver() {
        guard open() else { return }
        let known = takenOver.union(leaving)
        disk.perform {
            ExtensionChange.all(in: $0, except: known)
        } then: { [self] changes in
            for file in changes where !takenOver.contains(file.name) {
                switch file.content {
                case .change(let change): contents.join(change)
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

    /// Reads the files, if they have not been read yet.
    ///
    /// Joins and saves the changes that were made before the files could be read.
    ///
    /// - Returns: whether the files are read, now or before.
    @discardableResult
    func open() -> Bool {
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

    /// Starts a new installation, because the files come from a backup of another phone that still uses them.
    ///
    /// Keeps only the person's own decisions: the tags, and whether receipts are written.
    private func beginAnew(_ reader: StoreReader) throws(StoreError) {
        if let contents = reader.contents {
            self.contents.policy.writesReceipts = contents.policy.writesReceipts
            self.contents.tags = contents.tags
        }
        savedFacts = StoreFacts(contents)
        try StoreWrite.write(inbox, StoreFileName.inbox, files)
        savedInbox = inbox
        for name in files.names(in: .serviceExtension) { files.remove(name, in: .serviceExtension) }
        try writeSnapshot(after: reader.generation)
    }

    private func begin(_ reader: StoreReader, _ inbox: InboxState) throws(StoreError) {
        var reader = reader
        let damaged = reader.takeDamaged()
        for file in damaged {
            report(.storeWasDamaged(file: file))
            files.putAside(file, in: .app)
        }
        let meanwhile = StoreChange(of: &contents, since: savedFacts)
        let readWhileClosed = self.inbox.pendingReads
        if let contents = reader.contents { self.contents = contents }
        savedFacts = StoreFacts(contents)
        savedInbox = inbox
        self.inbox = inbox
        if let meanwhile { contents.join(meanwhile) }
        for read in readWhileClosed { self.inbox.read(read.message, revision: read.revision, isReported: false) }
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

    private func readInbox() throws(StoreError) -> InboxState { try readFile(StoreFileName.inbox) ?? InboxState() }

    /// Reads one file; reports a damaged file and puts it aside.
    ///
    /// - Returns: `nil` for a missing or damaged file.
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
            // A line that was not written, or only in part, is made good by a snapshot.
            if write.line != nil || write.snapshot != nil { journal?.isTorn = true }
            return
        }
        guard let line = write.line, line.journal == journal?.generation.journal else { return }
        journal?.byteCount += outcome.byteCount
        // After the line, so that this snapshot and the two journals hold everything even if the next snapshot is not written.
        if let now = journal, now.byteCount >= AppLimits.journalBytes {
            perform(StoreWrite(snapshot: nextSnapshot(after: now.generation)))
        }
    }

    /// Writes a snapshot of everything, and an empty journal to continue it, before it returns.
    private func writeSnapshot(after last: StoreGeneration?) throws(StoreError) {
        let snapshot = nextSnapshot(after: last)
        guard let error = StoreWrite(snapshot: snapshot).perform(in: files, torn: torn).error else { return }
        journal = nil
        throw error
    }

    /// Takes all changes into a snapshot that continues a generation; further lines belong to it.
    private func nextSnapshot(after last: StoreGeneration?) -> StoreWrite.Snapshot {
        let mark = random.draw { InstallationIdentity.hexadecimal(byteCount: 4, using: &$0) }
        let next = StoreGeneration(number: (last?.number ?? 0) + 1, mark: mark)
        _ = StoreChange(of: &contents, since: savedFacts)
        savedFacts = StoreFacts(contents)
        journal = Journal(generation: next, byteCount: 0, isTorn: false)
        return StoreWrite.Snapshot(next: next, last: last, contents: contents)
    }
}
