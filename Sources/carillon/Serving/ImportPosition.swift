import CarillonCore
import CarillonServer
import CommandSupport
import Crypto
import Foundation
import ServiceSupport

/// Stores how many lines of a file have been imported, so that an interrupted import can continue.
///
/// The position is in a file beside the database until the import is done.
struct ImportPosition {
    private struct Saved: Codable {
        var size: Int
        var modified: Double
        var report: ImportReport
    }

    /// The size of the imported file, in bytes.
    let bytes: Int
    private let modified: Double
    private let url: URL

    /// Makes the position in the file to import at `path`.
    ///
    /// The position is saved in another file, beside the database.
    ///
    /// The initializer returns `nil` if `path` is not a regular file, for instance a pipe.
    init?(of path: String, _ rules: ImportRules, in directory: ServiceDirectory) {
        let file = URL(fileURLWithPath: path)
        let facts = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard facts?[.type] as? FileAttributeType == .typeRegular, let size = facts?[.size] as? Int,
            let date = facts?[.modificationDate] as? Date
        else { return nil }
        (bytes, modified) = (size, date.timeIntervalSince1970)
        let name = "\(file.path)|\(rules.app?.topic ?? "")|\(rules.environment.rawValue)"
        let digest = Data(SHA256.hash(data: Data(name.utf8))).prefix(8).hexadecimal
        url = directory.url.appendingPathComponent("import-\(digest).json")
    }

    /// Returns the saved report of an interrupted import; `nil` if no report is saved or the imported file has changed
    /// since.
    func load() -> ImportReport? {
        guard let data = try? Data(contentsOf: url), let saved = try? CarillonJSON.decode(Saved.self, from: data),
            saved.size == bytes, saved.modified == modified, saved.report.line > 0
        else { return nil }
        return saved.report
    }

    /// Saves a report.
    ///
    /// Failures are ignored: an interrupted import then starts again, and importing a device again does no harm.
    func save(_ report: ImportReport) {
        let saved = Saved(size: bytes, modified: modified, report: report)
        guard let data = try? CarillonJSON.encode(saved) else { return }
        try? data.write(to: url, options: .atomic)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
