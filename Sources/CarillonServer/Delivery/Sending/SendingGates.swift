import CarillonCore

/// Stops the sending of an app whose pushes cannot be sent, and starts it again.
///
/// Each app has a gate, which is open at first. The gate closes and raises one alarm if APNs refuses the credential, the
/// credential is missing, or the server is not trusted. It also closes once an app's pushes have met only failures for a while:
/// no connection, no answer, or errors inside APNs.
///
/// After a wait, one delivery is sent as a probe, a test whether sending works again. The gate opens if APNs accepts the probe,
/// or rejects it for a reason that concerns only that push. Otherwise the wait begins anew, without another alarm. The gate also
/// opens when no push of the app waits any more; if the trouble persists, the app's next push closes the gate again.
///
/// The type only decides; the caller acts.
struct SendingGates: Sendable {
    struct Alarm: Sendable, Hashable {
        var app: AppID
        var trouble: SendingTrouble
        /// The time at which the app's pushes began to fail, or APNs stopped answering them.
        var since: Timestamp

        /// Describes the trouble in a sentence, such as "APNs has not answered for 40 s".
        func sentence(at now: Timestamp) -> String {
            let seconds = (now - since).wholeMilliseconds / 1000
            return seconds > 0 ? "\(trouble.reason) for \(seconds) s" : trouble.reason
        }
    }

    /// The closing of an app's gate, which stops the app's sending, or the opening, which restarts it.
    enum Change: Sendable, Hashable {
        case closed(Alarm)
        case opened(Alarm)
    }

    /// The waits before a probe (a push that tests whether sending works again), and the time for which failures are tolerated.
    struct Waits: Sendable {
        /// The wait before a test push if APNs refuses the app's credential or rejects most of the app's device tokens.
        var refused = DeliveryLimits.credentialProbeInterval
        /// The wait before the sender looks again for the credential of an app that has none.
        ///
        /// The wait is short, because looking costs nothing.
        var missing = DeliveryLimits.missingCredentialInterval
        /// The wait before a test push if APNs cannot be reached, the server's certificate is not trusted, or APNs answers with
        /// errors.
        var unreachable = DeliveryLimits.unreachableProbeInterval
        /// The time after which an app's sending stops if the app's pushes have met only failures.
        var patience = DeliveryLimits.sendingPatience
        /// The time without a further failure after which ``SendingGates`` forgets that an app's pushes have failed.
        ///
        /// This time is longer than the longest wait before a push is tried again.
        var memory = DeliveryLimits.deliveryBackoff.longest + DeliveryLimits.sendingPatience

        func interval(_ kind: SendingTrouble.Kind) -> Duration {
            switch kind {
            case .refusedCredential, .rejectedDevices: refused
            case .missingCredential: missing
            case .distrusted, .unreachable, .failing: unreachable
            }
        }
    }

    private struct Gate {
        var alarm: Alarm
        /// The monotonic time of the next probe, so that setting the wall clock neither prolongs nor shortens the wait.
        var probeAt: Duration
    }

    /// A period in which an app's pushes have met only failures.
    private struct Failing {
        let since: Timestamp
        /// The monotonic time of the first failure.
        let first: Duration
        /// The monotonic time of the last failure.
        var last: Duration
    }

    private let waits: Waits
    private var gates: [AppID: Gate] = [:]
    private var failing: [AppID: Failing] = [:]
    /// The apps whose alarms stand in the store, and for which no push has shown since that sending works.
    private var remembered: Set<AppID> = []

    init(_ waits: Waits = Waits()) { self.waits = waits }

    /// Whether no app's sending is stopped and no app has recent failures.
    var isQuiet: Bool { gates.isEmpty && failing.isEmpty }
    /// The apps with an alarm that is not over for the apps' feeds: no push has shown that sending works.
    var alarming: Set<AppID> { remembered.union(gates.keys) }
    var closed: Set<AppID> { Set(gates.keys) }
    var alarms: [Alarm] { gates.values.map(\.alarm).sorted { $0.app.description < $1.app.description } }
    /// The monotonic time of the next probe of an app; `nil` if no app's sending is stopped.
    var nextProbe: Duration? { gates.values.map(\.probeAt).min() }

