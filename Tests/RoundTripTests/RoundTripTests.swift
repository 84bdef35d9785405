import CarillonCore
import Foundation
import TestSupport
import Testing

/// The whole system at once: `carillon demo` runs its scenario against a real service process, real TLS and HTTP/2, a
/// real database, and phones that run Chime. `Sources/CarillonPhones/Demo/DemoScenario.swift` is that scenario.
@Suite("The round trip", .serialized)
struct RoundTripTests {
    @Test("every step of the scenario is observed where it takes effect")
    func story() async throws {
        let run = try await CarillonProgram.run("demo", "--json")
        let steps = try run.lines.map { try JSONValue(parsing: $0) }
        #expect(run.status == 0, "\(run.transcript)")
        #expect(
            steps.map { $0["title"]?.stringValue } == [
                "Two phones of one user allow notifications and register",
                "A message is stored, sent and shown on both phones",
                "A tap launches the app at the news item, and the other phone removes the message",
                "A recall removes the message from both phones, one of which was offline when it was sent",
                "A message that expired while a phone was offline is not shown there, and the timeline says why",
                "A message whose time has passed leaves the screens, also where Chime is not running",
                "The service is killed after it accepted a message and delivers it once after a restart",
            ])
        for step in steps {
            #expect(step["ok"] == true, "\(run.transcript)")
            #expect((step["observed"]?.arrayValue ?? []).count >= 4)
        }
    }

    @Test(
        "what is broken makes the demo fail at the right step, with a sentence that says so",
        arguments: [
            (
                "simulator-stopped", 2,
                ["accepts no connections", "in the timeline, news-1 is still pending for 2 devices"]
            ),
            ("key-corrupted", 2, ["403 InvalidProviderToken"]),
            ("recall-off", 3, ["did not carry out the removal"]),
        ])
    func sabotage(what: String, failingStep: Int, sentences: [String]) async throws {
        let run = try await CarillonProgram.run("demo", "--json", "--sabotage", what)
        let steps = try run.lines.map { try JSONValue(parsing: $0) }
        #expect(run.status == 1)
        #expect(steps.count == failingStep, "\(run.transcript)")
        #expect(steps.dropLast().allSatisfy { $0["ok"] == true }, "\(run.transcript)")
        let failure = try #require(steps.last?["failure"]?.stringValue)
        for sentence in sentences { #expect(failure.contains(sentence), "\(run.transcript)") }
        // A recall that the app ignores is no push that still waits.
        #expect(failure.contains("still pending") == (what != "recall-off"), "\(run.transcript)")
    }
}
