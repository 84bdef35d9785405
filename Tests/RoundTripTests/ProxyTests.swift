import CarillonAPNs
import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CommandSupport

/// tinyproxy between a sender and the simulated APNs.
@Suite("A proxy between sender and APNs", .serialized, .timeLimit(.minutes(5)))
struct ProxyTests {
    private static let alert = #"{"aps":{"alert":"x"}}"#

    /// Runs tinyproxy on a free port.
    private func withProxy(
        _ settings: String, _ body: (_ port: Int, _ log: () throws -> String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let port = try FreePort.find()
        let (file, log) = (folder.url.appending(path: "proxy.conf"), folder.url.appending(path: "proxy.log"))
        let lines = [
            "Port \(port)", "Listen 127.0.0.1", "Timeout 60", "LogFile \"\(log.path)\"", "LogLevel Connect", settings,
        ]
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["tinyproxy", "-d", "-c", file.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        // It has no line that says it is ready: it is when it takes connections.
        while !FreePort.isTaken(port) {
            try #require(process.isRunning)
            await Task.yield()
        }
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await body(port) { try String(contentsOf: log, encoding: .utf8) })
        } catch {
            result = .failure(error)
        }
        // It waits for its tunnels when it is asked to end.
        kill(process.processIdentifier, SIGKILL)
        for await _ in ended {}
        try result.get()
    }

    @Test("pushes go through the proxy that the option or the environment names, and past it where NO_PROXY says so")
    func through() async throws {
        try await SimulatedAPNs.run { apns in
            try await withProxy("ConnectPort \(try apns.port)") { port, log in
                let proxy = "http://127.0.0.1:\(port)"
                let sent = try await apns.push(Self.alert, more: ["--proxy", proxy])
                #expect(sent.status == 0 && sent.lines.first == "200 accepted", "\(sent.transcript)")
                let tunnel = "CONNECT localhost:\(try apns.port)"
                #expect(try log().contains(tunnel))
                let lines = try log().count
                let direct = try await apns.push(Self.alert, more: ["--proxy", "none"])
                #expect(direct.status == 0, "\(direct.transcript)")
                #expect(try log().count == lines, "the proxy was not asked")
            }
        }
    }

    @Test("user and password are sent, and a wrong one, a refusal and a proxy that is not there are told apart")
    func refusals() async throws {
        try await SimulatedAPNs.run { apns in
            try await withProxy("ConnectPort \(try apns.port)\nBasicAuth ada pa55word") { port, _ in
                func push(_ proxy: String) async throws -> ProgramRun {
                    try await apns.push(Self.alert, more: ["--proxy", proxy, "--timeout", "2"])
                }
                let known = try await apns.push(Self.alert, more: ["--proxy", "http://ada:pa55word@127.0.0.1:\(port)"])
                #expect(known.status == 0, "\(known.transcript)")
                let nobody = try await push("http://127.0.0.1:\(port)")
                #expect(nobody.output.contains("demands a user and password (407)"), "\(nobody.transcript)")
                let wrong = try await push("http://ada:wrong@127.0.0.1:\(port)")
                #expect(!(wrong.output + wrong.errors).contains("wrong@"), "\(wrong.transcript)")
                #expect(
                    wrong.status == 1 && wrong.output.contains("the proxy 127.0.0.1:\(port)"), "\(wrong.transcript)")
                let absent = try await push("http://127.0.0.1:1")
                #expect(absent.output.contains("the proxy 127.0.0.1:1 cannot be reached"), "\(absent.transcript)")
            }
            try await withProxy("ConnectPort 443") { port, _ in
                let refused = try await apns.push(
                    Self.alert, more: ["--proxy", "127.0.0.1:\(port)", "--timeout", "2"])
                #expect(refused.output.contains("refuses to connect to APNs (403"), "\(refused.transcript)")
            }
        }
    }

    @Test("addresses that are no proxy are refused in a sentence that names the option")
    func mistakes() async throws {
        for (proxy, words) in [
            ("https://p:3128", "only HTTP proxies"), ("http://", "cannot be read"), ("http://p:0", "port"),
        ] {
            let run = try await CarillonProgram.run([
                "keys", "check", "--certificate", "/dev/null", "--proxy", proxy, "--url", "https://127.0.0.1:1",
            ])
            #expect(run.status != 0)
            #expect(throws: APNsError.self, "\(words)") { try APNsProxy(url: proxy) }
        }
    }

    @Test("the environment names a proxy and the hosts that need none, as curl reads it")
    func environment() throws {
        func proxy(_ variables: [String: String], _ endpoint: APNsEndpoint = .production) throws -> String? {
            try APNsProxy.named(for: endpoint, in: variables)?.description
        }
        #expect(try proxy([:]) == nil && proxy(["HTTPS_PROXY": ""]) == nil)
        #expect(try proxy(["HTTPS_PROXY": "http://p:3128"]) == "p:3128")
        #expect(try proxy(["https_proxy": "q:8080", "HTTPS_PROXY": "http://p:3128"]) == "q:8080")
        #expect(try proxy(["ALL_PROXY": "http://all:3128"]) == "all:3128")
        #expect(try proxy(["all_proxy": "http://all:3128", "HTTPS_PROXY": "http://p:3128"]) == "p:3128")
        #expect(try proxy(["ALL_PROXY": "http://all:3128", "NO_PROXY": "apple.com"]) == nil)
        for exception in ["*", "api.push.apple.com", "apple.com", ".apple.com", "x.example, push.apple.com"] {
            #expect(try proxy(["HTTPS_PROXY": "http://p:3128", "NO_PROXY": exception]) == nil, "\(exception)")
        }
        for exception in ["apple", "com.apple", "api.push.apple.co", "localhost"] {
            #expect(try proxy(["HTTPS_PROXY": "http://p:3128", "no_proxy": exception]) == "p:3128", "\(exception)")
        }
        #expect(throws: APNsError.self) { try proxy(["HTTPS_PROXY": "socks5://p:1080"]) }
    }
}
