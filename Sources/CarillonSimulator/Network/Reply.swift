import CarillonCore

/// The end of a request, as its sender sees it.
struct Reply: Sendable {
    enum Ending: Sendable {
        case answer(Answer)
        /// The request never gets an answer.
        case silence
        case reset(code: UInt32)
        case cut
    }

    var ending: Ending
    /// The time of the ending, by the simulator's clock; `nil` for at once.
    var due: Timestamp?

    /// Whether the sender made a mistake: the status is between 400 and 499.
    var isRejection: Bool {
        if case .answer(let answer) = ending { (400..<500).contains(answer.status) } else { false }
    }

    /// Whether the reply refuses a provider token.
    var isCredentialRejection: Bool {
        if case .answer(let answer) = ending { answer.status == 403 } else { false }
    }
}
