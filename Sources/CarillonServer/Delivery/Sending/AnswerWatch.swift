import CarillonCore

/// Finds apps whose APNs endpoint answers no push, although many of the app's pushes wait for an answer.
///
/// An endpoint that answers any push, however slowly, is not reported. An app with few waiting pushes is not reported either,
/// because the sender can still send enough pushes of other apps.
struct AnswerWatch: Sendable {
    /// A moment on the wall clock and on the monotonic clock.
    struct Moment: Sendable, Hashable {
        var at: Timestamp
        var uptime: Duration
    }

    private struct Wait {
        var pushes = 0
        /// The time of the last answer; without an answer, the time of the first push.
        var since: Moment
    }

    private var waits: [AppID: Wait] = [:]

    mutating func sent(_ deliveries: [ClaimedDelivery], at moment: Moment) {
        for run in AppRuns(of: deliveries) {
            waits[run.app, default: Wait(since: moment)].pushes += run.indices.count
        }
    }

    mutating func ended(_ pushes: [SentPush], at moment: Moment) {
        for run in AppRuns(of: pushes) {
            guard var wait = waits[run.app] else { continue }
            wait.pushes -= run.indices.count
            if run.indices.contains(where: { pushes[$0].outcome.isAnswer }) { wait.since = moment }
            waits[run.app] = wait.pushes > 0 ? wait : nil
        }
    }

    /// Returns whether pushes of an app still wait for an answer.
    func isWaiting(for app: AppID) -> Bool { waits[app] != nil }

    /// Returns the apps whose APNs endpoint answers no push, each with the time at which the silence began.
    func silent(at uptime: Duration) -> [(app: AppID, since: Moment)] {
        waits.filter { Self.matters($0.value) && uptime - $0.value.since.uptime >= DeliveryLimits.answerPatience }
            .map { ($0.key, $0.value.since) }.sorted { $0.app.description < $1.app.description }
    }

    /// The earliest time, on the monotonic clock, at which the APNs endpoint of an app can count as silent.
    ///
    /// The value is `nil` if no app has at least ``DeliveryLimits/pushesWithoutAnswer`` pushes without an answer.
    var nextLook: Duration? {
        waits.values.filter(Self.matters).map { $0.since.uptime + DeliveryLimits.answerPatience }.min()
    }

    private static func matters(_ wait: Wait) -> Bool { wait.pushes >= DeliveryLimits.pushesWithoutAnswer }
}
