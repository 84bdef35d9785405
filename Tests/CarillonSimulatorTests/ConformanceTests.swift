import CarillonCore
import CarillonSimulator
import Testing

/// The table stands in Tests/Senders/conformance, since it is Python that speaks the frames.
@Suite("HTTP/2 conformance: h2spec's generic cases, run with frames made by hand")
struct ConformanceTests {
    @Test("every case of RFC 9113 and RFC 7541 ends as the RFC says, with the error code that it names")
    func table() async throws {
        try await SimulatorFixture.with { fixture in
            let output = try await ForeignProgram.python(
                "conformance/run.py",
                input: [
                    "host": "localhost", "port": .int(Int64(fixture.simulator.port)),
                    "ca": .string(fixture.simulator.caCertificatePEM),
                ])
            let cases = try #require(output.arrayValue)
            // Fewer would mean that a part of the table was not imported.
            #expect(cases.count >= 140)
            for item in cases where item["passed"] != true {
                let (section, title) = (item["section"]?.stringValue ?? "", item["title"]?.stringValue ?? "")
                let (expected, seen) = (item["expected"]?.stringValue ?? "", item["seen"]?.stringValue ?? "")
                Issue.record("\(section) \(title): expected \(expected), saw \(seen)")
            }
        }
    }

    @Test("a sender that broke a rule harms no other: the next one is served")
    func others() async throws {
        try await SimulatorFixture.with { fixture in
            _ = try await FrameSender(fixture: fixture).run([
                // PING of no bytes.
                .awaitSettings, .raw("000000" + "06" + "00" + "00000000"), .awaitClosed,
            ])
            let answers = try await ForeignSender(fixture: fixture).send([.alert(to: fixture.token())])
            #expect(answers.map(\.status) == [200])
        }
    }
}