    /// Notes the alarms that stand in the store, also from other senders.
    ///
    /// They stop nothing. Each is over when a push of the app shows that sending works.
    mutating func remember(_ alarms: Set<AppID>) { remembered = alarms }

    /// Returns an app whose sending is stopped and for which a test push is due; `nil` if there is none.
    ///
    /// - Parameter uptime: the present time on the monotonic clock.
    /// - Returns: the app; `nil` if there is none.
    func appToProbe(at uptime: Duration) -> AppID? {
        gates.filter { $0.value.probeAt <= uptime }.keys.min { $0.description < $1.description }
    }

    /// Lets an app send again without a test push, because no push of the app waits to be sent.
    ///
    /// - Returns: the alarm that is over; `nil` if there was none.
    mutating func nothingWaits(of app: AppID) -> Alarm? {
        failing[app] = nil
        guard let gate = gates.removeValue(forKey: app) else { return nil }
        // Nothing has shown that sending works.
        remembered.insert(app)
        return gate.alarm
    }

    /// Sets a new due time for an app's next probe (a test push), because a probe begins now.
    ///
    /// The outcome of the present probe will be known before that time.
    mutating func postponeProbe(of app: AppID, at uptime: Duration) {
        guard let gate = gates[app] else { return }
        gates[app]?.probeAt = uptime + waits.interval(gate.alarm.trouble.kind)
    }

    /// Makes an app's next probe (a test push) due now, because the app's credential has changed.
    mutating func probeNow(_ app: AppID, at uptime: Duration) { gates[app]?.probeAt = uptime }

    /// Applies the outcome of a push to the gate of its app; the app's sending stops if the gate closes, and restarts if it
    /// opens.
    ///
    /// - Parameters:
    ///   - outcome: the outcome.
    ///   - app: the push's app.
    ///   - now: the present time on the wall clock.
    ///   - uptime: the present time on the monotonic clock, which measures how long pushes have met only failures,
    ///     and the wait before a probe.
    /// - Returns: ``Change/closed(_:)`` with an alarm to raise, or ``Change/opened(_:)`` with an alarm that has ended; `nil` if
    ///   there is neither.
    mutating func received(_ outcome: SendOutcome, of app: AppID, at now: Timestamp, uptime: Duration) -> Change? {
        if let trouble = outcome.trouble { return met(trouble, app, after: outcome.retryAfter, now, uptime) }
        guard outcome.provesSending else { return nil }
        failing[app] = nil
        remembered.remove(app)
        return gates.removeValue(forKey: app).map { .opened($0.alarm) }
    }

    /// Stops the sending of an app whose APNs endpoint does not answer.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - since: the time on the wall clock at which the silence began, for the alarm.
    ///   - uptime: the present time on the monotonic clock.
    /// - Returns: the alarm to raise; `nil` if the sending was stopped already.
    mutating func fellSilent(_ app: AppID, since: Timestamp, at uptime: Duration) -> Change? {
        guard gates[app] == nil else { return nil }
        let alarm = Alarm(app: app, trouble: .silence, since: since)
        gates[app] = Gate(alarm: alarm, probeAt: uptime + waits.interval(.unreachable))
        return .closed(alarm)
    }

    private mutating func met(
        _ trouble: SendingTrouble, _ app: AppID, after least: Duration, _ now: Timestamp, _ uptime: Duration
    ) -> Change? {
        var run = failing[app] ?? Failing(since: now, first: uptime, last: uptime)
        // A push that failed long ago and was not tried again, such as a cancelled push, shows nothing about the
        // present.
        if uptime - run.last > waits.memory { run = Failing(since: now, first: uptime, last: uptime) }
        run.last = uptime
        failing[app] = run
        let known = gates[app]?.alarm
        guard trouble.isCertain || known != nil || uptime - run.first >= waits.patience else { return nil }
        let alarm = Alarm(app: app, trouble: trouble, since: known?.since ?? run.since)
        gates[app] = Gate(alarm: alarm, probeAt: uptime + max(waits.interval(trouble.kind), least))
        return known?.trouble.kind == trouble.kind ? nil : .closed(alarm)
    }
}
