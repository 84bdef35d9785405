import Foundation

/// The files in an app's folder of resources, and their texts by language.
struct ResourceFolder: Sendable {
    struct File: Sendable {
        let url: URL
        /// The language of the enclosing `.lproj` folder: `nil` if there is none, `Base` for `Base.lproj`.
        let language: String?

        var name: String { url.lastPathComponent }
    }

    let files: [File]

    /// The path extensions of files and folders that Xcode does not copy into the app's bundle.
    private static let sources: Set<String> = ["swift", "h", "m", "mm", "xcodeproj", "xcworkspace", "lproj"]

    /// Lists the files that Xcode would copy into the app's bundle.
    ///
    /// - Parameter folder: the folder to read; a missing folder counts as empty. Only the first 10000 files are read.
    init(_ folder: URL) {
        var files: [File] = []
        let walk = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: [.skipsHiddenFiles])
        while files.count < PhoneLimits.resourceFiles, let url = walk?.nextObject() as? URL {
            let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
            let kind = url.pathExtension
            if isFolder, kind.isEmpty || kind == "lproj" { continue }
            // A folder with an extension, such as a bundle inside the bundle, counts as one file.
            if isFolder { walk?.skipDescendants() }
            guard !Self.sources.contains(kind) else { continue }
            let place = url.deletingLastPathComponent()
            files.append(
                File(url: url, language: place.pathExtension == "lproj" ? Self.language(of: place) : nil))
        }
        self.files = files.sorted { $0.url.path < $1.url.path }
    }

    private static func language(of folder: URL) -> String { folder.deletingPathExtension().lastPathComponent }

    /// The contents of the app's Info.plist; empty if there is none.
    ///
    /// If there are several such files, only the file nearest to the folder's top counts.
    var info: [String: Any] {
        let plists = files.filter { $0.name == "Info.plist" || $0.name.hasSuffix("-Info.plist") }
        let nearest = plists.min { $0.url.pathComponents.count < $1.url.pathComponents.count }
        return nearest.flatMap { Self.propertyList($0.url) as? [String: Any] } ?? [:]
    }

    /// Returns the language that an app uses on a phone with this locale.
    ///
    /// - Parameters:
    ///   - locale: the phone's locale.
    ///   - development: the app's development language.
    /// - Returns: a language for which the folder has texts, or `development`.
    func language(for locale: Locale, development: String) -> String {
        let spoken = Set(files.compactMap(\.language)).union(catalogues.flatMap { $0.value.languages })
        let full = locale.identifier.replacing("_", with: "-")
        let code = locale.language.languageCode?.identifier ?? full
        let script = locale.language.script.map { "\(code)-\($0.identifier)" }
        return [full, script, code, development].compactMap(\.self).first(where: spoken.contains) ?? development
    }

    /// Returns the string tables in a language, by table name, such as `Localizable`.
    func tables(in language: String) -> [String: [String: String]] {
        var tables: [String: [String: String]] = [:]
        for from in ["Base", nil, language] {
            for file in files where file.url.pathExtension == "strings" && file.language == from {
                let texts = Self.propertyList(file.url) as? [String: String] ?? [:]
                tables[file.url.deletingPathExtension().lastPathComponent, default: [:]].merge(texts) { $1 }
            }
        }
        for (name, catalogue) in catalogues {
            tables[name, default: [:]].merge(catalogue.texts(in: language)) { $1 }
        }
        return tables
    }

    private var catalogues: [String: StringCatalogue] {
        files.filter { $0.url.pathExtension == "xcstrings" }.reduce(into: [:]) { catalogues, file in
            let data = (try? Data(contentsOf: file.url)) ?? Data()
            catalogues[file.url.deletingPathExtension().lastPathComponent] =
                try? JSONDecoder().decode(StringCatalogue.self, from: data)
        }
    }

    private static func propertyList(_ url: URL) -> Any? {
        guard let data = try? Data(contentsOf: url) else { return nil }
        return try? PropertyListSerialization.propertyList(from: data, format: nil)
    }
}
