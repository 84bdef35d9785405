import CarillonCore
import Foundation

/// One small JSON file, written as a whole and atomically: after a crash it holds the old contents or the new.
struct JSONFile<Contents: Codable & Sendable> {
    /// What reading has found.
    enum Reading {
        case contents(Contents)
        case absent
        /// The file could not be decoded; it has been renamed with the ending `corrupt`.
        case corrupt
    }

    /// What was read or written last, so that unchanged bytes are not decoded again.
    struct Memory: Sendable {
        var data: Data
        var contents: Contents
    }

    let url: URL

    /// Reads the file.
    ///
    /// - Parameter memory: of the last reading or writing.
    /// - Returns: the contents, if there are any.
    /// - Throws: ``StoreError`` when there is a file that may not be read now. That is not corruption: writing over it
    ///   would lose what it holds.
    func read(_ memory: inout Memory?) throws -> Reading {
        guard FileManager.default.fileExists(atPath: url.path) else { return .absent }
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw StoreError.unreadable(file: url.lastPathComponent, reason: "\(error)")
        }
        if let memory, memory.data == data { return .contents(memory.contents) }
        if let contents = try? CarillonJSON.decode(Contents.self, from: data) {
            memory = Memory(data: data, contents: contents)
            return .contents(contents)
        }
        putAside()
        return .corrupt
    }

    /// Replaces the file.
    ///
    /// - Parameters:
    ///   - contents: all of them.
    ///   - memory: for the next reading.
    /// - Throws: ``StoreError``; the file is as it was then.
    func write(_ contents: Contents, _ memory: inout Memory?) throws {
        do {
            let data = try CarillonJSON.encode(contents)
            // First unlock, not "while unlocked": pushes arrive at a locked phone.
            try data.write(to: url, options: Self.writingOptions)
            memory = Memory(data: data, contents: contents)
        } catch {
            throw StoreError.unwritable(file: url.lastPathComponent, reason: "\(error)")
        }
    }

    private func putAside() {
        let aside = url.appendingPathExtension("corrupt")
        try? FileManager.default.removeItem(at: aside)
        try? FileManager.default.moveItem(at: url, to: aside)
    }

    private static var writingOptions: Data.WritingOptions {
        #if os(iOS)  // File protection exists on the phone only.
            [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
            .atomic
        #endif
    }
}
