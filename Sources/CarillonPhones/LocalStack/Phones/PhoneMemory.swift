import CarillonCore
import CarillonDevice
import Foundation

/// The state of one of the page's phones that is kept between two starts of `carillon up`, beside its apps' files.
struct PhoneMemory: Sendable {
    struct Contents: Codable, Sendable {
        /// The id of its app (``PageApp/id``); `nil` for Chime, as before there were others.
        var app: String?
        /// The person's settings for the app, and its notifications with their badge.
        var state: SwitchedOffAppState
        var installation: String?
        /// The app's device token, in hexadecimal; `nil` before it has one.
        var token: String?
        /// The phone's own settings.
        var settings: Settings?

        enum CodingKeys: String, CodingKey {
            case app, installation, token, settings
            case state = "chime"
        }
    }

    /// The settings of a phone that belong to no app.
    struct Settings: Codable, Sendable {
        var isFocusOn: Bool
        var isSilent: Bool
        var isDark: Bool
        var locale: String
        /// `nil` in a file from before it was kept.
        var isLowPower: Bool?
        /// The names of the rules that are on (``PageRule``); `nil` in a file from before they were kept.
        var rules: [String]?
    }

    let file: URL

    /// - Returns: the saved contents; `nil` for a new phone, or when the file cannot be decoded.
    func read() -> Contents? {
        guard let data = try? Data(contentsOf: file) else { return nil }
        return try? CarillonJSON.decode(Contents.self, from: data)
    }

    /// Writes the file; if the write fails, only the saved state is lost, and the phone goes on.
    func write(_ contents: Contents) {
        guard let data = try? CarillonJSON.encode(contents) else { return }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? data.write(to: file, options: .atomic)
    }
}
