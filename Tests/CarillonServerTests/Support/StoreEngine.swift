import CarillonCore
import CarillonServer
import Foundation
import Testing

/// The database engines; the conformance suite runs against each.
enum StoreEngine: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite

    var testDescription: String { rawValue }

    /// A store of its own, with the apps ``chime`` and ``ferry`` and nothing else.
    func make() async throws -> any Store {
        let store = try makeEmpty()
        for app in [chime, ferry] { _ = try await store.put(AppSettings(topic: app.topic), at: noon) }
        return store
    }

    /// A store of its own, empty.
    func makeEmpty() throws -> any Store {
        switch self {
        case .sqlite: try SQLiteStore(path: TemporaryFolder().url.appending(path: "carillon.sqlite").path, at: noon)
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
