import CarillonCore
import Foundation

/// The store's contents as the service extension keeps them in memory, from one notification to the next.
package struct ExtensionMemory: Sendable {
    private var reader = StoreReader()
    /// The changes that the extension has written for the app, by file name.
    private var changes: [String: StoreChange] = [:]
    /// The changes whose files could not be written; the next file that is written contains them.
    private var unwritten: StoreChange?
    /// The contents of the app's store, merged with ``changes`` and ``unwritten``; `nil` before the store is first read.
    private var joined: StoreContents?
    /// The events to report after the lock is released, because the app's own code receives them.
    private var events: [CarillonEvent] = []

    package init() {}

    /// Returns the events about unusable files that were not returned before.
    package mutating func takeEvents() -> [CarillonEvent] {
        defer { events = [] }
        return events
    }

    /// Returns the store's current contents; reads from its files only what was written since the last call.
    ///
    /// - Parameters:
    ///   - files: the store's files.
    ///   - fresh: the store contents to use if no file can be read.
    /// - Returns: the store's current contents.
    package mutating func read(_ files: any StoreFiles, fresh: StoreContents) -> StoreContents {
        readFiles(files, fresh: fresh)
        return joined ?? fresh
    }

    /// Changes the store's contents, and writes the change to a file for the app.
    ///
    /// First reads from the store's files what was written since the last call.
    ///
    /// - Parameters:
    ///   - files: the store's files.
    ///   - fresh: the store contents to use if no file can be read.
    ///   - name: the name of the new file.
    ///   - change: changes the store's contents.
    /// - Returns: the result of `change`.
    package mutating func update<Value: Sendable>(
        _ files: any StoreFiles, fresh: StoreContents, file name: String, _ change: (inout StoreContents) -> Value
    ) -> Value {
        readFiles(files, fresh: fresh)
        var contents = joined ?? fresh
        joined = nil  // Else changing it would copy it.
        let value = change(&contents)
        let difference = contents.takeChange()
        joined = contents
        if let difference { save(difference, name, files, fresh: fresh) }
        return value
    }

    /// Writes a change to a file for the app, with the changes that could not be written before.
    private mutating func save(
        _ difference: StoreChange, _ name: String, _ files: any StoreFiles, fresh: StoreContents
    ) {
        var change = difference
        if let unwritten {
            let written = changes.keys.sorted().compactMap { changes[$0] }
            change = Self.merged([unwritten, difference], after: written, of: reader.contents ?? fresh)
        }
        do {
            try Self.write(change, name, files)
            changes[name] = change
            unwritten = nil
            try writeAsOne(files, fresh: fresh)
        } catch {
            if changes[name] == nil { unwritten = change }
            events.append(.storeIsUnavailable(reason: "\(error)"))
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

    private mutating func readFiles(_ files: any StoreFiles, fresh: StoreContents) {
        do {
            // Reads the changes before the app's files: the app saves the changes that it takes over before it removes their
            // files.
            let (new, hasFewer) = try readChanges(files)
            let before = (reader.generation, reader.journalByteCount)
            try reader.read(files, fresh: { fresh })
            for file in reader.takeDamaged() { events.append(.storeWasDamaged(file: file)) }
            let isSame = before == (reader.generation, reader.journalByteCount) && !hasFewer
            if isSame, new.isEmpty, joined != nil { return }
            var joined = (isSame ? self.joined : nil) ?? reader.contents ?? fresh
            self.joined = nil
            for name in isSame ? new : changes.keys.sorted() { changes[name].map { joined.join($0) } }
            if let unwritten { joined.join(unwritten) }
            _ = joined.takeChange()
            self.joined = joined
        } catch {
            events.append(.storeIsUnavailable(reason: "\(error)"))
        }
    }

    /// Reads the changes that extensions have written.
    ///
    /// - Returns: the sorted names of new files, and whether files that were known before are gone.
    private mutating func readChanges(
        _ files: any StoreFiles
    ) throws(StoreError) -> (new: [String], hasFewer: Bool) {
        let names = files.names(in: .serviceExtension).filter { $0.hasSuffix(StoreFileName.extensionEnding) }
        let gone = Set(changes.keys).subtracting(names)
        for name in gone { changes[name] = nil }
        var new: [String] = []
        for name in names.sorted() where changes[name] == nil {
            guard let data = try files.read(name, in: .serviceExtension, from: 0) else { continue }
            guard let change = try? CarillonJSON.decode(StoreChange.self, from: data) else {
                events.append(.storeWasDamaged(file: name))
                files.putAside(name, in: .serviceExtension)
                continue
            }
            changes[name] = change
            new.append(name)
        }
        return (new, !gone.isEmpty)
    }

    /// Merges the extension's files into one if there are more than ``AppLimits/extensionFiles``.
    ///
    /// This happens if the app was not started for a long time.
    private mutating func writeAsOne(
        _ files: any StoreFiles, fresh: StoreContents
    ) throws(StoreError) {
        let names = changes.keys.sorted()
        guard names.count > AppLimits.extensionFiles, let last = names.last else { return }
        let one = Self.merged(names.compactMap { changes[$0] }, of: reader.contents ?? fresh)
        // A new name, because the app may be about to remove the files that it has read.
        let name = last.dropLast(StoreFileName.extensionEnding.count) + "-all" + StoreFileName.extensionEnding
        try Self.write(one, String(name), files)
        for name in names { files.remove(name, in: .serviceExtension) }
        changes = [String(name): one]
    }

    private static func write(_ change: StoreChange, _ name: String, _ files: any StoreFiles) throws(StoreError) {
        let data: Data
        do { data = try CarillonJSON.encode(change) } catch {
            throw StoreError.unwritable(file: name, reason: "\(error)")
        }
        try files.write(name, in: .serviceExtension, data)
    }
}

extension ExtensionMemory: Hashable {
    package static func == (one: Self, other: Self) -> Bool { one.essence == other.essence }
    package func hash(into hasher: inout Hasher) { hasher.combine(essence) }

    /// Everything that decides what this memory does next, without the names of files, which differ by chance.
    private var essence: [StoreChange?] {
        [reader.contents?.everything, joined?.everything, unwritten] + changes.keys.sorted().map { changes[$0] }
    }
}
