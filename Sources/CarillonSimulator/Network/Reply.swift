import CarillonCore

/// How a request ends for its sender.
struct Reply: Sendable {
    enum Ending: Sendable {
        case answer(Answer)
        /// Nothing comes, ever.
        case silence
        case reset(code: UInt32)
        case cut
    }

    var ending: Ending
    /// When, by the simulator's clock; `nil` for at once.
    var due: Timestamp?

    /// Whether the sender did something wrong.
    var isRejection: Bool {
        if case .answer(let answer) = ending { (400..<500).contains(answer.status) } else { false }
    }

    /// Whether a provider token was refused.
    var isCredentialRejection: Bool {
        if case .answer(let answer) = ending { answer.status == 403 } else { false }
    }
}
