import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

/// The form in which a message's deliveries are kept.
enum LocalForm: String, CaseIterable, CustomTestStringConvertible {
    case rows, ranges

    var testDescription: String { rawValue }
    /// In ranges, the ranges of a message in local time are 16 devices wide, and chunks have at most 4.
    var rules: RangeRules { self == .rows ? RangeRules() : RangeRules(devices: 1, chunkDevices: 4) }
}

/// An engine and a form.
struct LocalCase: CustomTestStringConvertible {
    var engine: StoreEngine
    var form: LocalForm

    static let all = StoreEngine.allCases.flatMap { engine in
        LocalForm.allCases.map { LocalCase(engine: engine, form: $0) }
    }
    var testDescription: String { "\(engine.rawValue), \(form.rawValue)" }

    /// A store with a device for each zone, `d0` of user `u0` and so on; `nil` is a zone that is not known.
    func store(_ zones: [String?]) async throws -> Store {
        let store = try await engine.make(ranges: form.rules)
        try await store.enrol(
            zones.enumerated().map { number, zone in
                var new = device("d\(number)", user: "u\(number)")
                new.facts.timeZone = zone
                return new
            }, at: noon)
        return store
    }
}

/// A moment of a test.
func moment(_ text: String) -> Timestamp {
    guard let moment = Timestamp(rfc3339: text) else { fatalError("\(text) is no moment") }
    return moment
}

/// A message in local time to everyone, or to an audience.
func localMessage(
    _ time: String, _ id: String = "m", to audience: Audience = .everyone, fallback: String? = "UTC",
    skipsPassed: Bool = false, until: Timestamp? = nil, text: String = "Hello", counts: Bool = false,
    received: Timestamp = noon
) throws -> NewMessage {
    var new = try message(id, to: audience, until: until, text: text, badge: counts, counts: counts)
    var schedule = LocalSchedule(
        time: try #require(LocalTime(time)), fallback: fallback, skipsPassed: skipsPassed, received: received)
    schedule.countsAsUnread = counts
    (new.local, new.sendAt) = (schedule, schedule.time.earliest)
    return new
}

extension Store {
    /// Claims all messages that are due, without settling them.
    func claimShown(worker: String = "w", at now: Timestamp) async throws -> [ClaimedDelivery] {
        var found: [ClaimedDelivery] = []
        while true {
            let claim = try await claim(everything(worker: worker), at: now)
            found += claim.deliveries
            if claim.examined == 0 { return found.filter { $0.purpose == .show || $0.purpose == .fallback } }
        }
    }

    /// Claims and settles all messages that are due, and returns the devices.
    func sendShown(worker: String = "w", at now: Timestamp) async throws -> [String] {
        let pushes = try await claimShown(worker: worker, at: now)
        try await settle(pushes.map { $0.settled(at: now) }, at: now)
        return pushes.map(\.device).sorted()
    }

    /// Changes the time zone of a device.
    func move(_ device: String, to zone: String, at now: Timestamp) async throws {
        _ = try await change(device, DeviceUpdate(facts: ["time_zone": .string(zone)], nonce: "nonce"), at: now)
    }

    /// The report on the message `m`.
    func localReport(at now: Timestamp) async throws -> NotificationReport {
        try #require(try await report(MessageID(test: "m"), at: now))
    }

    func steerLocal(_ change: SendingChange, at now: Timestamp) async throws {
        _ = try await steer(MessageReference(MessageID(test: "m"), of: chime.number), change, at: now)
    }
}
