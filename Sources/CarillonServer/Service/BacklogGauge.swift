import CarillonCore

/// The number of pushes that wait in each app, which decides whether one more message is accepted.
///
/// A value. It counts the messages accepted here since it last looked into the store. It looks again when that look is old or
/// the limit seems to be reached, so that it sees the messages of other processes within a second.
struct BacklogGauge: Sendable {
    /// The decision on a message.
    enum Advice: Sendable, Hashable {
        case accept
        /// Count the waiting pushes in the store first.
        case count
        case refuse
    }

    private struct Reading {
        var waiting: Int
        var at: Duration
    }

    /// The number of deliveries that may wait in one app.
    let limit: Int
    private var readings: [AppNumber: Reading] = [:]

    init(limit: Int) { self.limit = limit }

    /// Returns whether an app may have one message more, at a time of the monotonic clock.
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
