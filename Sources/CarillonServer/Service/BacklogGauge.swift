import CarillonCore

/// Counts the pushes that wait in each app, and decides whether the app may accept another message.
///
/// It is a value. It adds the messages accepted here to its last count of the store. It asks for a new count if the last one is
/// old or the limit seems reached, so it sees the messages of other processes within a second.
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

    init(limit: Int) { self.limit = limit }

    /// Decides whether an app may accept another message at this uptime.
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
