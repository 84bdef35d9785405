import CarillonCore
import CarillonDevice
import Foundation

/// What one of the page's phones keeps from one start of `carillon up` to the next, beside its apps' files.
struct PhoneMemory: Sendable {
    struct Contents: Codable, Sendable {
        /// The person's settings, and the notifications with their badge.
        var chime: SavedAppState
        var installation: String?
    }

    let file: URL

    /// - Returns: `nil` for a phone that is new, or whose memory makes no sense.
    func read() -> Contents? {
        guard let data = try? Data(contentsOf: file) else { return nil }
        return try? CarillonJSON.decode(Contents.self, from: data)
    }

    /// A folder that cannot be written any more costs the memory, not the phone.
    func write(_ contents: Contents) {
        guard let data = try? CarillonJSON.encode(contents) else { return }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? data.write(to: file, options: .atomic)
    }
}
