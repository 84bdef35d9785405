import CarillonCore
import Foundation
import Logging
import Synchronization
import Testing

@testable import CarillonServer

@Suite("Certificates that end soon are said by health and metrics")
struct CredentialWatchTests {
    @Test(
        "health says which app's certificate ends and when, from the hour in which it becomes so; the status stays ok")
    func health() async throws {
        let sender = RecordingSender()
        let end = noon + .seconds(10 * 86_400 + 1800)
        sender.certificateEnds(end)
        try await RunningService.run(sender: sender) { service in
            let before = try await service.call("GET", "/healthz", auth: "")
            #expect(before.json["warnings"] == [] && before.json["status"] == "ok")
            var warnings: JSONValue?
            for _ in 0..<100 where warnings?.arrayValue?.isEmpty != false {
                // The watch goes to sleep in its own time; each hour wakes it once.
                service.clock.advance(by: .seconds(3600))
                let answer = try await service.call("GET", "/healthz", auth: "")
                #expect(answer.json["status"] == "ok")
                warnings = answer.json["warnings"]
            }
            let warning = try #require(warnings?.arrayValue?.first)
            #expect(warning["app"] == "com.example.chime (production)" && warning["advice"] == "renew it")
            #expect(warning["ends"] == .string(end.description))
            let metrics = try await service.call("GET", "/metrics", auth: "")
            let text = String(decoding: metrics.data, as: UTF8.self)
            #expect(text.contains("\ncarillon_ending_credentials 1\n"))
            let left = (end - service.clock.now).components.seconds
            let labels = #"{app="com.example.chime",environment="production"}"#
            #expect(text.contains("\ncarillon_credential_left_seconds\(labels) \(left)\n"))
        }
    }

    @Test("an ending certificate is logged once a day, also if the wall clock is set back meanwhile")
    func daily() async throws {
        let log = LineCounter()
        let sender = RecordingSender()
        sender.certificateEnds(noon + .seconds(86_400))
        try await RunningService.run(sender: sender, logger: Logger(label: "test") { _ in log }) { service in
            while log.count == 0 { await Task.yield() }
            service.clock.set(to: noon - .seconds(20 * 3600))
            // The watch goes to sleep in its own time, after a transaction.
            for _ in 0..<10_000 where log.count == 1 {
                service.clock.advance(by: ServiceLimits.credentialInterval)
                for _ in 0..<100 where log.count == 1 { await Task.yield() }
            }
            #expect(log.count == 2)
            #expect(service.clock.uptime >= ServiceLimits.credentialReminder)
        }
    }

    /// Counts the lines about certificates that end.
    private final class LineCounter: LogHandler {
        private let lines = Mutex(0)
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        var logLevel: Logger.Level {
            get { .warning }
            set {}
        }
        var count: Int { lines.withLock { $0 } }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }

        func log(event: LogEvent) {
            if "\(event.message)".contains("certificate ends soon") { lines.withLock { $0 += 1 } }
        }
    }

    @Test("the certificate of an app that is removed is said no more within seconds")
    func removedApp() async throws {
        let sender = RecordingSender()
        sender.certificateEnds(noon + .seconds(86_400))
        try await RunningService.run(sender: sender) { service in
            @Sendable func warnings() async throws -> Int? {
                try await service.call("GET", "/healthz", auth: "").json["warnings"]?.arrayValue?.count
            }
            while try await warnings() != 1 {}
            sender.removeApps([topic])
            // Before the hour in which all certificates are read again.
            for _ in 0..<100 where try await warnings() == 1 {
                service.clock.advance(by: ServiceLimits.changedCredentialInterval)
            }
            #expect(try await warnings() == 0)
        }
    }
}
