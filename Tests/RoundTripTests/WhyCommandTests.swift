import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonDevice
@testable import CarillonPhones

@Suite("carillon why") struct WhyCommandTests {
    /// Runs the command against an address that answers as `carillon up` does.
    private static func why(_ histories: [PushHistory], _ arguments: String...) async throws -> ProgramRun {
        let text = String(decoding: try CarillonJSON.encode(histories), as: UTF8.self)
        let server = try WebServer(["/pushes": .text(text)])
        defer { server.stop() }
        let program = try CarillonProgram.executable().deletingLastPathComponent().appending(path: "carillon-phones")
        return try await ProgramRun.of(
            program, ["why", "--url", "http://127.0.0.1:\(server.port)"] + arguments)
    }

    private static func history(_ phone: String, _ pushes: Int) -> PushHistory {
        let start = Timestamp(secondsSince1970: 1_800_000_000)
        return PushHistory(
            phone: phone, name: "Phone of \(phone)",
            pushes: (0..<pushes).map { number in
                var push = PushTrace(
                    number: number + 1, origin: .push, arrivedAt: start + .seconds(number), topic: "com.example.app")
                push.notificationID = "news-\(number + 1)"
                return push
            })
    }

    @Test("a phone in Airplane Mode is said to be there, with the messages that APNs has not delivered")
    func undelivered() async throws {
        var history = Self.history("one", 0)
        history.isOffline = true
        history.undelivered = [.init(message: "news-9", why: "APNs discarded it: it stores only the newest push.")]
        let text = try await Self.why([history], "news-9").output
        #expect(text.contains("Airplane Mode") && text.contains("news-9"), "\(text)")
        #expect(text.contains("APNs discarded it"), "\(text)")
        history.undelivered = []
        #expect(try await Self.why([history]).output.contains("Airplane Mode"))
    }

    @Test("a push describes itself as in the text of the command")
    func description() async throws {
        let history = Self.history("one", 2)
        let text = try await Self.why([history]).output
        for push in history.pushes {
            let lines = push.description.split(separator: "\n")
            #expect(lines.first?.contains(push.notificationID ?? "?") == true)
            #expect(lines.allSatisfy { text.contains("  \($0)") }, "\(text)")
        }
    }

    @Test("--last lists the newest of each phone, in their order")
    func last() async throws {
        let histories = [Self.history("one", 5), Self.history("two", 1)]
        let json = try await Self.why(histories, "--last", "2", "--json")
        let told = try CarillonJSON.decode([PushHistory].self, from: json.data)
        #expect(told.map { $0.pushes.map(\.number) } == [[4, 5], [1]], "\(json.transcript)")
        let text = try await Self.why(histories, "--last", "2").output
        #expect(text.contains("news-4") && text.contains("news-5") && !text.contains("news-3"), "\(text)")
        #expect(try await Self.why(histories, "--last", "0").errors.contains("--last must be above 0"))
    }
}
