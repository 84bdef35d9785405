import Foundation
import Synchronization

/// The folders that serve as an app's `Bundle.main`: one for each locale in which the app has run.
///
/// Foundation on Linux would choose the language of the machine. Therefore each folder has the files for its own locale's
/// language at the top level, where Foundation looks first.
final class BundlePlace: Sendable {
    /// The folder that contains the bundles; the phone deletes it together with the app.
    let folder: URL
    private let app: AppBundle
    private let bundles = Mutex<[String: Bundle]>([:])
    private let texts = Mutex<[String: [String: String]]>([:])

    /// The number of bundle folders made so far in this program.
    ///
    /// Foundation caches the contents of a path, so every bundle folder gets a new path.
    private static let count = Atomic<Int>(0)

    init(_ app: AppBundle, folder: URL) {
        self.app = app
        self.folder = folder
    }

    /// Returns the app's `Localizable.strings` by key, in the language that the app uses for a locale.
    func strings(_ locale: Locale) -> [String: String] {
        guard let resources = app.resources else { return app.strings }
        return texts.withLock { texts in
            if let known = texts[locale.identifier] { return known }
            let files = ResourceFolder(resources)
            let tables = files.tables(in: language(files, locale, files.info))
            let new = tables["Localizable", default: [:]].merging(app.strings) { $1 }
            texts[locale.identifier] = new
            return new
        }
    }

    func bundle(_ locale: Locale) -> Bundle {
        bundles.withLock { bundles in
            if let known = bundles[locale.identifier] { return known }
            let new = make(locale)
            bundles[locale.identifier] = new
            return new
        }
    }

    private func language(_ files: ResourceFolder, _ locale: Locale, _ info: [String: Any]) -> String {
        let development = info["CFBundleDevelopmentRegion"] as? String ?? ""
        return files.language(
            for: locale, development: development.isEmpty || development.contains("$") ? "en" : development)
    }

    private func make(_ locale: Locale) -> Bundle {
        let number = Self.count.add(1, ordering: .relaxed).newValue
        let name = "\(Containers.fileName(app.name.isEmpty ? "App" : app.name)).app"
        let top = folder.appending(path: "\(number)/\(name)", directoryHint: .isDirectory)
        // Otherwise the bundle would contain files that an earlier run of the program has left here.
        try? FileManager.default.removeItem(at: top)
        try? FileManager.default.createDirectory(at: top, withIntermediateDirectories: true)
        let files = app.resources.map(ResourceFolder.init)
        let info = files?.info ?? [:]
        write(BundleInfo.completed(info, for: app), to: top.appending(path: "Info.plist"))
        var tables: [String: [String: String]] = [:]
        if let files {
            let language = language(files, locale, info)
            link(files, in: language, below: top)
            tables = files.tables(in: language)
        }
        if !app.strings.isEmpty { tables["Localizable", default: [:]].merge(app.strings) { $1 } }
        for (name, texts) in tables { write(texts, to: top.appending(path: "\(name).strings")) }
        // `Bundle(url:)` fails only if the path is not a folder.
        return Bundle(url: top) ?? .main
    }

    private func write(_ list: [String: Any], to file: URL) {
        let data = try? PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        try? data?.write(to: file)
    }

    /// Fills the bundle folder `top` with symbolic links to the app's resource files.
    ///
    /// A file from an `.lproj` folder gets a link in a subfolder of that name. Files in `language`, and files without a
    /// language, get a link directly in `top`. String tables get no link there, because `make(_:)` writes their merged texts
    /// into `top`.
    private func link(_ files: ResourceFolder, in language: String, below top: URL) {
        func link(_ file: ResourceFolder.File, _ path: String) {
            let place = top.appending(path: path)
            try? FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try? FileManager.default.createSymbolicLink(at: place, withDestinationURL: file.url)
        }
        for file in files.files where !["Info.plist", ""].contains(file.name) {
            let isTable = ["strings", "xcstrings"].contains(file.url.pathExtension)
            if let language = file.language { link(file, "\(language).lproj/\(file.name)") }
            if !isTable, file.language == nil || file.language == language { link(file, file.name) }
        }
    }
}

/// The Info.plist of an app, completed as Xcode completes it in a build.
enum BundleInfo {
    /// Returns the complete Info.plist of an app, with Xcode's build settings filled in and missing keys added.
    ///
    /// - Parameters:
    ///   - info: the Info.plist among the app's sources; empty for an app without one.
    ///   - app: the app's bundle; its bundle ID replaces the one in `info`.
    /// - Returns: the app's `infoDictionary`.
    static func completed(_ info: [String: Any], for app: AppBundle) -> [String: Any] {
        let values = [
            "PRODUCT_BUNDLE_IDENTIFIER": app.bundleID, "PRODUCT_NAME": app.name, "EXECUTABLE_NAME": app.name,
            "TARGET_NAME": app.name, "MARKETING_VERSION": "1.0", "CURRENT_PROJECT_VERSION": "1",
            "DEVELOPMENT_LANGUAGE": "en", "PRODUCT_BUNDLE_PACKAGE_TYPE": "APPL",
        ]
        let usual: [String: Any] = [
            "CFBundleName": app.name, "CFBundleDisplayName": app.name, "CFBundleShortVersionString": "1.0",
            "CFBundleVersion": "1", "CFBundleDevelopmentRegion": "en",
            "UIBackgroundModes": app.backgroundModes.map(\.rawValue).sorted(),
        ]
        let read = info.mapValues { fill($0, values) }
        return usual.merging(read) { $1 }.merging(["CFBundleIdentifier": app.bundleID]) { $1 }
    }

    private static func fill(_ value: Any, _ values: [String: String]) -> Any {
        switch value {
        case let text as String:
            values.reduce(text) { text, value in
                text.replacing("$(\(value.key))", with: value.value).replacing("${\(value.key)}", with: value.value)
            }
        case let list as [Any]: list.map { fill($0, values) }
        case let members as [String: Any]: members.mapValues { fill($0, values) }
        default: value
        }
    }
}
