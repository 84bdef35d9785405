import CarillonCore

/// The simulator's response to a request (an answer, a fault or silence), and the time to send it.
struct Reply: Sendable {
    enum Ending: Sendable {
        case answer(Answer)
        /// The request gets no answer.
        case silence
        case reset(code: UInt32)
        case cut
    }

    var ending: Ending
    /// The time at which to send the response, by the simulator's clock; `nil` for at once.
    var due: Timestamp?

    /// Whether the response reports a mistake of the sender: its status is between 400 and 499.
    var isRejection: Bool {
        if case .answer(let answer) = ending { (400..<500).contains(answer.status) } else { false }
    }

    /// Whether the response rejects a credential.
    var isCredentialRejection: Bool {
        if case .answer(let answer) = ending { answer.status == 403 } else { false }
    }
}
