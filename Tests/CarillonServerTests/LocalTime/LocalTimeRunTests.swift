import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

/// Random runs of a message in local time against the rules of docs/local-time.md, about the changes of Germany's clocks.
@Suite("A message in local time, played at random", .serialized)
struct LocalTimeRunTests {
    private static let seeds = Seeds(fixed: 1...4, drawn: 2, filter: "LocalTimeRunTests")
    private static let runs = LocalCase.all.flatMap { here in seeds.all.map { LocalRun(here: here, seed: $0) } }

    @Test("reaches each device at the moment that the rules say", arguments: runs)
    func run(_ run: LocalRun) async throws {
        var run = run
        try await run.play(Self.seeds)
    }
}

/// One device as the rules see it.
private struct LocalDevice {
    var zone: ReferenceClock?
    /// The moment for which it waits; `nil` before sending has started, and once it has got the message or was skipped.
    var due: Timestamp?
    var isSkipped = false
    var gotAt: Timestamp?
}

/// A run: a message, and what happens to its devices.
struct LocalRun: CustomTestStringConvertible {
    let here: LocalCase
    let seed: UInt64
    private var chance: SeededGenerator
    private var devices: [LocalDevice] = []
    private var now = noon
    private var isPaused = false
    private var hasStarted = false
    private var received = noon
    private var shown: Int64 = 0
    private var fallback: ReferenceClock?
    private var skipsPassed = false

    init(here: LocalCase, seed: UInt64) {
        (self.here, self.seed) = (here, seed)
        chance = SeededGenerator(seed: seed)
    }

    var testDescription: String { "\(here.testDescription), seed \(seed)" }

    private mutating func number(_ bound: Int) -> Int { Int(chance.next() % UInt64(bound)) }
    private mutating func zone() -> ReferenceClock? {
        let all = ReferenceClock.allCases
        let drawn = number(all.count + 1)
        return drawn < all.count ? all[drawn] : nil
    }

    mutating func play(_ seeds: Seeds) async throws {
        let change: Int64 = [1_806_195_600, 1_824_944_400][number(2)]
        shown = change + Int64(number(24 * 60)) * 60 - 12 * 3600
        // Before anybody's moment, among them, or after all.
        received = Timestamp(secondsSince1970: shown - 15 * 3600 + Int64(number(30 * 60)) * 60)
        (fallback, skipsPassed) = (number(3) == 0 ? nil : ReferenceClock.allCases[number(4)], number(2) == 0)
        devices = (0..<12).map { _ in LocalDevice(zone: zone()) }
        let store = try await here.store(devices.map { $0.zone?.rawValue })
        let text = String(Timestamp(secondsSince1970: shown).description.prefix(16))
        let message = try localMessage(
            text, fallback: fallback?.rawValue, skipsPassed: skipsPassed, received: received)
        now = received
        _ = try await store.accept(message, at: now)
        let start = max(Timestamp(secondsSince1970: shown - 14 * 3600), received)
        var others = (0..<14).map { _ in start + .seconds(number(27 * 3600) - 600) }.filter { $0 > received }.sorted()
        let note: Comment =
            "\(text), received \(received), fallback \(fallback?.rawValue ?? "skip"): \(seeds.again(seed))"
        try await step(store, start, note)
        while true {
            let due = try await store.nextDue(except: [])
            guard let next = [others.first, due].compactMap(\.self).min() else { break }
            now = max(now, next)
            if next == others.first {
                others.removeFirst()
                try await happens(store)
            }
            try await step(store, start, note)
        }
        if isPaused {
            (now, isPaused) = (now + .seconds(60), false)
            try await store.steerLocal(.resume, at: now)
            try await step(store, start, note)
            while let due = try await store.nextDue(except: []) {
                now = max(now, due)
                try await step(store, start, note)
            }
        }
        let report = try await store.localReport(at: now)
        #expect(devices.allSatisfy { $0.gotAt != nil || $0.isSkipped }, note)
        #expect(report.state == .sent && report.counts.secondSends == 0, note)
        #expect(report.counts.skipped == devices.count(where: \.isSkipped), note)
        #expect(report.counts.accepted == devices.count { $0.gotAt != nil }, note)
    }

    /// A pause, a resumption, or a device that moves.
    private mutating func happens(_ store: Store) async throws {
        switch number(4) {
        case 0 where hasStarted:
            isPaused.toggle()
            try await store.steerLocal(isPaused ? .pause : .resume, at: now)
            // Nothing is left to be paused where each device has it or is skipped.
            if !devices.contains(where: { $0.due != nil }) { isPaused = false }
        default:
            let index = number(devices.count)
            guard let zone = zone(), zone != devices[index].zone else { return }
            devices[index].zone = zone
            if let due = devices[index].due, due > now { devices[index].due = max(now, zone.first(showing: shown)) }
            try await store.move("d\(index)", to: zone.rawValue, at: now)
        }
    }

    /// Lets a sender take what is due, and compares it with what the rules say.
    private mutating func step(_ store: Store, _ start: Timestamp, _ note: Comment) async throws {
        if now >= start, !hasStarted { begin() }
        let sent = try await store.sendShown(at: now)
        var expected: [String] = []
        for index in devices.indices {
            guard !isPaused, let due = devices[index].due, due <= now else { continue }
            (devices[index].due, devices[index].gotAt) = (nil, now)
            expected.append("d\(index)")
        }
        #expect(sent == expected.sorted(), "at \(now); \(note)")
        let report = try await store.localReport(at: now)
        let waiting = devices.compactMap(\.due).filter { $0 > now }
        let told = Dictionary(uniqueKeysWithValues: (report.localTime?.waits ?? []).map { ($0.at, $0.devices) })
        #expect(told == Dictionary(grouping: waiting) { $0 }.mapValues(\.count), "at \(now); \(note)")
        // The next due time is never late: nobody waits for a moment before it.
        let next = try await store.nextDue(except: [])
        if !isPaused, let first = waiting.min() { #expect(next == first, "at \(now); \(note)") }
    }

    /// Sending starts: zones count from now.
    private mutating func begin() {
        hasStarted = true
        for index in devices.indices {
            guard let zone = devices[index].zone ?? fallback else {
                devices[index].isSkipped = true
                continue
            }
            let first = zone.first(showing: shown)
            devices[index].isSkipped = skipsPassed && first < received
            devices[index].due = devices[index].isSkipped ? nil : max(first, now)
        }
    }
}
