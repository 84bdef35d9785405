import CarillonCore

/// The member `send_at` of a message's request: a moment, or a local time.
struct SendTime {
    /// The moment at which sending starts: in local time, when the local time comes first, of all places.
    var start: Timestamp
    /// The rules of a message in local time; `nil` for one moment.
    var local: LocalSchedule?

    /// Reads the scheduled time of a message; returns `nil` if the body has none.
    ///
    /// The service sends a message with a past time at once, so that a backend can repeat its request after the scheduled time.
    ///
    /// - Parameters:
    ///   - body: the request's body.
    ///   - now: the present time.
    /// - Throws: ``Problem`` for another value than a time, and for a time that is too far ahead.
    init?(_ body: inout ObjectReader, _ now: Timestamp) throws(Problem) {
        guard case .object = body.rest["send_at"] else {
            guard let moment = try body.takeMoment("send_at", or: "{\"local\": …}") else { return nil }
            try Self.require(moment, "/send_at", now)
            start = moment
            return
        }
        guard let value = body.take("send_at") else { return nil }
        var reader = try ObjectReader(value, pointer: "/send_at")
        let time = try Self.time(&reader)
        try Self.require(time.latest, "/send_at/local", now)
        let fallback = try Self.fallback(&reader)
        let skipsPassed = try Self.skipsPassed(&reader)
        try reader.finish()
        start = time.earliest
        local = LocalSchedule(
            time: time, fallback: fallback == LocalTimeReport.skipWord ? nil : fallback, skipsPassed: skipsPassed,
            received: now)
    }

    private static func require(_ moment: Timestamp, _ pointer: String, _ now: Timestamp) throws(Problem) {
        guard moment > now + ServiceLimits.longestSchedule else { return }
        let days = ServiceLimits.longestSchedule.components.seconds / (24 * 3600)
        throw .invalid(pointer, "is more than \(days) days ahead: it is \(now) now")
    }

    private static func time(_ reader: inout ObjectReader) throws(Problem) -> LocalTime {
        guard let text = try reader.takeString("local") else {
            throw .invalid(
                "/send_at",
                #"needs "local", such as {"local": "2027-01-31T09:00"}; for one moment, give the time itself"#)
        }
        if let time = LocalTime(text) { return time }
        let (beginning, rest) = (text.prefix(16), text.dropFirst(16))
        guard LocalTime(String(beginning)) == nil || !rest.contains(where: { "Zz+-".contains($0) }) else {
            throw .invalid(
                "/send_at/local",
                #"has a zone, but each device's own counts: leave it out, or give the moment itself as "send_at""#)
        }
        throw .invalid(
            "/send_at/local", "is no date with a time of day; write it as 2027-01-31T09:00, without a zone")
    }

    private static func fallback(_ reader: inout ObjectReader) throws(Problem) -> String {
        guard let zone = try reader.takeString("fallback") else { return LocalSchedule.defaultZone }
        guard zone != LocalTimeReport.skipWord, !LocalSchedule.isKnown(zone) else { return zone }
        let hint = zone.nearest(in: LocalSchedule.zones).map { "did you mean \($0)? " } ?? ""
        throw .invalid(
            "/send_at/fallback",
            #"is no time zone that is known here; \#(hint)Write a name such as Europe/Berlin, UTC, or "skip""#)
    }

    private static func skipsPassed(_ reader: inout ObjectReader) throws(Problem) -> Bool {
        switch try reader.takeString("passed") {
        case nil, LocalTimeReport.sendWord: return false
        case LocalTimeReport.skipWord: return true
        default:
            throw .invalid("/send_at/passed", #"must be "send", which means at once, or "skip""#)
        }
    }
}
