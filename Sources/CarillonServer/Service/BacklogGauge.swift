import CarillonCore

/// Counts the pushes that wait in each app, and decides whether the app may accept another message.
///
/// A value. It counts the messages accepted here since it last looked into the store. It looks again when that look is old or
/// the limit seems to be reached, so that it sees the messages of other processes within a second. One caller counts; others take
/// the last count meanwhile.
struct BacklogGauge: Sendable {
    /// The decision about a message.
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

    /// The greatest number of deliveries that may wait in one app.
    let limit: Int
    private var readings: [AppNumber: Reading] = [:]
    /// The times since which callers count.
    private var counting: [AppNumber: Duration] = [:]

    init(limit: Int) { self.limit = limit }

    /// Returns whether an app may have one message more, at a time of the monotonic clock.
    ///
    /// Whoever is told to count calls ``counted(_:for:at:)`` or ``gaveUpCounting(for:)``.
    mutating func advice(for app: AppNumber, at uptime: Duration) -> Advice {
        let isFull = readings[app].map { $0.waiting >= limit } ?? false
        let life = isFull ? ServiceLimits.fullBacklogAge : ServiceLimits.backlogAge
        let isFresh = readings[app].map { uptime - $0.at < life } ?? false
        let isCounted = counting[app].map { uptime - $0 < ServiceLimits.longestCount } ?? false
        guard isFresh || isCounted else {
            counting[app] = uptime
            return .count
        }
        return isFull ? .refuse : .accept
    }

    mutating func counted(_ waiting: Int, for app: AppNumber, at uptime: Duration) {
        counting[app] = nil
        readings[app] = Reading(waiting: waiting, at: uptime)
    }

    mutating func gaveUpCounting(for app: AppNumber) { counting[app] = nil }

    mutating func accepted(devices: Int, for app: AppNumber) { readings[app]?.waiting += devices }
}
