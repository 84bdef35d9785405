import CarillonCore
import CarillonMessaging
import Foundation

/// The store's files, written and read by the SDK's own types.
extension SDKWorld {
    private static let first = StoreGeneration(number: 1, mark: "00000000")

    /// The contents of a new installation, with a random text that never changes.
    private static let fresh: StoreContents = {
        var random = SeededGenerator(seed: 1)
        return StoreContents(using: &random)
    }()

    private static let facts: RegistrationFacts? = DeviceToken(Data(repeating: 7, count: 32)).map {
        RegistrationFacts(
            token: $0, topic: "com.example.app", environment: .sandbox,
            device: DeviceFacts(permission: .authorized))
    }

    /// Reads what the files hold, for the hash of a state.
    mutating func readSavedContents() {
        guard savedContents == nil else { return }
        let files = MemoryFiles(disk)
        try? reader.read(files, fresh: { Self.fresh })
        let names = files.names(in: .serviceExtension)
        changes = changes.filter { names.contains($0.key) }
        for file in ExtensionChange.all(in: files, except: Set(changes.keys)) {
            if case .change(let change) = file.content { changes[file.name] = change }
        }
        savedContents = [reader.contents?.everything] + names.map { changes[$0] }
    }

    /// Saves the store of an app that has run once, and is registered with a user signed in.
    mutating func prepareDisk() {
        var contents = Self.fresh
        contents.registration.signedIn()
        if let facts = Self.facts { contents.registration.registered(facts, user: "u-42", at: now) }
        let files = MemoryFiles(disk)
        let snapshot = StoreWrite.Snapshot(next: Self.first, last: nil, contents: contents.everything)
        _ = StoreWrite(snapshot: snapshot).perform(in: files, torn: Guarded(nil))
        disk = files.contents
    }

    /// Starts the app's process: reads its files.
    mutating func readStore(isFront: Bool) {
        readSavedContents()
        app = AppProcess(
            contents: reader.contents ?? Self.fresh, reads: savedReads,
            generation: reader.generation ?? Self.first, isTorn: reader.hasTornEnd, isFront: isFront)
    }

    /// Joins what the extension has written, as `AppStore` does.
    mutating func takeOver() {
        guard var process = app else { return }
        for file in ExtensionChange.all(in: MemoryFiles(disk), except: process.takenOver) {
            if case .change(let change) = file.content { process.contents.join(change) }
            process.takenOver.insert(file.name)
        }
        app = process
    }

    /// Saves all changes of the app, as `AppStore` does.
    mutating func save() {
        guard var process = app else { return }
        let files = MemoryFiles(disk)
        if !disk.isFull { savedReads = process.reads }
        let next = StoreGeneration(number: process.generation.number + 1, mark: "00000000")
        let change = process.contents.takeChange()
        let write =
            process.isTorn
            ? StoreWrite(
                snapshot: StoreWrite.Snapshot(
                    next: next, last: process.generation, contents: process.contents.everything),
                joined: process.takenOver)
            : StoreWrite(
                line: change.map { StoreWrite.Line(journal: process.generation.journal, change: $0) },
                joined: process.takenOver)
        let outcome = write.perform(in: files, torn: Guarded(nil))
        disk = files.contents
        if outcome.error == nil {
            process.takenOver = []
            if process.isTorn { process.generation = next }
            process.isTorn = false
            knowledge.saved(.app)
            knowledge.savedReceipts.formUnion(process.contents.policy.receipts.pending.map(\.id))
        } else if change != nil {
            process.isTorn = true
        }
        app = process
    }

    /// Saves if a change must not be lost, as `AppStore` does.
    mutating func saveWhatMatters() {
        guard let app else { return }
        if app.isTorn || app.contents.mustBeSaved || app.reads != savedReads { save() }
    }

    /// Whether everything that the app must not lose is saved.
    var isAppSaved: Bool { app.map { !$0.isTorn && !$0.contents.mustBeSaved } ?? true }

    /// Changes the contents of the extension's store, which writes the change to a file for the app.
    mutating func updateExtension<Value: Sendable>(_ change: (inout StoreContents) -> Value) -> Value {
        var memory = ext ?? ExtensionMemory()
        let files = MemoryFiles(disk)
        extensionFileCount += 1
        let number = String(1_000_000 + extensionFileCount)
        let file = number + StoreFileName.extensionEnding
        let value = memory.update(files, fresh: Self.fresh, file: file, change)
        if disk.isFull { isExtensionSaved = false }
        disk = files.contents
        if disk.folders[.serviceExtension]?[file] != nil {
            isExtensionSaved = true
            knowledge.saved(.ext)
            knowledge.savedReceipts.formUnion(
                memory.read(files, fresh: Self.fresh).policy.receipts.pending.map(\.id))
        }
        ext = memory
        return value
    }

    /// The contents of the extension's store.
    mutating func extensionContents() -> StoreContents {
        var memory = ext ?? ExtensionMemory()
        defer { ext = memory }
        return memory.read(MemoryFiles(disk), fresh: Self.fresh)
    }
}
