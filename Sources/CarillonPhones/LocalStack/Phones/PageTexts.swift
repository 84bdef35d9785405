import Foundation

/// The `Localizable.strings` of the apps on the page's phones, for a payload with a `loc-key`.
enum PageTexts {
    /// The key that a preset of the page sends.
    static let key = "GAME_PLAY_REQUEST_FORMAT"

    /// The format by language: every language that a phone of the page can have.
    static let formats = [
        "en": "%@ and %@ have invited you to play",
        "de": "%@ und %@ laden dich zum Spielen ein",
        "fr": "%@ et %@ vous invitent à jouer",
        "hu": "%@ és %@ játszani hív",
        "ar": "يدعوك %@ و%@ إلى اللعب",
        "he": "%@ ו%@ מזמינים אותך לשחק",
    ]

    /// Writes a folder such as Xcode copies into an app: an `.lproj` folder for each language.
    ///
    /// - Parameter folder: the folder; files of an earlier start are replaced.
    /// - Throws: ``LocalStackError`` if a file cannot be written.
    static func write(to folder: URL) throws {
        for (language, format) in formats {
            let place = folder.appending(path: "\(language).lproj", directoryHint: .isDirectory)
            do {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                let list = try PropertyListSerialization.data(fromPropertyList: [key: format], format: .xml, options: 0)
                try list.write(to: place.appending(path: "Localizable.strings"), options: .atomic)
            } catch {
                throw LocalStackError("\(place.path): cannot be written (\(error.localizedDescription))")
            }
        }
    }
}
