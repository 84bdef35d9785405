import CarillonCore
import Foundation

/// The rules by which a message in local time reaches each device at its own moment; docs/local-time.md explains them.
///
/// The store keeps it as JSON, so the names of its properties and cases must never change.
package struct LocalSchedule: Sendable, Hashable, Codable {
    /// The time that the clock of a device shows when the message is due there.
    package var time: LocalTime
    /// The time zone that counts for a device whose own is not known; `nil` if such a device is skipped.
    package var fallback: String?
    /// Whether a device is skipped if its moment was past when the message was accepted; otherwise it gets the message at once.
    package var skipsPassed: Bool
    /// The time at which the service received the request.
    package var received: Timestamp
    /// Whether the message counts as unread in the inboxes of its users, from their devices' moments on.
    package var countsAsUnread = false

    package init(time: LocalTime, fallback: String?, skipsPassed: Bool, received: Timestamp) {
        (self.time, self.fallback, self.skipsPassed, self.received) = (time, fallback, skipsPassed, received)
    }

    /// The time zone that counts for a device whose own is not known, unless the backend names another.
    package static let defaultZone = "UTC"

    /// The last moment at which the message becomes due for a device.
    package var latest: Timestamp { max(time.latest, received) }

    /// Returns when the message is due for a device, or why the device is skipped.
    ///
    /// - Parameter zone: the device's time zone, such as `Europe/Berlin`; `nil` if it is not known.
    /// - Returns: the device's turn.
    package func turn(in zone: String?) -> LocalTurn {
        guard let name = countingZone(for: zone), let moment = moment(in: name) else {
            return .skipped("skipped: the device's time zone is not known")
        }
        guard moment < received else { return .due(moment) }
        guard skipsPassed else { return .due(received) }
        return .skipped("skipped: \(time) had passed in \(name) when the message was accepted")
    }

    /// Returns the moment at which the clocks of a zone show the message's time; `nil` if the zone is not known.
    package func moment(in zone: String) -> Timestamp? {
        guard let zone = TimeZone(identifier: zone) else { return nil }
        return time.moment { zone.secondsFromGMT(for: $0.date) }
    }

    /// Returns what a device waits for, in words: `until 2026-12-24T09:00 in Asia/Tokyo`.
    ///
    /// - Parameters:
    ///   - zone: the device's present time zone; `nil` if it is not known.
    ///   - due: the moment at which the message is due for the device.
    /// - Returns: the words; they name no zone if its clocks do not lead to this moment.
    package func words(for zone: String?, due: Timestamp) -> String {
        guard let name = countingZone(for: zone), moment(in: name) == due else { return "until \(due)" }
        return "until \(time) in \(name), which is \(due)"
    }

    /// Returns the zone that counts for a device: its own if this program knows it, or else ``fallback``.
    private func countingZone(for zone: String?) -> String? {
        if let zone, Self.isKnown(zone) { return zone }
        return fallback
    }

    /// Returns whether this program knows a time zone by this name, one of the
    /// [IANA database](https://www.iana.org/time-zones).
    package static func isKnown(_ zone: String) -> Bool { TimeZone(identifier: zone) != nil }

    /// The names of all time zones that this program knows.
    package static var zones: [String] { TimeZone.knownTimeZoneIdentifiers }
}

/// The turn of one device in a message in local time.
package enum LocalTurn: Sendable, Hashable {
    /// The message is due for the device from this time on.
    case due(Timestamp)
    /// The device does not get the message; the text is the reason, which the timeline shows.
    case skipped(String)
}

/// The turns of a message's devices by time zone, each computed once.
///
/// Very many devices have few zones, and the arithmetic of a zone costs more than all else that is done for a device.
struct LocalMoments {
    let schedule: LocalSchedule
    private var known: [String?: LocalTurn] = [:]

    init(_ schedule: LocalSchedule) { self.schedule = schedule }

    /// Returns the turn of a device in a time zone; `nil` means that the zone is not known.
    mutating func turn(in zone: String?) -> LocalTurn {
        if let turn = known[zone] { return turn }
        let turn = schedule.turn(in: zone)
        known[zone] = turn
        return turn
    }
}
