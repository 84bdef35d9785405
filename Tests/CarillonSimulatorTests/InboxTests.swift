import CarillonCore
import CarillonPage
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import CarillonSimulator

@Suite("The inbox: requests as a person reads them")
struct InboxTests {
    private func run(_ fixture: SimulatorFixture, _ steps: [JSONValue]) async throws -> [JSONValue] {
        let url = try #require(fixture.simulator.adminURL)
        return try await ForeignProgram.python("admin.py", input: ["url": .string(url), "steps": .array(steps)])
            .arrayValue ?? []
    }

    private func get(_ fixture: SimulatorFixture, _ paths: String..., headers: JSONValue = [:]) async throws
        -> [JSONValue]
    {
        try await run(
            fixture, paths.map { ["method": "GET", "path": .string($0), "headers": headers] })
    }

    @Test("a page has the newest requests first, by outcome and by text, and says where the older ones begin")
    func pages() async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let token = fixture.token()
            let lost = fixture.token(device: "lost")
            fixture.simulator.faults.script([.loseRequest], for: lost)
            fixture.simulator.faults.script([.reject(.tooManyRequests)], for: token)
            let sender = ForeignSender(fixture: fixture)
            _ = try await sender.send([
                .alert(to: token), .alert(to: token, body: #"{"aps":{"alert":{"title":"Bells","body":"Caf\u00e9"}}}"#),
                .alert(to: token, replacing: ["apns-topic": nil]),
            ])
            let answers = try await get(
                fixture, "/pushes", "/pushes?limit=2", "/pushes?outcome=accepted", "/pushes?search=BELLS",
                "/pushes?search=Caf%C3%A9", "/pushes?search=missingtopic", "/pushes?search=\(token.hex)",
                "/pushes?search=nowhere&outcome=refused")
            let names = answers.map { answer in
                answer["body"]?["pushes"]?.arrayValue?.map { $0["reason"]?.stringValue ?? $0["title"]?.stringValue }
            }
            #expect(names[0] == ["MissingTopic", "Bells", "TooManyRequests"])
            #expect(names[1] == ["MissingTopic", "Bells"] && names[2] == ["Bells"] && names[3] == ["Bells"])
            #expect(names[4] == ["Bells"], "a letter is found however the payload spells it")
            #expect(names[5] == ["MissingTopic"] && names[6]?.count == 3 && names[7] == [])
            let older = try #require(answers[1]["body"]?["older"]?.intValue)
            let next = try await get(fixture, "/pushes?before=\(older)")
            #expect(next[0]["body"]?["pushes"]?.arrayValue?.count == 1 && next[0]["body"]?["older"] == .null)
        }
    }

    @Test("a request has the credential's claims without its signature, Apple's answer, the reason and the remedy")
    func refused() async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let token = fixture.token()
            fixture.simulator.devices.invalidate(token.data)
            _ = try await ForeignSender(fixture: fixture).send([.alert(to: token)])
            let list = try await get(fixture, "/pushes")
            let number = try #require(list[0]["body"]?["pushes"]?.arrayValue?.first?["number"]?.intValue)
            let push = try #require(try await get(fixture, "/pushes/\(number)").first?["body"])
            #expect(push["credential"]?["kind"] == "token")
            #expect(push["credential"]?["header"]?["kid"]?.stringValue == fixture.simulator.keyID)
            #expect(push["credential"]?["claims"]?["iss"]?.stringValue == fixture.simulator.teamID)
            #expect(push["credential"]?.members?.keys.sorted() == ["claims", "header", "kind"], "no signature")
            let answer = try #require(push["answer"])
            #expect(answer["status"] == 410 && answer["reason"] == "Unregistered")
            #expect(answer["body"]?.stringValue?.hasPrefix(#"{"reason":"Unregistered","timestamp":"#) == true)
            #expect(answer["detail"] == "the app is no longer on the device")
            #expect(answer["remedy"]?.stringValue?.hasPrefix("Stop sending to this token") == true)
            #expect(push["phone"]?["text"]?["body"] == "Hello")
        }
    }

    @Test("an accepted push tells what a phone does with each key, and what became of it")
    func accepted() async throws {
        try await SimulatorFixture.with({
            $0.adminPort = 0
            $0.doors = [.anyToken]
        }) { fixture in
            let token = fixture.token()
            let unknown = try #require(DeviceToken(hex: "00ff00ff"))
            _ = try await ForeignSender(fixture: fixture).send([
                .alert(to: token, body: #"{"aps":{"alert":"Hi","badge":"3"}}"#), .alert(to: unknown),
            ])
            fixture.simulator.devices.connect(device: "phone") { _ in }
            let list = try await get(fixture, "/pushes")
            let numbers = list[0]["body"]?["pushes"]?.arrayValue?.compactMap { $0["number"]?.intValue } ?? []
            try #require(numbers.count == 2)
            let pushes = try await get(fixture, "/pushes/\(numbers[1])", "/pushes/\(numbers[0])").map { $0["body"] }
            let lines = pushes[0]?["phone"]?["lines"]?.arrayValue ?? []
            #expect(lines.contains { $0["key"] == "aps.badge" && $0["severity"] == "warning" }, "\(lines)")
            let events = pushes[0]?["events"]?.arrayValue?.compactMap { $0["device"] } ?? []
            #expect(events.map { $0["stored"] } == ["offline", nil] && events.last?["delivered"] == true, "\(events)")
            let note = pushes[1]?["notes"]?.arrayValue?.first?.stringValue
            #expect(note?.contains("any-token: Apple's servers answer 400 BadDeviceToken") == true, "\(note ?? "")")
        }
    }

    @Test(
        "a mistake in a query is told",
        arguments: [
            ("/pushes?before=0", 400, "before is the number of a request"),
            ("/pushes?limit=501", 400, "limit is a number from 1 to 500"),
            ("/pushes?outcome=lost", 400, "outcome is accepted, refused, failed"),
            ("/pushes?serach=x", 400, "did you mean search?"),
            ("/pushes?search=\(String(repeating: "x", count: 201))", 400, "search has more than 200 bytes"),
            ("/pushes/7", 404, "the journal has no request 7"), ("/pushes/x", 404, "no request x"),
            ("/pushes/-1", 404, "no request -1"),
        ])
    func mistakes(_ path: String, _ status: Int, _ detail: String) async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let answer = try #require(try await get(fixture, path).first)
            #expect(answer["status"]?.intValue == status, "\(answer)")
            #expect(answer["body"]?["detail"]?.stringValue?.contains(detail) == true, "\(answer)")
        }
    }

    @Test("the page comes to a browser at / and at /inbox, with a strict policy, and to no other site")
    func page() async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let asBrowser: JSONValue = ["Accept": "text/html,application/xhtml+xml"]
            let answers = try await get(fixture, "/", headers: asBrowser)
            let further = try await get(fixture, "/inbox", "/page.js", "/page.css", "/icon.svg", "/", "/main.js")
            #expect(answers[0]["body"]?.stringValue?.contains("<title>APNs inbox</title>") == true)
            #expect(further.map { $0["status"]?.intValue } == [200, 200, 200, 200, 200, 404])
            #expect(further[4]["body"]?["team_id"] != nil, "a program gets the description")
            let foreign = try await get(fixture, "/inbox", headers: ["Host": "evil.example"])
            #expect(foreign[0]["status"] == 403)
        }
        let page = PageSource(
            Dictionary(uniqueKeysWithValues: InboxFiles.sources.map { ($0.name, Data($0.bytes)) }))
        #expect(page.loadedNames == Set(page.files.keys))
        #expect(page.forbiddenSource == [])
        var expected = try PageSource(folder: "Sources/CarillonSimulator/Inbox/Web").files
        expected.merge(try PageSource(folder: "Sources/CarillonPage/Web").files) { first, _ in first }
        #expect(page.files == expected)
    }

    @Test("each reason has a meaning of its own and a remedy")
    func words() {
        let reasons = RejectionReason.allCases
        #expect(Set(reasons.map(\.meaning)).count == reasons.count)
        #expect(reasons.allSatisfy { $0.meaning.hasSuffix(".") && $0.remedy.hasSuffix(".") })
    }

    @Test("of a hundred thousand pushes a page looks at few, and the cursor leads through all of them")
    func hundredThousand() throws {
        let journal = Journal(limit: 150_000)
        let now = SimulatorFixture.start
        for number in 1...100_000 {
            let record = RequestRecord(
                connection: 1, method: "POST", path: "/3/device/", deviceToken: nil, headers: [], credential: .none,
                payload: Data(#"{"aps":{"alert":"number \#(number)"}}"#.utf8), apnsID: "", decision: .accepted,
                notes: [])
            journal.append(.request(record), at: now)
        }
        let inbox = Inbox(journal)
        var query = try InboxQuery(#require(Self.request("/pushes")))
        let first = inbox.page(query)
        #expect(first.events.map(\.number) == Array((99_901...100_000).reversed()) && first.scannedCount == 100)
        query = try InboxQuery(#require(Self.request("/pushes?search=number%2017%22")))
        var (found, calls) = ([Int](), 0)
        repeat {
            let page = inbox.page(query)
            #expect(page.scannedCount <= SimulatorLimits.inboxScan, "one page holds up nobody for long")
            found += page.events.map(\.number)
            query.before = page.older
            calls += 1
        } while query.before != nil && calls < 10
        #expect(found == [17] && calls == 5)
    }

    private static func request(_ uri: String) -> AdminRequest? {
        AdminRequest(.init(version: .http1_1, method: .GET, uri: uri), body: Data())
    }
}
