import CarillonCore
import CarillonDevice
import Foundation

/// The state of a phone that is kept between two starts of `carillon up`.
///
/// It is stored beside the files of the phone's apps.
struct PhoneMemory: Sendable {
    struct Contents: Codable, Sendable {
        /// The id of the phone's app (``PageApp/id``); `nil` for Chime, in files from before there were other apps.
        var app: String?
        /// The person's settings for the app, and the app's notifications and badge.
        var state: SwitchedOffAppState
        var installation: String?
        /// The app's device token in hexadecimal; `nil` before the app has one.
        var token: String?
        /// The phone's own settings.
        var settings: Settings?

        enum CodingKeys: String, CodingKey {
            case app, installation, token, settings
            case state = "chime"
        }
    }

    /// The settings of the phone that do not belong to an app.
    struct Settings: Codable, Sendable {
        var isFocusOn: Bool
        var isSilent: Bool
        var isDark: Bool
        var locale: String
        /// `nil` in a file from before it was kept.
        var isLowPower: Bool?
        /// `nil` in a file from before it was kept.
        var isBatteryLow: Bool?
        /// The names of the rules that are on (``PageRule``); `nil` in a file from before they were kept.
        var rules: [String]?
    }

    let file: URL

    /// Loads the saved contents.
    ///
    /// - Returns: the contents; `nil` for a new phone, or if the file cannot be decoded.
    func read() -> Contents? {
        guard let data = try? Data(contentsOf: file) else { return nil }
        return try? CarillonJSON.decode(Contents.self, from: data)
    }

    /// Writes the file.
    ///
    /// If that fails, only the saved state is lost.
    func write(_ contents: Contents) {
        guard let data = try? CarillonJSON.encode(contents) else { return }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? data.write(to: file, options: .atomic)
    }
}
