import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer
@testable import ServiceSupport

/// A machine is lost, and its backup starts on another one.
@Suite("A restored backup", .timeLimit(.minutes(5))) struct RestoredBackupTests {
    private static let sent = ["m-1", "m-2", "m-3"]
    private static let waiting = ["m-4", "m-5"]

    @Test("of SQLite has every message, sends those that wait, and none again that APNs had accepted")
    func sqlite() async throws {
        try await SendingSystem.run { system in
            let folder = try TemporaryFolder()
            let data = try #require(system.value(of: "--data"))
            try await Self.send(system)
            let restored = folder.url.appending(path: "data")
            try FileManager.default.createDirectory(at: restored, withIntermediateDirectories: false)
            let file = restored.appending(path: "carillon.sqlite").path
            let made = try await CarillonProgram.run(["db", "backup", "--data", data, "--to", file])
            #expect(made.status == 0, "\(made.transcript)")
            try FileManager.default.copyItem(
                atPath: "\(data)/sign-in.secret", toPath: "\(restored.path)/sign-in.secret")
            let store = try ServiceDirectory(path: restored.path).openStore()
            try await Self.check(system, restored: store, at: ["--data", restored.path], instead: "--data")
        }
    }

    @Test("of PostgreSQL by its own tools does so too")
    func postgreSQL() async throws {
        let server = try await PostgreSQLForTests.shared.folder().path
        func tool(_ name: String, _ arguments: String...) async throws {
            let run = try await CarillonProgram.runTool([name, "-h", server, "-U", "carillon"] + arguments)
            #expect(run.status == 0, "\(run.transcript)")
        }
        func address(_ name: String) -> String { "postgres://carillon@/\(name)?host=\(server)" }
        try await tool("createdb", "lost")
        try await SendingSystem.run(at: address("lost")) { system in
            let folder = try TemporaryFolder()
            try await Self.send(system)
            let file = folder.url.appending(path: "dump").path
            try await tool("pg_dump", "-Fc", "-f", file, "lost")
            try await tool("createdb", "restored")
            try await tool("pg_restore", "-d", "restored", file)
            let store = Store(try await PostgreSQLEngine.opened(url: address("restored")) { _ in true })
            try await Self.check(
                system, restored: store, at: ["--database", address("restored")], instead: "--database")
        }
    }

    /// Sends three messages, and leaves two that no sender has sent.
    private static func send(_ system: SendingSystem) async throws {
        let sender = try system.startSender()
        await sender.untilSending()
        try await system.accept(sent)
        try await system.untilDone(sent)
        #expect(await sender.terminate() == 0)
        try await system.accept(waiting)
    }

    private static func check(
        _ system: SendingSystem, restored: Store, at place: [String], instead option: String
    ) async throws {
        for id in sent + waiting {
            let reference = MessageReference(try MessageID(id), of: system.app.number)
            let before = try await system.store.messages.timeline(
                reference, after: nil, limit: 100, at: system.clock.now)
            let now = try await restored.messages.timeline(reference, after: nil, limit: 100, at: system.clock.now)
            #expect(before != nil && before?.devices == now?.devices, "\(id)")
        }
        let audit = try await restored.audit.check()
        #expect(audit.broken == nil && audit.count > 0)

        let before = system.taken(Set(sent))
        #expect(before.count == sent.count * SendingSystem.devices)
        let start = try #require(system.arguments.firstIndex(of: option))
        var arguments = system.arguments
        arguments.replaceSubrange(start...(start + 1), with: place)
        let sender = try RunningProgram(arguments)
        try await system.until { system.taken(Set(waiting)).count == waiting.count * SendingSystem.devices }
        #expect(await sender.terminate() == 0)
        #expect(system.taken(Set(sent)) == before, "a push that APNs had accepted went again")
    }
}

extension SendingSystem {
    /// Returns the value after an option in the arguments of a sender.
    fileprivate func value(of option: String) -> String? {
        arguments.firstIndex(of: option).map { arguments[$0 + 1] }
    }
}
