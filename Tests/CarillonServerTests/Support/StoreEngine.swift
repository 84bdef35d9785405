import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

/// The database engines; the conformance suite runs against each.
enum StoreEngine: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite
    case postgresql

    var testDescription: String { rawValue }

    /// A store of its own, with the apps ``chime`` and ``ferry`` and nothing else.
    ///
    /// - Parameter ranges: when it sends a message by ranges. The default is the service's own.
    func make(ranges: RangeRules = RangeRules()) async throws -> Store {
        let store = try await makeEmpty(ranges: ranges)
        for app in [chime, ferry] { _ = try await store.put(AppSettings(topic: app.topic), at: noon) }
        return store
    }

    /// A store of its own, empty.
    func makeEmpty(ranges: RangeRules = RangeRules()) async throws -> Store {
        switch self {
        case .sqlite:
            let path = try TemporaryFolder().url.appending(path: "carillon.sqlite").path
            return Store(try SQLiteEngine(path: path, schema: .current, clock: Self.patientClock), ranges: ranges)
        case .postgresql:
            return try await Self.postgreSQL(at: try await Self.emptySchema(), ranges: ranges)
        }
    }

    /// The address of a schema of its own.
    ///
    /// - Parameter proxy: through which it is reached. The default is none.
    static func emptySchema(through proxy: CuttingProxy? = nil) async throws -> String {
        let name = "s\(UInt64.random(in: 0 ... .max))"
        let address = try await PostgreSQLForTests.shared.address(schema: name)
        try PostgreSQLHandle(url: address).run("CREATE SCHEMA \(name)")
        guard let proxy else { return address }
        return "postgres://carillon@127.0.0.1:\(proxy.port)/postgres?sslmode=disable&options=-csearch_path%3D\(name)"
    }

    /// Opens the tables at an address, as one more process does.
    ///
    /// It waits for other writers longer than the service, since on a busy machine many tests write at once.
    static func postgreSQL(
        at address: String, listens: Bool = true, ranges: RangeRules = RangeRules(),
        patience: Duration = .seconds(120)
    ) async throws -> Store {
        Store(
            try await PostgreSQLEngine.opened(
                url: address, schema: .current, patience: patience, readers: 1, listens: listens, clock: patientClock
            ) { _ in
                false
            },
            ranges: ranges)
    }

    /// A clock that stands still, so that no call takes longer than it may, however busy the machine is.
    private static var patientClock: any CarillonClock { ManualClock(start: noon) }
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
