import CarillonCore
import Foundation
import TestSupport
import Testing

/// `carillon bench client`, small.
@Suite("carillon bench client", .serialized)
struct BenchTests {
    @Test("bench client sends what it says and says what it cost")
    func bench() async throws {
        try await SimulatedAPNs.run { apns in
            for more in [["--api", "send"], ["--api", "batch"], ["--rate", "500"]] {
                let run = try await apns.bench(count: 300, more: more + ["--json"])
                let report = try JSONValue(parsing: run.output)
                #expect(run.status == 0, "\(run.transcript)")
                #expect(report["accepted"] == 300 && report["connections_opened"] == 2, "\(run.output)")
                #expect((report["cpu_seconds_per_100000"]?.doubleValue ?? 0) > 0)
                #expect((report["latency_ms"]?["p99_9"]?.doubleValue ?? 0) > 0)
            }
        }
    }

    @Test(
        "Ctrl-C ends a long measurement at once, with what was measured so far, and its warm-up too",
        arguments: [(warmUp: 0, accepted: 120), (warmUp: 1_000_000, accepted: 20)])
    func interrupted(warmUp: Int, accepted: Int) async throws {
        try await SimulatedAPNs.run { apns in
            // Before the measurement 4 times as many are sent as there are streams, at least, and a first one.
            let program = try RunningProgram(
                try apns.benchArguments(count: 1_000_000, more: ["--rate", "100", "--warm-up", "\(warmUp)"]))
            try await apns.accepted(atLeast: accepted)
            #expect(await program.interrupt() == 130)
            var lines: [String] = []
            for await line in program.lines { lines.append(line) }
            #expect(lines.first?.contains("stopped early") == true, "\(lines)")
        }
    }

    @Test("bench client refuses Apple's hosts, and says what is wrong with its options")
    func refusals() async throws {
        let apple = try await CarillonProgram.run(
            "bench", "client", "--url", "https://api.sandbox.push.apple.com", "--ca", "x", "--topic", "x", "--tokens",
            "x")
        #expect(apple.status != 0 && apple.errors.contains("no load tests against Apple's APNs"), "\(apple.transcript)")
    }

    @Test("the tokens of a file are used, and a line that is none is named by its number")
    func tokenFile() async throws {
        try await SimulatedAPNs.run { apns in
            let folder = try TemporaryFolder()
            let file = folder.url.appending(path: "tokens.txt")
            let list = try #require(apns.summary["device_tokens"]?.arrayValue).compactMap(\.stringValue)
            let token = try #require(list.first)
            func bench(_ text: String) async throws -> ProgramRun {
                try Data(text.utf8).write(to: file)
                return try await apns.bench(count: 20, more: ["--json", "--tokens", file.path])
            }
            let good = try await bench("\(token)\n\n\(token)")
            #expect(try JSONValue(parsing: good.output)["accepted"] == 20, "\(good.transcript)")
            #expect(try await bench("").errors.contains("the file contains no token"))
            #expect(try await bench("\(token)\nnobody\n").errors.contains("line 2: not a device token"))
        }
    }

    @Test("without any tokens it makes some up: every answer is a refusal, and counted as such")
    func madeUp() async throws {
        try await SimulatedAPNs.run { apns in
            let folder = try TemporaryFolder()
            let authority = folder.url.path + "/authority.pem"
            try Data(try apns.text("ca").utf8).write(to: URL(fileURLWithPath: authority))
            let run = try await apns.bench(count: 50, more: ["--json", "--ca", authority])
            let report = try JSONValue(parsing: run.output)
            #expect(run.status == 0, "\(run.transcript)")
            #expect(report["accepted"] == 0 && report["count"] == 50, "\(run.output)")
            #expect((report["rejected"]?["BadDeviceToken"]?.intValue ?? 0) >= 50, "\(run.output)")
        }
    }
}
