import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

/// The clocks of four zones from 2026 to 2029, written from the zones' laws: by how many seconds they are ahead of UTC.
///
/// Germany's clocks are an hour ahead, and two from the last Sunday of March to that of October, both at 01:00 UTC. Those of
/// Brazil, Nepal and Samoa no longer change.
enum ReferenceClock: String, CaseIterable {
    case berlin = "Europe/Berlin"
    case saoPaulo = "America/Sao_Paulo"
    case kathmandu = "Asia/Kathmandu"
    case apia = "Pacific/Apia"

    /// The changes of Germany's clocks, in seconds since 1970, with the hours by which they are ahead afterwards.
    private static let german: [(Int64, Int)] = [
        (1_774_746_000, 2), (1_792_890_000, 1),  // 2026-03-29, 2026-10-25
        (1_806_195_600, 2), (1_824_944_400, 1),  // 2027-03-28, 2027-10-31
        (1_837_645_200, 2), (1_856_394_000, 1),  // 2028-03-26, 2028-10-29
    ]

    func offset(at moment: Timestamp) -> Int {
        switch self {
        case .berlin: 3600 * (Self.german.last { $0.0 <= moment.secondsSince1970 }?.1 ?? 1)
        case .saoPaulo: -3 * 3600
        case .kathmandu: 5 * 3600 + 45 * 60
        case .apia: 13 * 3600
        }
    }

    /// The first moment at which a clock of the zone shows a time or a later one, found by looking at it every minute.
    ///
    /// - Parameter shown: what the clock shows, in seconds since 1970-01-01T00:00 on that clock.
    func first(showing shown: Int64) -> Timestamp {
        var moment = shown - 15 * 3600
        while moment + Int64(offset(at: Timestamp(secondsSince1970: moment))) < shown { moment += 60 }
        return Timestamp(secondsSince1970: moment)
    }
}

