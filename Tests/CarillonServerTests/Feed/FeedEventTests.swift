import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("An event of a feed")
struct FeedEventTests {
    private static let full = FeedDetails(
        purpose: .removal, revision: 2, attempt: 3, reason: "Unregistered", status: 410, apnsID: "a-b",
        detail: "é\u{2028}\"/\\\n", reply: "on my way 🚲", liveActivity: "order-7", timestamp: 1_800_000_000)
    private static let facts = [
        FeedFacts(at: noon, message: MessageID(test: "m"), device: "d/1 \"ü\"", details: full),
        FeedFacts(at: noon),
    ]

    @Test("is a JSON object with the members that it has, and no others")
    func json() throws {
        let event = FeedEvent(id: "7-1", type: .pushRejected, user: "ü\n", facts: Self.facts[0].json)
        let details: JSONValue = [
            "purpose": "removal", "revision": 2, "attempt": 3, "reason": "Unregistered", "status": 410,
            "apns_id": "a-b",
            "detail": "é\u{2028}\"/\\\n", "reply": "on my way 🚲", "live_activity": "order-7",
            "timestamp": 1_800_000_000,
        ]
        let expected: JSONValue = [
            "id": "7-1", "type": "push.rejected", "user": "ü\n", "at": .string(noon.description), "message": "m",
            "device": "d/1 \"ü\"", "details": details,
        ]
        #expect(try JSONValue(parsing: event.json) == expected)
        let least = FeedEvent(id: "9-1", type: .webhookTest, facts: Self.facts[1].json)
        #expect(
            try JSONValue(parsing: least.json) == [
                "id": "9-1", "type": "webhook.test", "at": .string(noon.description),
            ])
        let both = try JSONValue(parsing: FeedEvent.json(of: [event, least])).arrayValue
        #expect(both?.count == 2)
        #expect(FeedEvent.json(of: []) == "[]")
    }

    @Test("reads its details as they were written")
    func read() throws {
        #expect(try FeedDetails(JSONValue(parsing: Self.full.json)) == Self.full)
        #expect(try FeedDetails(JSONValue(parsing: FeedDetails().json)) == FeedDetails())
    }

    @Test("has no details that a later version has written under a name that this one does not know")
    func unknown() {
        #expect(FeedDetails(["purpose": "telepathy"]) == nil)
        #expect(FeedDetails([1]) == nil)
        #expect(FeedDetails(["mood": "good", "status": 200]) == FeedDetails(status: 200))
    }

    @Test("is a line among others of its row, and one of a later version's type is left out", arguments: facts)
    func line(_ facts: FeedFacts) throws {
        let line = FeedLine(type: .pushSent, user: 12, facts: facts.json)
        let lines = FeedLine.lines(of: "\(line.text)\nmoon.landed 0 {}\n\(line.text)")
        #expect(lines.map { FeedLine($0) } == [line, nil, line])
    }
}

@Suite("The rows of a feed")
struct FeedRowTests {
    private static func event(_ number: Int, _ kind: TimelineEventKind = .accepted, reply: String? = nil) -> FeedNote {
        .timeline(
            TimelineEvent(
                message: MessageID(test: "m\(number)"), device: "d\(number % 3)", event: kind, at: noon, revision: 1,
                reply: reply), message: Int64(number))
    }

    @Test("have many events each, in their order; what a person chose or typed has a row of its own")
    func rows() {
        let count = FeedRow.mostEvents + 1
        var notes = (0..<count).map { Self.event($0) }
        notes.insert(Self.event(count, .acted, reply: "Yes"), at: 2)
        let rows = FeedRow.rows(of: notes, at: noon, users: ["d0": "u", "d1": "v"], numbers: ["u": 7])
        let sizes = rows.map { row in
            switch row {
            case .events(let lines): lines.count
            case .personal: -1
            case .broadcast: 0
            }
        }
        #expect(sizes == [2, -1, count - 2])
        guard case .events(let lines) = rows.last, case .personal(.messageActed, let facts, let user) = rows[1] else {
            Issue.record("other rows: \(rows)")
            return
        }
        #expect(facts.details.reply == "Yes" && user == ((count % 3) == 0 ? "u" : count % 3 == 1 ? "v" : nil))
        // d2 has no user, and the user v no number.
        #expect(lines.map(\.user) == (2..<count).map { $0 % 3 == 0 ? 7 : nil })
        let more = FeedRow.rows(of: (0..<(2 * count)).map { Self.event($0) }, at: noon, users: [:], numbers: [:])
        #expect(more.count == 3)
    }

    /// A reader that is asked for pages of any size gets what a reader of one page gets.
    @Test("are read once and without a gap, whatever a page's size and end", arguments: 0..<40)
    func pages(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rows: [(number: Int64, entries: [FeedReader.Entry?])] = (0..<12).map { row in
            let count = Int.random(in: 0...6, using: &random)
            let entries = (0..<count).map { _ -> FeedReader.Entry? in
                guard Bool.random(using: &random) else { return nil }
                let user: FeedReader.User? = Bool.random(using: &random) ? .numbered(Int64(row)) : nil
                return FeedReader.Entry(type: .pushSent, user: user, facts: "{}")
            }
            return (number: Int64(row * 3 + 1), entries: entries)
        }
        func read(limit: Int, upTo end: FeedPosition?) -> [String] {
            var (ids, position): ([String], FeedPosition) = ([], FeedPosition(number: 0))
            while true {
                var reader = FeedReader(start: position, end: end, limit: limit)
                let next = rows.filter { $0.number >= position.number && $0.number <= end?.number ?? .max }
                let isWhole = next.allSatisfy { reader.take(from: $0.number, $0.entries) }
                #expect(reader.page.events.count <= limit)
                #expect(Set(reader.users.keys).isSubset(of: reader.page.events.indices))
                ids += reader.page.events.map(\.id)
                #expect(reader.page.next > position || isWhole, "seed \(seed)")
                position = reader.page.next
                if isWhole || position == end { return ids }
            }
        }
        let all = read(limit: 1000, upTo: nil)
        let expected = rows.flatMap { row in
            row.entries.enumerated().compactMap { $1 == nil ? nil : "\(row.number)-\($0 + 1)" }
        }
        #expect(all == expected)
        for limit in 1...5 { #expect(read(limit: limit, upTo: nil) == all, "seed \(seed), limit \(limit)") }
        let row = rows[Int.random(in: 0..<rows.count, using: &random)]
        let end = FeedPosition(number: row.number, place: Int.random(in: 0...row.entries.count, using: &random))
        for limit in [1, 3, 1000] {
            let before = all.filter { FeedPosition($0).map { $0 <= end } ?? false }
            #expect(read(limit: limit, upTo: end) == before, "seed \(seed), end \(end), limit \(limit)")
        }
    }
}
