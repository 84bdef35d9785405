import CarillonCore
import CarillonSimulator

/// The requests and connections of a sender in one situation, as a simulated APNs saw them, and the end of the sender's process.
struct SenderObservation {
    enum Ending: Equatable {
        case exited(Int32)
        /// The process was still running at its time limit, and was ended.
        case ranOutOfTime
    }

    /// The device tokens to which the sender was to send one push each.
    let tokens: [DeviceToken]
    /// The requests, oldest first.
    let requests: [RequestRecord]
    /// The times of these requests.
    let moments: [Timestamp]
    /// The number of connections that the sender has opened.
    let connectionCount: Int
    /// The rules of TLS or HTTP/2 that the sender has broken, each as a sentence.
    let violations: [String]
    let ending: Ending
    /// Whether the sender can use a client certificate, as far as a trial has shown.
    var knowsCertificates = true

    /// Whether a request came with a client certificate.
    var showsCertificate: Bool {
        requests.contains { if case .certificate = $0.credential { true } else { false } }
    }

    func requests(to token: DeviceToken) -> [RequestRecord] { requests.filter { $0.deviceToken == token } }

    /// Returns how many pushes to a token APNs has accepted: each is shown on the phone.
    func acceptedCount(for token: DeviceToken) -> Int { requests(to: token).count { $0.decision == .accepted } }
}

extension SenderObservation {
    /// The findings that are faults in every situation.
    var generalFindings: [String] {
        guard !requests.isEmpty || connectionCount > 0 else {
            return ["the command made no connection to $APNS_URL"]
        }
        return Set(violations).sorted().map { "it broke a rule of HTTP/2: \($0)" }
    }

    /// The findings where every push should arrive exactly once.
    var findingsUnlessEachArrivedOnce: [String] {
        let counts = tokens.map(acceptedCount)
        let missing = counts.count { $0 == 0 }
        let repeated = counts.count { $0 > 1 }
        var findings: [String] = []
        if missing > 0 { findings.append("\(missing) of \(tokens.count) pushes never arrived") }
        if repeated > 0 { findings.append("\(repeated) of \(tokens.count) pushes arrived more than once") }
        return findings + (missing > 0 ? findingsIfSuccessIsReported : [])
    }

    /// The findings where the sender cannot have had success, and should not report it.
    var findingsIfSuccessIsReported: [String] {
        ending == .exited(0) ? ["the command reported success (status 0)"] : []
    }

    /// The findings where the process should have ended by itself.
    var findingsUnlessEnded: [String] {
        ending == .ranOutOfTime ? ["the command was still waiting at the end of its time"] : []
    }
}
