import CarillonCore
import CarillonServer
import Foundation
import Testing

/// The database engines; the conformance suite runs against each.
enum StoreEngine: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite

    var testDescription: String { rawValue }

    /// A store of its own, empty.
    func make() throws -> any Store {
        switch self {
        case .sqlite: try SQLiteStore(path: TemporaryFolder().url.appending(path: "carillon.sqlite").path)
        }
    }
}

/// A folder for one test, in the system's place for such things.
struct TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "carillon-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
