import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

/// The tests' present, ``noon``, is 2027-01-15T08:00:00Z.
@Suite("A message in local time", .serialized)
struct StoreLocalTimeTests {
    private static let nine = "2027-01-16T09:00"
    private static let zones = [
        "Asia/Tokyo", "Europe/Berlin", "America/Sao_Paulo", nil, "Asia/Kathmandu", "Asia/Tokyo",
    ]
    /// It is nine in Kiritimati, where it is nine first.
    private static let start = moment("2027-01-15T19:00:00Z")
    private static let tokyo = moment("2027-01-16T00:00:00Z")
    private static let kathmandu = moment("2027-01-16T03:15:00Z")
    private static let berlin = moment("2027-01-16T08:00:00Z")
    private static let utc = moment("2027-01-16T09:00:00Z")
    private static let saoPaulo = moment("2027-01-16T12:00:00Z")

    @Test("reaches each device when it is nine there, and tells for what it waits", arguments: LocalCase.all)
    func reaches(_ here: LocalCase) async throws {
        let store = try await here.store(Self.zones)
        guard case .accepted(let answer) = try await store.accept(try localMessage(Self.nine), at: noon) else {
            Issue.record("not accepted")
            return
        }
        #expect(answer.state == .scheduled)
        #expect(try await store.nextDue(except: []) == Self.start)
        #expect(try await store.sendShown(at: Self.start - .milliseconds(1)).isEmpty)
        #expect(try await store.localReport(at: Self.start - .milliseconds(1)).state == .scheduled)
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        var report = try await store.localReport(at: Self.start)
        #expect(report.state == .accepted && report.counts.devices == 6 && report.counts.queued == 6)
        #expect(report.localTime?.local.description == Self.nine && report.localTime?.fallback == "UTC")
        #expect(
            report.localTime?.waits.map(\.at) == [Self.tokyo, Self.kathmandu, Self.berlin, Self.utc, Self.saoPaulo])
        #expect(report.localTime?.waits.map(\.devices) == [2, 1, 1, 1, 1])
        #expect(report.localTime?.waits.map(\.offset) == ["+09:00", "+05:45", "+01:00", "+00:00", "-03:00"])
        #expect(here.form == .rows || report.progress?.finishesAt == Self.saoPaulo)
        let timeline = try await store.timeline(MessageID(test: "m"), after: nil, limit: 100, at: Self.start)
        let waiting = timeline?.devices.first { $0.device == "d0" }?.waiting
        #expect(waiting == "until 2027-01-16T09:00 in Asia/Tokyo, which is 2027-01-16T00:00:00.000Z")
        for (due, devices) in [
            (Self.tokyo, ["d0", "d5"]), (Self.kathmandu, ["d4"]), (Self.berlin, ["d1"]), (Self.utc, ["d3"]),
            (Self.saoPaulo, ["d2"]),
        ] {
            #expect(try await store.nextDue(except: []) == due)
            #expect(try await store.sendShown(at: due - .milliseconds(1)).isEmpty)
            #expect(try await store.sendShown(at: due) == devices)
        }
        report = try await store.localReport(at: Self.saoPaulo)
        #expect(report.state == .sent && report.counts.accepted == 6 && report.localTime?.waits == [])
        #expect(try await store.nextDue(except: []) == nil)
    }

    @Test("a device where it was past nine gets it at once, or is skipped and counted", arguments: LocalCase.all)
    func passed(_ here: LocalCase) async throws {
        let store = try await here.store(Self.zones)
        // It is nine in Berlin, and past nine in Tokyo and Kathmandu.
        for (id, skips) in [("m", true), ("all", false)] {
            let new = try localMessage(Self.nine, id, skipsPassed: skips, received: Self.berlin)
            _ = try await store.accept(new, at: Self.berlin)
        }
        let pushes = try await store.claimShown(at: Self.berlin)
        func devices(_ id: String) -> [String] {
            pushes.filter { $0.message?.id.rawValue == id }.map(\.device).sorted()
        }
        #expect(devices("m") == ["d1"] && devices("all") == ["d0", "d1", "d4", "d5"])
        try await store.settle(pushes.map { $0.settled(at: Self.berlin) }, at: Self.berlin)
        let report = try await store.localReport(at: Self.berlin)
        #expect(report.counts.devices == 6 && report.counts.skipped == 3 && report.counts.queued == 2)
        #expect(report.localTime?.passed == "skip")
        let group = MessageReference(MessageID(test: "m"), of: chime.number)
        let skipped = try await store.recipients(of: group, in: .skipped)
        #expect(skipped.map(\.device).sorted() == ["d0", "d4", "d5"] && skipped.allSatisfy { $0.state == .skipped })
        let timeline = try await store.timeline(MessageID(test: "m"), after: nil, limit: 100, at: Self.berlin)
        let first = try #require(timeline?.devices.first { $0.device == "d0" })
        #expect(first.events.map(\.event) == [.queued, .cancelled] && first.waiting == nil)
        #expect(first.events.last?.detail?.contains("had passed in Asia/Tokyo") == true)
        #expect(try await store.sendShown(at: Self.utc) == ["d3", "d3"])
        #expect(try await store.sendShown(at: Self.saoPaulo) == ["d2", "d2"])
        #expect(try await store.localReport(at: Self.saoPaulo).state == .sent)
    }

    @Test("a device whose zone is not known has the fallback's, or is skipped and counted", arguments: LocalCase.all)
    func unknown(_ here: LocalCase) async throws {
        let store = try await here.store([nil, "Mars/Phobos", "Asia/Tokyo"])
        _ = try await store.accept(try localMessage(Self.nine, fallback: "Europe/Berlin"), at: noon)
        _ = try await store.accept(try localMessage(Self.nine, "skip", fallback: nil), at: noon)
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        let report = try #require(try await store.report(MessageID(test: "skip"), at: Self.start))
        #expect(report.counts.skipped == 2 && report.counts.queued == 1 && report.localTime?.fallback == "skip")
        #expect(try await store.sendShown(at: Self.tokyo) == ["d2", "d2"])
        #expect(try await store.sendShown(at: Self.berlin) == ["d0", "d1"])
    }

    @Test("recipients and their zones are those of when sending starts", arguments: LocalCase.all)
    func decidedAtStart(_ here: LocalCase) async throws {
        let store = try await here.store(["Asia/Tokyo", "Asia/Tokyo"])
        _ = try await store.accept(try localMessage(Self.nine), at: noon)
        try await store.move("d1", to: "Europe/Berlin", at: noon + .seconds(60))
        var new = device("new", user: "new")
        new.facts.timeZone = "Europe/Berlin"
        try await store.enrol([new], at: noon + .seconds(60))
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        new = device("late", user: "late")
        try await store.enrol([new], at: Self.start + .seconds(1))
        #expect(try await store.sendShown(at: Self.tokyo) == ["d0"])
        #expect(try await store.sendShown(at: Self.berlin) == ["d1", "new"])
        #expect(try await store.localReport(at: Self.berlin).state == .sent)
    }

    @Test("a device that moves while it waits has the moment of its new zone", arguments: LocalCase.all)
    func moves(_ here: LocalCase) async throws {
        let store = try await here.store(["Asia/Tokyo", "America/Sao_Paulo", "America/Sao_Paulo", "Asia/Tokyo", nil])
        _ = try await store.accept(try localMessage(Self.nine), at: noon)
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        // To the west, to the east, to where it is past nine, and to where it is nine at the former moment.
        try await store.move("d0", to: "America/Sao_Paulo", at: Self.start + .seconds(1))
        try await store.move("d1", to: "Europe/Berlin", at: Self.start + .seconds(1))
        try await store.move("d3", to: "Asia/Seoul", at: Self.start + .seconds(1))
        #expect(try await store.nextDue(except: []) == Self.tokyo)
        #expect(try await store.sendShown(at: Self.tokyo) == ["d3"])
        let later = Self.kathmandu + .seconds(1)
        try await store.move("d2", to: "Asia/Kathmandu", at: later)
        try await store.move("d4", to: "Mars/Phobos", at: later)
        #expect(try await store.sendShown(at: later) == ["d2"], "it is past nine there")
        #expect(try await store.nextDue(except: []) == Self.berlin)
        #expect(try await store.sendShown(at: Self.berlin) == ["d1"])
        // Who has got it does not get it again.
        try await store.move("d1", to: "America/Sao_Paulo", at: Self.berlin + .seconds(1))
        #expect(try await store.sendShown(at: Self.utc) == ["d4"])
        #expect(try await store.sendShown(at: Self.saoPaulo) == ["d0"])
        let report = try await store.localReport(at: Self.saoPaulo)
        #expect(report.state == .sent && report.counts.accepted == 5 && report.counts.secondSends == 0)
    }

    @Test("paused, it waits beyond a device's moment; resumed, it goes on", arguments: LocalCase.all)
    func paused(_ here: LocalCase) async throws {
        let store = try await here.store(Self.zones)
        _ = try await store.accept(try localMessage(Self.nine), at: noon)
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        try await store.steerLocal(.pause, at: Self.start + .seconds(1))
        #expect(try await store.sendShown(at: Self.berlin).isEmpty)
        #expect(try await store.localReport(at: Self.berlin).state == .paused)
        try await store.move("d2", to: "Europe/Berlin", at: Self.berlin)
        try await store.steerLocal(.resume, at: Self.berlin + .seconds(1))
        #expect(try await store.sendShown(at: Self.berlin + .seconds(1)) == ["d0", "d1", "d2", "d4", "d5"])
        #expect(try await store.nextDue(except: []) == Self.utc)
        #expect(try await store.sendShown(at: Self.utc) == ["d3"])
        #expect(try await store.localReport(at: Self.utc).state == .sent)
    }

    @Test("cancelled or recalled, it reaches nobody else", arguments: LocalCase.all)
    func stopped(_ here: LocalCase) async throws {
        for isRecall in [false, true] {
            let store = try await here.store(Self.zones)
            _ = try await store.accept(try localMessage(Self.nine), at: noon)
            #expect(try await store.sendShown(at: Self.start).isEmpty)
            #expect(try await store.sendShown(at: Self.tokyo) == ["d0", "d5"])
            if isRecall {
                _ = try await store.recall(MessageID(test: "m"), at: Self.tokyo)
            } else {
                try await store.steerLocal(.cancel, at: Self.tokyo)
            }
            try await store.move("d2", to: "Europe/Berlin", at: Self.tokyo)
            for due in [Self.tokyo, Self.berlin, Self.saoPaulo] {
                #expect(try await store.sendShown(at: due).isEmpty)
            }
            let report = try await store.localReport(at: Self.saoPaulo)
            #expect(report.state == (isRecall ? .recalled : .cancelled))
            #expect(report.counts.accepted == 2 && report.counts.cancelled == 4 && report.localTime?.waits == [])
        }
    }

    @Test("devices whose moment comes after its end expire", arguments: LocalCase.all)
    func expires(_ here: LocalCase) async throws {
        let store = try await here.store(Self.zones)
        _ = try await store.accept(try localMessage(Self.nine, until: Self.berlin + .seconds(1)), at: noon)
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        #expect(try await store.sendShown(at: Self.berlin) == ["d0", "d1", "d4", "d5"])
        #expect(try await store.sendShown(at: Self.utc).isEmpty)
        #expect(try await store.sendShown(at: Self.saoPaulo).isEmpty)
        let report = try await store.localReport(at: Self.saoPaulo)
        #expect(report.state == .expired && report.counts.accepted == 4 && report.counts.expired == 2)
    }

    @Test("now or never counts from the moment of each device", arguments: LocalCase.all)
    func nowOrNever(_ here: LocalCase) async throws {
        let store = try await here.store(["Asia/Tokyo", "Europe/Berlin", "America/Sao_Paulo"])
        var new = try localMessage(Self.nine)
        new.isNowOrNever = true
        _ = try await store.accept(new, at: noon)
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        #expect(try await store.sendShown(at: Self.tokyo) == ["d0"])
        #expect(try await store.sendShown(at: Self.berlin + .seconds(3600)).isEmpty, "an hour late is never")
        #expect(try await store.sendShown(at: Self.saoPaulo) == ["d2"])
        let counts = try await store.localReport(at: Self.saoPaulo).counts
        #expect(counts.accepted == 2 && counts.expired == 1)
    }

    @Test("an inbox has it from the moment of the user's first device", arguments: LocalCase.all)
    func inboxes(_ here: LocalCase) async throws {
        let store = try await here.store(["Asia/Tokyo", "Europe/Berlin", "America/Sao_Paulo"])
        var second = device("tablet", user: "u2")
        second.facts.timeZone = "Europe/Berlin"
        try await store.enrol([second], at: noon)
        let audience: Audience = here.form == .rows ? .users(["u0", "u1", "u2"]) : .everyone
        _ = try await store.accept(
            try localMessage(Self.nine, to: audience, skipsPassed: true, counts: true, received: noon), at: noon)
        func inboxes(at now: Timestamp) async throws -> [Int] {
            var found: [Int] = []
            for user in ["u0", "u1", "u2"] {
                found.append(try await store.inbox(user: user, before: nil, limit: 10, at: now).count)
            }
            return found
        }
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        #expect(try await inboxes(at: Self.start) == [0, 0, 0])
        let first = try await store.claimShown(at: Self.tokyo)
        #expect(first.map(\.unread) == [1], "the push has the number")
        #expect(try await inboxes(at: Self.tokyo) == [1, 0, 0])
        let more = try await store.claimShown(at: Self.berlin)
        #expect(more.map(\.device).sorted() == ["d1", "tablet"] && more.map(\.unread) == [1, 1])
        #expect(try await inboxes(at: Self.berlin) == [1, 1, 1])
    }

    @Test("a device that moves to where the time has passed has it in the inbox too", arguments: LocalCase.all)
    func movedInbox(_ here: LocalCase) async throws {
        guard here.form == .rows else { return }
        let store = try await here.store(["America/Sao_Paulo"])
        _ = try await store.accept(
            try localMessage(Self.nine, to: .users(["u0"]), counts: true, received: noon), at: noon)
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        let now = Self.tokyo + .seconds(1)
        try await store.move("d0", to: "Asia/Tokyo", at: now)
        #expect(try await store.inbox(user: "u0", before: nil, limit: 10, at: now).count == 1)
        #expect(try await store.claimShown(at: now).map(\.unread) == [1])
    }

    @Test("replaced under way, it reaches at once whoever had it, and the others in time", arguments: LocalCase.all)
    func replaced(_ here: LocalCase) async throws {
        let store = try await here.store(Self.zones)
        _ = try await store.accept(try localMessage(Self.nine), at: noon)
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        #expect(try await store.sendShown(at: Self.tokyo) == ["d0", "d5"])
        let now = Self.tokyo + .seconds(60)
        let tomorrow = try localMessage("2027-01-17T09:00", text: "Tomorrow", received: now)
        #expect(try await store.accept(tomorrow, at: now) == .refused(.alreadySent))
        let corrected = try localMessage(Self.nine, text: "Corrected", received: now)
        guard case .accepted = try await store.accept(corrected, at: now) else {
            Issue.record("not accepted")
            return
        }
        #expect(try await store.sendShown(at: now) == ["d0", "d5"])
        #expect(try await store.sendShown(at: Self.kathmandu) == ["d4"])
        let last = try localMessage(Self.nine, skipsPassed: true, text: "Last", received: Self.berlin)
        _ = try await store.accept(last, at: Self.berlin)
        #expect(try await store.sendShown(at: Self.berlin) == ["d1"])
        let counts = try await store.localReport(at: Self.berlin).counts
        #expect(counts.skipped == 3 && counts.queued == 2 && counts.devices == 6)
        #expect(try await store.sendShown(at: Self.utc) == ["d3"])
        #expect(try await store.sendShown(at: Self.saoPaulo) == ["d2"])
        let removals = try await store.claim(everything(), at: Self.saoPaulo).deliveries
        #expect(removals.isEmpty, "those that were skipped keep what they have")
    }

    @Test("a broadcast that replaces one in local time waits for nothing", arguments: LocalCase.all)
    func replacedByAtOnce(_ here: LocalCase) async throws {
        let store = try await here.store(Self.zones)
        _ = try await store.accept(try localMessage(Self.nine), at: noon)
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        _ = try await store.accept(try message("m", to: .everyone, text: "Now", counts: false), at: Self.start)
        #expect(try await store.sendShown(at: Self.start) == ["d0", "d1", "d2", "d3", "d4", "d5"])
        #expect(try await store.sendShown(at: Self.saoPaulo).isEmpty)
        #expect(try await store.localReport(at: Self.saoPaulo).localTime == nil)
    }

    @Test("a sender that takes over sends nothing twice that is not counted", arguments: LocalCase.all)
    func takenOver(_ here: LocalCase) async throws {
        let store = try await here.store(Self.zones)
        _ = try await store.accept(try localMessage(Self.nine), at: noon)
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        let first = try await store.claimShown(at: Self.tokyo)
        #expect(first.map(\.device).sorted() == ["d0", "d5"])
        try await store.settle(first.prefix(1).map { $0.settled(at: Self.tokyo) }, at: Self.tokyo)
        // The sender is gone. The other finds what may have been sent, and sends it once more, but not who is still ahead.
        let gone = try await store.sender("w")
        while try await !store.release(gone, ifStillAt: nil, limit: 1, at: Self.tokyo + .seconds(60)).isDone {}
        let again = try await store.claimShown(worker: "other", at: Self.tokyo + .seconds(60))
        #expect(again.map(\.device) == first.dropFirst().map(\.device) && again.map(\.attempt) == [2])
        try await store.settle(again.map { $0.settled(at: Self.tokyo) }, at: Self.tokyo + .seconds(60))
        #expect(try await store.nextDue(except: []) == Self.kathmandu)
        #expect(try await store.sendShown(worker: "other", at: Self.kathmandu) == ["d4"])
        #expect(try await store.sendShown(worker: "other", at: Self.saoPaulo) == ["d1", "d2", "d3"])
        let counts = try await store.localReport(at: Self.saoPaulo).counts
        #expect(counts.accepted == 6 && counts.secondSends == 1)
    }

    @Test("named users of a message by ranges have their moments too", arguments: StoreEngine.allCases)
    func namedByRanges(_ engine: StoreEngine) async throws {
        let store = try await LocalCase(engine: engine, form: .ranges).store(Self.zones)
        _ = try await store.accept(try localMessage(Self.nine), at: noon)
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        let named = try localMessage(
            Self.nine, to: .users(["u0", "u1", "u4"]), skipsPassed: true, text: "Named",
            received: Self.tokyo + .seconds(1))
        var replacing = named
        replacing.replacesOtherAudience = true
        _ = try await store.accept(replacing, at: Self.tokyo + .seconds(1))
        #expect(try await store.sendShown(at: Self.tokyo + .seconds(1)).isEmpty)
        #expect(try await store.localReport(at: Self.tokyo + .seconds(1)).counts.skipped == 1)
        #expect(try await store.sendShown(at: Self.kathmandu) == ["d4"])
        #expect(try await store.sendShown(at: Self.berlin) == ["d1"])
        #expect(try await store.localReport(at: Self.berlin).state == .sent)
    }

    @Test("devices of one moment share chunks, each of at most the usual number", arguments: StoreEngine.allCases)
    func chunks(_ engine: StoreEngine) async throws {
        let zones = (0..<24).map { $0 % 2 == 0 ? "Asia/Tokyo" : "Europe/Berlin" }
        let store = try await LocalCase(engine: engine, form: .ranges).store(zones)
        _ = try await store.accept(try localMessage(Self.nine), at: noon)
        #expect(try await store.sendShown(at: Self.start).isEmpty)
        // Two ranges, of 16 devices and of 8, each with devices of both zones.
        let sizes = try await store.read { session in
            try ChunksTable(session).chunks(of: 1).map { $0.chunk[.addressed].count }
        }
        #expect((6...8).contains(sizes.count) && sizes.reduce(0, +) == 24 && sizes.allSatisfy { $0 <= 4 }, "\(sizes)")
        let rows = "SELECT count(*) FROM deliveries WHERE message IS NOT NULL"
        #expect(try await store.read { try $0.integer(rows) } == 0)
        #expect(try await store.sendShown(at: Self.tokyo).count == 12)
    }
}
