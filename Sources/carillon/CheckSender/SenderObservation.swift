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
    /// The sender's acts as a line, such as `2 requests over 1 connection: 503, taken; it ended with status 0`.
    var account: String {
        var runs: [(answer: String, count: Int)] = []
        for answer in requests.map(\.decision.answer) {
            if runs.last?.answer == answer { runs[runs.count - 1].count += 1 } else { runs.append((answer, 1)) }
        }
        let shown = runs.prefix(Self.answerLimit).map { $0.count > 1 ? "\($0.answer) × \($0.count)" : $0.answer }
        let answers = (shown + (runs.count > shown.count ? ["…"] : [])).joined(separator: ", ")
        let end =
            switch ending {
            case .exited(let status): "it ended with status \(status)"
            case .ranOutOfTime: "it was ended at the end of its time"
            }
        let counts = Self.count(requests.count, "request") + " over " + Self.count(connectionCount, "connection")
        return counts + (answers.isEmpty ? "" : ": \(answers)") + "; \(end)"
    }

    /// The number of different answers in a row that the ``account`` shows.
    private static let answerLimit = 12

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

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

extension RequestRecord.Decision {
    /// The answer in a few words, for a report.
    fileprivate var answer: String {
        switch self {
        case .accepted: "taken"
        case .rejected(let rejection): "\(rejection.status) \(rejection.reason.rawValue)"
        case .failed(let fault): fault.answer
        }
    }
}

extension Fault {
    fileprivate var answer: String {
        switch self {
        case .reject(let reason): reason.rawValue
        case .answer(let status, _, _): "\(status)"
        case .reset: "stream refused"
        case .cut: "connection cut"
        case .fallSilent, .loseAnswer, .loseRequest: "no answer"
        case .goAway: "GOAWAY"
        }
    }
}
