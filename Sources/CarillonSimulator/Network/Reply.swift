import CarillonCore

/// The simulator's response to a request (an answer, silence, a reset stream or a cut connection), and the time to send it.
struct Reply: Sendable {
    enum Ending: Sendable {
        case answer(Answer)
        /// The request gets no answer.
        case silence
        case reset(code: UInt32)
        case cut
        /// The connection says nothing more, and nothing more of it is read.
        case fallSilent
        /// GOAWAY ends the connection, and neither this request nor a later one counts as processed.
        case goAway

        /// Whether the request counts as processed, so that a GOAWAY has to include its stream.
        var isProcessed: Bool { if case .goAway = self { false } else { true } }
    }

    var ending: Ending
    /// The time at which to send the response, by the simulator's clock; `nil` for at once.
    var due: Timestamp?
    /// The GOAWAY that ends the connection after the response; `nil` for none.
    var goAway: ScriptedAnswer.GoAway?

    /// Whether the response reports a mistake of the sender: its status is between 400 and 499.
    var isRejection: Bool {
        if case .answer(let answer) = ending { (400..<500).contains(answer.status) } else { false }
    }

    /// Whether the response rejects a credential.
    var isCredentialRejection: Bool {
        if case .answer(let answer) = ending { answer.status == 403 } else { false }
    }
}
