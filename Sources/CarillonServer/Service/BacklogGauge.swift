import CarillonCore

/// How much waits to be sent, for each app: whether one more message may be accepted.
///
/// A value. It counts what was accepted here since it looked into the store, and looks again when that is long ago or the
/// limit seems to be reached: what other processes send and accept is seen within a second.
struct BacklogGauge: Sendable {
    /// What to do with a message.
    enum Advice: Sendable, Hashable {
        case accept
        /// Look into the store first.
        case count
        case refuse
    }

    private struct Reading {
        var waiting: Int
        var at: Duration
    }

    /// Deliveries that may wait in one app.
    let limit: Int
    private var readings: [AppNumber: Reading] = [:]

    init(limit: Int) { self.limit = limit }

    /// Whether an app may have one message more, at a moment of the monotonic clock.
    func advice(for app: AppNumber, at uptime: Duration) -> Advice {
        guard let reading = readings[app] else { return .count }
        let age = uptime - reading.at
        if reading.waiting >= limit { return age < ServiceLimits.fullBacklogAge ? .refuse : .count }
        return age < ServiceLimits.backlogAge ? .accept : .count
    }

    mutating func counted(_ waiting: Int, for app: AppNumber, at uptime: Duration) {
        readings[app] = Reading(waiting: waiting, at: uptime)
    }

    mutating func accepted(devices: Int, for app: AppNumber) { readings[app]?.waiting += devices }
}
