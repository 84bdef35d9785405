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
        /// APNs' reason, such as `InvalidProviderToken`.
        var reason: String
        var since: Timestamp
    }

    private struct Gate {
        var alarm: Alarm
        var probeAt: Timestamp
    }

    private let probeInterval: Duration
    private var gates: [AppID: Gate] = [:]

    /// - Parameter probeInterval: how long a closed gate waits before it lets one delivery through.
    init(probeInterval: Duration) { self.probeInterval = probeInterval }

    var closed: Set<AppID> { Set(gates.keys) }
    var alarms: [Alarm] { gates.values.map(\.alarm).sorted { $0.app.description < $1.app.description } }
    var nextProbe: Timestamp? { gates.values.map(\.probeAt).min() }

    /// An app whose turn it is to be probed.
    func appToProbe(at now: Timestamp) -> AppID? {
        gates.filter { $0.value.probeAt <= now }.keys.min { $0.description < $1.description }
    }

    /// - Returns: the alarm to raise, the first time only.
    mutating func refused(_ app: AppID, reason: String, at now: Timestamp) -> Alarm? {
        let isNew = gates[app] == nil
        let alarm = gates[app]?.alarm ?? Alarm(app: app, reason: reason, since: now)
        gates[app] = Gate(alarm: alarm, probeAt: now + probeInterval)
        return isNew ? alarm : nil
    }

    /// The probe found nothing to send: the next one waits as long again.
    mutating func postponeProbe(of app: AppID, at now: Timestamp) {
        gates[app]?.probeAt = now + probeInterval
    }

    /// - Returns: whether the gate was closed.
    mutating func passed(_ app: AppID) -> Bool { gates.removeValue(forKey: app) != nil }
}
