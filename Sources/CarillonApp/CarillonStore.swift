import CarillonCore
import CarillonMessaging
import Foundation

/// The app's memory, and its files in the app's folder or its App Group.
///
/// Reads come from memory. Changes are appended to a journal, at most once per event from iOS; a snapshot replaces a long
/// journal (``StoreGeneration``). The service extension writes files of its own, and ``takeOverFromExtension()`` joins them.
/// There is no lock.
///
/// Before the phone's first unlock after a restart, the files cannot be read. Then ``identity`` is `nil`, so the app sends no
/// requests, and changes are kept in memory until ``open()`` succeeds.
@MainActor
final class CarillonStore {
    /// Everything that is remembered now.
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
    private let vendor: String?
    private let random: SharedRandomSource
    private let report: @Sendable (CarillonEvent) -> Void
    private var savedFacts: StoreFacts
    private var savedInbox = InboxState()
    /// `nil` until the files were read.
    private var journal: Journal?

    /// The extension's files that are joined in memory.
    ///
    /// They are removed once their contents are saved.
    private var takenOver: Set<String> = []

    /// The journal to which changes are appended.
    private struct Journal {
        var generation: StoreGeneration
        var byteCount: Int
        /// Whether the journal may end with an incomplete line.
        var isTorn: Bool
    }

    /// Reads the files, if that is possible now.
    ///
    /// - Parameters:
    ///   - files: the installation's files.
    ///   - vendor: `UIDevice.identifierForVendor`; `nil`, the default, if it is not known.
    ///   - randomness: the source of the installation's id and secret.
    ///   - report: receives events about unusable files.
    init(
        files: any StoreFiles, vendor: String? = nil, randomness: any RandomNumberGenerator & Sendable,
        report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        self.files = files
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
    /// If writing fails, the changes stay in memory and are written the next time.
    func save() {
        guard journal != nil else { return }
        do {
            try saveInbox()
            try saveChange()
        } catch {
            report(.storeIsUnavailable(reason: "\(error)"))
        }
    }

    /// Saves if any unsaved change must not be lost; other changes are written with the next line.
    func saveWhatMatters() {
        if inbox != savedInbox || contents.mustBeSaved(since: savedFacts) { save() }
    }

    /// Makes a new identity, because the service refuses the current one.
    func renewIdentity() {
        let identity = random.draw { InstallationIdentity(using: &$0, vendor: vendor) }
        do {
            try write(identity, StoreFileName.identity)
            self.identity = identity
        } catch {
            report(.storeIsUnavailable(reason: "\(error)"))
        }
    }

    /// Joins the changes that the service extension has written since the last call.
    func takeOverFromExtension() {
        guard open() else { return }
        for name in files.names(in: .serviceExtension).sorted()
        where name.hasSuffix(StoreFileName.extensionEnding) && !takenOver.contains(name) {
            do {
                guard let data = try files.read(name, in: .serviceExtension, from: 0) else { continue }
                if let change = try? CarillonJSON.decode(StoreChange.self, from: data) {
                    contents.join(change)
                } else {
                    report(.storeWasDamaged(file: name))
                }
                takenOver.insert(name)
            } catch {
                report(.storeIsUnavailable(reason: "\(error)"))
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
        try write(inbox, StoreFileName.inbox)
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
        if meanwhile != nil { try saveChange() }
    }

    private func readIdentity() throws(StoreError) -> (InstallationIdentity, isFromAnotherPhone: Bool) {
        let known: InstallationIdentity? = try readFile(StoreFileName.identity)
        let isFromAnotherPhone = known?.isFromAnotherPhone(than: vendor) ?? false
        if let known, !isFromAnotherPhone { return (known, false) }
        let fresh = random.draw { InstallationIdentity(using: &$0, vendor: vendor) }
        try write(fresh, StoreFileName.identity)
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

    private func saveInbox() throws(StoreError) {
        guard inbox != savedInbox else { return }
        try write(inbox, StoreFileName.inbox)
        savedInbox = inbox
    }

    private func saveChange() throws(StoreError) {
        guard let journal else { return }
        if !journal.isTorn, let change = StoreChange(of: &contents, since: savedFacts) {
            let line = try encoded(change, journal.generation.journal) + [UInt8(ascii: "\n")]
            // A failing write may write a part of the line. Then a snapshot follows.
            self.journal?.isTorn = true
            try files.append(journal.generation.journal, in: .app, line)
            self.journal?.isTorn = false
            self.journal?.byteCount += line.count
            savedFacts = StoreFacts(contents)
        }
        // After the line, so that this snapshot and the two journals hold everything even if the next snapshot is not written.
        if let now = self.journal, now.isTorn || now.byteCount >= AppLimits.journalBytes {
            try writeSnapshot(after: now.generation)
        }
        removeTakenOver()
    }

    /// Writes a snapshot of everything, and an empty journal to continue it.
    private func writeSnapshot(after last: StoreGeneration?) throws(StoreError) {
        let mark = random.draw { InstallationIdentity.hexadecimal(byteCount: 4, using: &$0) }
        let next = StoreGeneration(number: (last?.number ?? 0) + 1, mark: mark)
        _ = StoreChange(of: &contents, since: savedFacts)
        try files.write(next.journal, in: .app, Data())
        try write(contents, next.snapshot)
        journal = Journal(generation: next, byteCount: 0, isTorn: false)
        savedFacts = StoreFacts(contents)
        removeTakenOver()
        removeGenerations(before: last)
    }

    private func removeTakenOver() {
        for name in takenOver { files.remove(name, in: .serviceExtension) }
        takenOver = []
    }

    private func removeGenerations(before generation: StoreGeneration?) {
        guard let generation else { return }
        for name in files.names(in: .app) {
            guard let old = StoreGeneration(file: name), old < generation else { continue }
            files.remove(old.snapshot, in: .app)
            files.remove(old.journal, in: .app)
        }
    }

    private func write(_ value: some Encodable, _ name: String) throws(StoreError) {
        try files.write(name, in: .app, try encoded(value, name))
    }

    private func encoded(_ value: some Encodable, _ name: String) throws(StoreError) -> Data {
        do { return try CarillonJSON.encode(value) } catch {
            throw StoreError.unwritable(file: name, reason: "\(error)")
        }
    }
}
