import CarillonCore

/// Counts each app's pushes that wait to be sent, and decides whether the service may accept another message of the app.
///
/// The gauge remembers each app's last count from the store, and adds the pushes of messages that this process has accepted
/// since. It asks for a new count when the last one is old (``ServiceLimits/backlogAge``). A new count also includes messages
/// that other processes have accepted.
///
/// A count that has reached the limit is old after ``ServiceLimits/fullBacklogAge``. Only one caller counts at a time; other
/// callers use the last count meanwhile.
struct BacklogGauge: Sendable {
    /// The decision whether the service may accept another message of an app.
    enum Advice: Sendable, Hashable {
        case accept
        /// The caller must first count the app's waiting pushes in the store.
        case count
        case refuse
    }

    private struct Reading {
        var waiting: Int
        var at: Duration
    }

    /// The greatest number of one app's pushes that may wait to be sent.
    var limit: Int
    private var readings: [AppNumber: Reading] = [:]
    /// By app: the uptime at which a caller began to count the app's waiting pushes; no entry if no caller is counting.
    private var counting: [AppNumber: Duration] = [:]

    init(limit: Int) { self.limit = limit }

    /// Decides whether the service may accept one more message of an app.
    ///
    /// After ``Advice/count``, the caller must count the app's waiting pushes in the store, and then call ``counted(_:for:at:)``.
    /// If it cannot count them, it must call ``gaveUpCounting(for:)``.
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
