import CarillonCore
import Synchronization

/// A question of ``Planning`` that is too costly for a writing transaction: which devices of a stretch a condition selects.
struct AudienceQuestion: Hashable, Sendable {
    let message: Int64
    let revision: Int
    let app: AppNumber
    let expression: AudienceExpression
    /// The ordinals (running numbers of the app's devices) of the message's next chunk.
    let stretch: ClosedRange<Int64>
    /// The time from which the expression's ages are counted back.
    let moment: Timestamp
}

/// The questions that senders' transactions have asked, and the answers that reading transactions have found.
///
/// A transaction that finds no answer leaves the question here and plans the chunk later. So the time of a writing transaction
/// does not grow with a condition, and other apps need not wait. Nothing of this is stored: after a restart, the questions are
/// asked again.
final class AudienceDecisions: Sendable {
    private struct State {
        var open: [AudienceQuestion] = []
        var answers: [(question: AudienceQuestion, ordinals: [Int64])] = []
    }

    private let state = Mutex(State())

    /// Returns the ordinals of the selected devices; `nil` if the question has no answer yet, and from now on is open.
    func ordinals(_ question: AudienceQuestion) -> [Int64]? {
        state.withLock { state in
            if let known = state.answers.first(where: { $0.question == question }) { return known.ordinals }
            if !state.open.contains(question) { state.open.append(question) }
            return nil
        }
    }

    /// Removes and returns the open questions.
    func takeOpen() -> [AudienceQuestion] {
        state.withLock { state in
            defer { state.open = [] }
            return state.open
        }
    }

    /// Keeps the answer to a question, and drops the oldest answer beyond ``StoreLimits/keptDecisions``.
    func decided(_ question: AudienceQuestion, _ ordinals: [Int64]) {
        state.withLock { state in
            state.answers.removeAll { $0.question == question }
            state.answers.append((question, ordinals))
            if state.answers.count > StoreLimits.keptDecisions { state.answers.removeFirst() }
        }
    }
}
