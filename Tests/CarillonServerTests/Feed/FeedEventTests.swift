import CarillonCore
import Testing

@testable import CarillonServer

@Suite("An event of a feed")
struct FeedEventTests {
    private static let full = FeedDetails(
        purpose: .removal, revision: 2, attempt: 3, reason: "Unregistered", status: 410, apnsID: "a-b",
        detail: "é\u{2028}\"/\\\n",
        reply: "on my way 🚲", liveActivity: "order-7", timestamp: 1_800_000_000)
    private static let events = [
        FeedEvent(
            id: "7-1", type: .pushRejected, at: noon, message: MessageID(test: "m"), device: "d/1", user: "ü",
            details: full),
        FeedEvent(id: "8-1", type: .deviceGone, at: noon, details: FeedDetails()),
        FeedEvent(id: "9-1", type: .webhookTest, at: noon),
    ]

    @Test("is written as its Codable conformance writes it", arguments: events)
    func written(_ event: FeedEvent) throws {
        #expect(try event.json.encoded() == CarillonJSON.encode(event))
    }

    @Test("reads its facts as they were written", arguments: events.compactMap(\.details))
    func read(_ details: FeedDetails) throws {
        #expect(FeedDetails(details.json) == details)
        #expect(try FeedDetails(JSONValue(parsing: details.json.encoded())) == details)
    }

    @Test("has no facts that a later version has written under a name that this one does not know")
    func unknown() {
        #expect(FeedDetails(["purpose": "telepathy"]) == nil)
        #expect(FeedDetails([1]) == nil)
        #expect(FeedDetails(["mood": "good", "status": 200]) == FeedDetails(status: 200))
    }
}