@Suite("A local time")
struct LocalTimeTests {
    private func moment(_ time: String, _ zone: String) throws -> String? {
        let schedule = LocalSchedule(
            time: try #require(LocalTime(time)), fallback: nil, skipsPassed: false, received: noon)
        return schedule.moment(in: zone)?.description
    }

    @Test(
        "is one moment in each zone",
        arguments: [
            ("2026-12-24T09:00", "Asia/Tokyo", "2026-12-24T00:00:00.000Z"),
            ("2026-12-24T09:00", "Europe/Berlin", "2026-12-24T08:00:00.000Z"),
            ("2026-12-24T09:00", "America/Sao_Paulo", "2026-12-24T12:00:00.000Z"),
            ("2026-12-24T09:00", "Asia/Kathmandu", "2026-12-24T03:15:00.000Z"),
            ("2026-12-24T09:00", "Asia/Katmandu", "2026-12-24T03:15:00.000Z"),
            ("2026-12-24T09:00", "Pacific/Apia", "2026-12-23T20:00:00.000Z"),
            ("2026-12-24T09:00", "Etc/GMT+12", "2026-12-24T21:00:00.000Z"),
            ("2026-12-24T09:00", "Pacific/Kiritimati", "2026-12-23T19:00:00.000Z"),
            // It does not exist: the moment of the change, when clocks show 03:00.
            ("2027-03-28T02:30", "Europe/Berlin", "2027-03-28T01:00:00.000Z"),
            ("2027-03-28T02:00", "Europe/Berlin", "2027-03-28T01:00:00.000Z"),
            ("2027-03-28T03:00", "Europe/Berlin", "2027-03-28T01:00:00.000Z"),
            ("2027-03-28T01:59:59", "Europe/Berlin", "2027-03-28T00:59:59.000Z"),
            // It comes twice: the first time.
            ("2027-10-31T02:30", "Europe/Berlin", "2027-10-31T00:30:00.000Z"),
            ("2027-10-31T02:00", "Europe/Berlin", "2027-10-31T00:00:00.000Z"),
            ("2027-10-31T03:00", "Europe/Berlin", "2027-10-31T02:00:00.000Z"),
            // A whole day that Samoa did not have, when it moved over the date line.
            ("2011-12-30T09:00", "Pacific/Apia", "2011-12-30T10:00:00.000Z"),
        ])
    func moments(time: String, zone: String, expected: String) throws {
        #expect(try moment(time, zone) == expected)
    }

    @Test(
        "is a date that exists with a time of day, and nothing else",
        arguments: [
            "2026-02-30T09:00", "2026-13-01T09:00", "2026-12-24T24:00", "2026-12-24T09:60", "2026-12-24T09:00:60",
            "2026-12-24", "09:00", "2026-12-24 09:00", "2026-12-24T09:00Z", "2026-12-24T09:00:00Z",
            "2026-12-24T09:00+01:00", "2026-12-24T9:00", "26-12-24T09:00", "２０２６-12-24T09:00", "", "2027-02-29T09:00",
        ])
    func malformed(text: String) { #expect(LocalTime(text) == nil) }

    @Test("is written as it was given, but without seconds that are none")
    func description() {
        for (given, written) in [
            ("2028-02-29T09:00", "2028-02-29T09:00"), ("2026-12-24T09:00:00", "2026-12-24T09:00"),
            ("2026-12-24T09:00:05", "2026-12-24T09:00:05"),
        ] { #expect(LocalTime(given)?.description == written) }
    }

    private static let seeds = Seeds(fixed: 1...3, drawn: 3, filter: "LocalTimeTests")

    @Test("is the moment that a look at the clock every minute finds", arguments: seeds.all)
    func reference(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        for round in 0..<200 {
            // Half of the times lie about the changes of Germany's clocks, those of 2027 and 2028.
            let changes: [Int64] = [1_806_195_600, 1_824_944_400, 1_837_645_200, 1_856_394_000]
            let change = changes[Int(chance.next() % 4)]
            let shown =
                round % 2 == 0
                ? change + Int64(chance.next() % (30 * 60)) * 60 - 15 * 3600
                : 1_790_000_000 / 60 * 60 + Int64(chance.next() % (2 * 365 * 24 * 60)) * 60
            let text = String(Timestamp(secondsSince1970: shown).description.prefix(16))
            for clock in ReferenceClock.allCases {
                #expect(
                    try moment(text, clock.rawValue) == clock.first(showing: shown).description,
                    "\(text) in \(clock): \(Self.seeds.again(seed))")
            }
        }
    }

    // MARK: Turns

    private func schedule(_ fallback: String?, skipsPassed: Bool = false) throws -> LocalSchedule {
        // Nine o'clock has passed in Tokyo and Berlin, and not in São Paulo.
        let received = try #require(Timestamp(rfc3339: "2026-12-24T10:00:00Z"))
        return LocalSchedule(
            time: try #require(LocalTime("2026-12-24T09:00")), fallback: fallback, skipsPassed: skipsPassed,
            received: received)
    }

    @Test("a device whose zone is not known has that of the fallback, or is skipped")
    func unknownZone() throws {
        let noonOfBrazil = try #require(Timestamp(rfc3339: "2026-12-24T12:00:00Z"))
        for zone in [nil, "", "Mars/Phobos", "europe/berlin"] {
            #expect(try schedule("America/Sao_Paulo").turn(in: zone) == .due(noonOfBrazil))
            guard case .skipped(let why) = try schedule(nil).turn(in: zone) else {
                Issue.record("\(zone ?? "none") is not skipped")
                continue
            }
            #expect(why.contains("not known"))
        }
        #expect(try schedule(nil).turn(in: "America/Sao_Paulo") == .due(noonOfBrazil))
    }

    @Test("a device where the time had passed gets the message at once, or is skipped")
    func passed() throws {
        let sent = try schedule("UTC")
        #expect(sent.turn(in: "Asia/Tokyo") == .due(sent.received))
        #expect(sent.turn(in: nil) == .due(sent.received), "at the fallback too")
        let skipping = try schedule("UTC", skipsPassed: true)
        #expect(
            skipping.turn(in: "Europe/Berlin")
                == .skipped("skipped: 2026-12-24T09:00 had passed in Europe/Berlin when the message was accepted"))
        guard case .due = skipping.turn(in: "America/Sao_Paulo") else {
            Issue.record("skipped where it is ahead")
            return
        }
    }

    @Test("the words for what a device waits name the zone that leads there, or none")
    func words() throws {
        let schedule = try schedule("Europe/Berlin")
        let nine = try #require(schedule.moment(in: "Asia/Tokyo"))
        #expect(
            schedule.words(for: "Asia/Tokyo", due: nine)
                == "until 2026-12-24T09:00 in Asia/Tokyo, which is 2026-12-24T00:00:00.000Z")
        #expect(schedule.words(for: "Asia/Kathmandu", due: nine) == "until 2026-12-24T00:00:00.000Z")
        let german = try #require(schedule.moment(in: "Europe/Berlin"))
        #expect(schedule.words(for: nil, due: german).contains("in Europe/Berlin"))
    }
}
