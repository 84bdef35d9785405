import CarillonCore

/// The apps whose sending is stopped, because nothing of theirs can be sent.
///
/// A value: it decides, the worker acts.
///
/// An app's gate closes, and raises one alarm, at the first outcome that is certain (APNs refuses the credential, there is
/// none, the server is not trusted), or once nothing but failures has come for a while (no connection, no answer, errors of
/// APNs' own). After a wait one delivery goes out as a probe; when APNs takes it, or refuses it for a reason of its own, the
/// gate opens, else the wait begins anew, without another alarm.
struct SendingGates: Sendable {
    struct Alarm: Sendable, Hashable {
        var app: AppID
        var trouble: SendingTrouble
        /// When the first push met it.
        var since: Timestamp
    }

    /// What an outcome has changed.
    enum Change: Sendable, Hashable {
        case closed(Alarm)
        case opened(Alarm)
    }

    /// How long gates wait.
    struct Waits: Sendable {
        /// How long a closed gate waits before it lets one delivery through.
        var refused = ServiceLimits.credentialProbeInterval
        /// The same where there is no credential: a probe costs nothing.
        var missing = ServiceLimits.missingCredentialInterval
        /// The same where there is no way to APNs.
        var unreachable = ServiceLimits.unreachableProbeInterval
        /// How long there may be nothing but failures before a gate closes.
        var patience = ServiceLimits.sendingPatience

        func interval(_ kind: SendingTrouble.Kind) -> Duration {
            switch kind {
            case .refusedCredential: refused
            case .missingCredential: missing
            case .distrusted, .unreachable, .failing: unreachable
            }
        }
    }

    private struct Gate {
        var alarm: Alarm
        var probeAt: Timestamp
    }

    private let waits: Waits
    private var gates: [AppID: Gate] = [:]
    /// Since when an app's pushes have met nothing but failures, by both clocks.
    private var failing: [AppID: (since: Timestamp, uptime: Duration)] = [:]

    init(_ waits: Waits = Waits()) { self.waits = waits }

    /// Whether no outcome but a failure can change anything: no gate is closed, and no app fails.
    var isQuiet: Bool { gates.isEmpty && failing.isEmpty }
    var closed: Set<AppID> { Set(gates.keys) }
    var alarms: [Alarm] { gates.values.map(\.alarm).sorted { $0.app.description < $1.app.description } }
    var nextProbe: Timestamp? { gates.values.map(\.probeAt).min() }

    /// An app whose turn it is to be probed.
    func appToProbe(at now: Timestamp) -> AppID? {
        gates.filter { $0.value.probeAt <= now }.keys.min { $0.description < $1.description }
    }

    /// The probe found nothing to send: the next one waits as long again.
    mutating func postponeProbe(of app: AppID, at now: Timestamp) {
        guard let gate = gates[app] else { return }
        gates[app]?.probeAt = now + waits.interval(gate.alarm.trouble.kind)
    }

    /// Takes the outcome of a push.
    ///
    /// - Parameters:
    ///   - outcome: the outcome.
    ///   - app: the push's app.
    ///   - now: the wall clock, by which alarms are dated and probes are due.
    ///   - uptime: the monotonic clock, by which patience ends.
    /// - Returns: the alarm to raise, once for each kind of trouble, or the one that is over.
    mutating func received(_ outcome: SendOutcome, of app: AppID, at now: Timestamp, uptime: Duration) -> Change? {
        if let trouble = outcome.trouble { return met(trouble, app, now, uptime) }
        guard outcome.provesSending else { return nil }
        failing[app] = nil
        return gates.removeValue(forKey: app).map { .opened($0.alarm) }
    }

    private mutating func met(
        _ trouble: SendingTrouble, _ app: AppID, _ now: Timestamp, _ uptime: Duration
    ) -> Change? {
        let began = failing[app] ?? (now, uptime)
        failing[app] = began
        let known = gates[app]?.alarm
        guard trouble.isCertain || known != nil || uptime - began.uptime >= waits.patience else { return nil }
        let alarm = Alarm(app: app, trouble: trouble, since: known?.since ?? began.since)
        gates[app] = Gate(alarm: alarm, probeAt: now + waits.interval(trouble.kind))
        return known?.trouble.kind == trouble.kind ? nil : .closed(alarm)
    }
}
