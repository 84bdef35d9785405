import CarillonCore

/// Finds the apps whose endpoint answers none of the many pushes that wait for it.
///
/// A value. An endpoint that answers anything, however slowly, is left alone; so is an app with few pushes, whose places nobody
/// misses.
struct AnswerWatch: Sendable {
    /// A moment on both clocks.
    struct Moment: Sendable, Hashable {
        var at: Timestamp
        var uptime: Duration
    }

    private struct Wait {
        var pushes = 0
        /// The time of the last answer, or of the first push after a time without any.
        var since: Moment
    }

    private var waits: [AppID: Wait] = [:]

    mutating func sent(_ deliveries: [ClaimedDelivery], at moment: Moment) {
        for index in deliveries.indices { waits[deliveries[index].app, default: Wait(since: moment)].pushes += 1 }
    }

    mutating func ended(_ pushes: [SentPush], at moment: Moment) {
        for index in pushes.indices {
            let app = pushes[index].app
            waits[app]?.pushes -= 1
            if pushes[index].outcome.isAnswer { waits[app]?.since = moment }
            if let left = waits[app]?.pushes, left <= 0 { waits[app] = nil }
        }
    }

    /// Returns whether answers to an app's pushes are to come.
    func isWaiting(for app: AppID) -> Bool { waits[app] != nil }

    /// Returns the apps whose endpoint is silent, each with the time since which it is.
    func silent(at uptime: Duration) -> [(app: AppID, since: Moment)] {
        waits.filter { Self.matters($0.value) && uptime - $0.value.since.uptime >= DeliveryLimits.answerPatience }
            .map { ($0.key, $0.value.since) }.sorted { $0.app.description < $1.app.description }
    }

    /// The time, on the monotonic clock, at which the next endpoint will have been silent for long enough.
    var nextLook: Duration? {
        waits.values.filter(Self.matters).map { $0.since.uptime + DeliveryLimits.answerPatience }.min()
    }

    private static func matters(_ wait: Wait) -> Bool { wait.pushes >= DeliveryLimits.pushesWithoutAnswer }
}
