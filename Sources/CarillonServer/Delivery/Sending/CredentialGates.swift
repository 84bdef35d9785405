import CarillonCore

/// Which apps' sending is stopped because APNs refuses their credential.
///
/// A value: it decides, the worker acts.
///
/// A gate closes at the first refusal and raises one alarm. After a wait one delivery goes out as a probe; if it is
/// not refused the gate opens, else the wait begins anew, without another alarm.
struct CredentialGates: Sendable {
    struct Alarm: Sendable, Hashable {
        var app: AppID
        /// APNs' reason, such as `InvalidProviderToken`, or why there is no credential.
        var reason: String
        /// Whether there is no credential, rather than one that APNs refuses.
        var isMissing = false
        var since: Timestamp
    }

    private struct Gate {
        var alarm: Alarm
        var interval: Duration
        var probeAt: Timestamp
    }

    private let probeInterval: Duration
    private let missingInterval: Duration
    private var gates: [AppID: Gate] = [:]

    /// - Parameters:
    ///   - probeInterval: how long a closed gate waits before it lets one delivery through.
    ///   - missingInterval: the same where there is no credential at all, and a probe costs nothing.
    init(
        probeInterval: Duration = ServiceLimits.credentialProbeInterval,
        missingInterval: Duration = ServiceLimits.missingCredentialInterval
    ) {
        self.probeInterval = probeInterval
        self.missingInterval = missingInterval
    }

    /// Whether no app's sending is stopped.
    var isOpen: Bool { gates.isEmpty }
    var closed: Set<AppID> { Set(gates.keys) }
    var alarms: [Alarm] { gates.values.map(\.alarm).sorted { $0.app.description < $1.app.description } }
    var nextProbe: Timestamp? { gates.values.map(\.probeAt).min() }

    /// An app whose turn it is to be probed.
    func appToProbe(at now: Timestamp) -> AppID? {
        gates.filter { $0.value.probeAt <= now }.keys.min { $0.description < $1.description }
    }

    /// - Returns: the alarm to raise, the first time only.
    mutating func refused(_ app: AppID, reason: String, at now: Timestamp) -> Alarm? {
        close(app, reason, isMissing: false, probeInterval, now)
    }

    /// There is no credential to send with.
    ///
    /// - Returns: the alarm to raise, the first time only.
    mutating func missing(_ app: AppID, reason: String, at now: Timestamp) -> Alarm? {
        close(app, reason, isMissing: true, missingInterval, now)
    }

    private mutating func close(
        _ app: AppID, _ reason: String, isMissing: Bool, _ interval: Duration, _ now: Timestamp
    ) -> Alarm? {
        let known = gates[app]?.alarm
        let isNew = known?.reason != reason
        let alarm = Alarm(app: app, reason: reason, isMissing: isMissing, since: known?.since ?? now)
        gates[app] = Gate(alarm: alarm, interval: interval, probeAt: now + interval)
        return isNew ? alarm : nil
    }

    /// The probe found nothing to send: the next one waits as long again.
    mutating func postponeProbe(of app: AppID, at now: Timestamp) {
        if let interval = gates[app]?.interval { gates[app]?.probeAt = now + interval }
    }

    /// - Returns: whether the gate was closed.
    mutating func passed(_ app: AppID) -> Bool { !gates.isEmpty && gates.removeValue(forKey: app) != nil }
}
