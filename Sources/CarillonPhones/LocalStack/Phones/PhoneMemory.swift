import CarillonCore
import CarillonDevice
import Foundation

/// The file that keeps a phone's state between two starts of `carillon up`.
///
/// The file lies beside the files of the phone's apps.
struct PhoneMemory: Sendable {
    struct Contents: Codable, Sendable {
        /// The id of the phone's app (``PageApp/id``); `nil` in a file from a time when Chime was the only app.
        var app: String?
        /// The person's settings for the app, and the app's notifications and badge.
        var state: SwitchedOffAppState
        var installation: String?
        /// The app's device token in hexadecimal; `nil` before the app has one.
        var token: String?
        /// The phone's own settings; `nil` in a file that was written before settings were saved.
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
        /// Whether a person or the browser decides about ``isDark``; `nil` in a file older than this member.
        var appearance: Appearance?
        var locale: String
        /// Whether Low Power Mode is on; `nil` in a file older than this setting.
        var isLowPower: Bool?
        /// Whether the battery is almost empty; `nil` in a file older than this setting.
        var isBatteryLow: Bool?
        /// The names of the rules of iOS (``PageRule``) that are switched on in the phone's Settings; `nil` in a file older
        /// than this setting.
        var rules: [String]?
    }

    /// The source of the phone's light or dark appearance: a person's choice, or the browser.
    struct Appearance: Codable, Sendable {
        /// Whether a person has chosen light or dark in the phone's Settings; otherwise the phone is dark if the browser is.
        var isChosen = false
        /// Whether the browser is dark; the phone is dark too, unless a person has chosen its appearance.
        var isBrowserDark = false
    }

    let file: URL

    /// Loads the saved state.
    ///
    /// - Returns: the file's contents; `nil` for a new phone, or if the file cannot be decoded.
    func read() -> Contents? {
        guard let data = try? Data(contentsOf: file) else { return nil }
        return try? CarillonJSON.decode(Contents.self, from: data)
    }

    /// Writes the file.
    ///
    /// If the write fails, only the saved state is lost.
    func write(_ contents: Contents) {
        guard let data = try? CarillonJSON.encode(contents) else { return }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? data.write(to: file, options: .atomic)
    }
}
