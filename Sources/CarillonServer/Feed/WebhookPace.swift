import CarillonCore

/// The decisions about a request to a webhook: whether it has succeeded, when it is tried again, when the webhook is set aside.
struct WebhookPace: Sendable {
    /// The waits between attempts.
    static let backoff = Backoff(first: .seconds(5), longest: .seconds(2 * 3600))
    /// The number of failed attempts after which a webhook is set aside: about a day after the first.
    ///
    /// It is a number and no time, so that a clock that is set forward sets no webhook aside.
    static let attempts = 24
    /// The greatest length of the stored words of an endpoint, in bytes of UTF-8.
    static let answerBytes = 1024
    /// The most events of one request.
    static let eventsPerRequest = 100

    /// The result of an attempt.
    enum Answer: Sendable, Hashable {
        /// The endpoint has answered; `retryAfter` is the header of that name.
        case status(Int, retryAfter: RetryAfter? = nil, text: String = "")
        /// The endpoint was not reached, or has not answered.
        case failed(String)

        var isSuccess: Bool { if case .status(200..<300, _, _) = self { true } else { false } }
    }

    /// The decision after an attempt.
    enum Outcome: Sendable, Hashable {
        case delivered
        case again(at: Timestamp, answer: String)
        case setAside(answer: String)
    }

    /// Decides what follows from an attempt.
    ///
    /// - Parameters:
    ///   - answer: what the attempt has brought.
    ///   - failures: the number of attempts at this request that have failed before.
    ///   - now: the time of the answer.
    ///   - jitter: a random number in `0..<1`.
    /// - Returns: the decision. An endpoint that answers 410 wants no more requests, and is set aside at once.
    static func outcome(of answer: Answer, after failures: Int, at now: Timestamp, jitter: Double) -> Outcome {
        guard !answer.isSuccess else { return .delivered }
        let words = words(of: answer)
        if case .status(410, _, _) = answer { return .setAside(answer: words) }
        guard failures + 1 < attempts else { return .setAside(answer: words) }
        var wait = backoff.wait(failures: failures + 1, jitter: jitter)
        if case .status(_, let asked?, _) = answer { wait = max(wait, min(asked.wait(at: now), backoff.longest)) }
        return .again(at: now + wait, answer: words)
    }

    private static let unshown: Set<Unicode.GeneralCategory> = [
        .control, .format, .lineSeparator, .paragraphSeparator,
    ]

    private static func words(of answer: Answer) -> String {
        let text =
            switch answer {
            case .status(let status, _, let text): text.isEmpty ? "\(status)" : "\(status): \(text)"
            case .failed(let reason): reason
            }
        // A terminal on which somebody reads it would carry control characters out.
        var plain = String.UnicodeScalarView()
        plain.append(
            contentsOf: text.unicodeScalars.map { Self.unshown.contains($0.properties.generalCategory) ? " " : $0 })
        var cut = String(plain)
        while cut.utf8.count > answerBytes { cut.removeLast() }
        return cut
    }
}
