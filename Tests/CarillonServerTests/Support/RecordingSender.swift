import CarillonAPNs
import CarillonCore
import Foundation
import Synchronization

@testable import CarillonServer

/// An APNs that takes everything, unless it was told to answer otherwise, and remembers what it was given.
final class RecordingSender: NotificationSender {
    typealias Answer = @Sendable (ComposedPush, _ number: Int) -> SendOutcome

    private struct State {
        var pushes: [ComposedPush] = []
        var tokenChecks: [ComposedPush] = []
        var refusesNewTokens = false
        var refused: Set<AppID> = []
        var handOvers: [[String]] = []
        var timesLeft: [Duration] = []
        var end: Timestamp?
        var removed: Set<String> = []
        var tally = ClientTally()
        var answer: Answer = { push, _ in .accepted(apnsID: push.apnsID) }
    }

    private let state = Mutex(State())
    let stream: AsyncStream<ComposedPush>
    private let continuation: AsyncStream<ComposedPush>.Continuation

    init(_ answer: Answer? = nil) {
        (stream, continuation) = AsyncStream.makeStream()
        if let answer { self.answer(answer) }
    }

    /// All but the empty pushes that try a new token, which are always taken.
    var pushes: [ComposedPush] { state.withLock(\.pushes) }
    /// The topics of the pushes in each hand-over.
    var handOvers: [[String]] { state.withLock(\.handOvers) }
    var tokenChecks: [ComposedPush] { state.withLock(\.tokenChecks) }
    /// The time that was left at each hand-over.
    var timesLeft: [Duration] { state.withLock(\.timesLeft) }

    /// From now on, no new token is known.
    func refuseNewTokens() { state.withLock { $0.refusesNewTokens = true } }

    /// APNs refuses these apps' new credentials.
    func refuseCredentials(of apps: Set<AppID>) { state.withLock { $0.refused = apps } }

    func refusedCredentials() async -> Set<AppID> { state.withLock(\.refused) }

    /// Its next check for changes finds that these apps were removed.
    func removeApps(_ topics: Set<String>) { state.withLock { $0.removed = topics } }

    func takeRemovedApps() async -> Set<String> {
        state.withLock { state in
            defer { state.removed = [] }
            return state.removed
        }
    }

    /// Changes the counts of its APNs client.
    func counts(_ change: @Sendable (inout ClientTally) -> Void) { state.withLock { change(&$0.tally) } }

    func clientTally() async -> ClientTally { state.withLock(\.tally) }

    /// From now on; `number` counts all pushes from 1.
    func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

    /// The certificate of one of its apps ends then, and says so ten days before.
    func certificateEnds(_ end: Timestamp) { state.withLock { $0.end = end } }

    func credentialEnds(at now: Timestamp) async -> [EndingCredential] {
        guard let end = state.withLock(\.end) else { return [] }
        let app = AppID(topic: "com.example.chime", environment: .production)
        return [EndingCredential(app: app, end: end, advice: end - now <= .seconds(10 * 86_400) ? "renew it" : nil)]
    }

    func send(_ push: ComposedPush) async -> SendOutcome {
        guard push.collapseID != PushComposer.tokenCheckCollapseID else {
            let isRefused = state.withLock { state in
                state.tokenChecks.append(push)
                return state.refusesNewTokens
            }
            return isRefused
                ? .rejected(APNsRejection(.badDeviceToken, 400)) : .accepted(apnsID: push.apnsID)
        }
        let (answer, number) = state.withLock { state in
            state.pushes.append(push)
            return (state.answer, state.pushes.count)
        }
        continuation.yield(push)
        return answer(push, number)
    }

    func send(
        _ pushes: [ComposedPush], until deadline: SendDeadline,
        answered: @escaping @Sendable ([(place: Int, outcome: SendOutcome)]) -> Void
    ) async {
        state.withLock { state in
            state.handOvers.append(pushes.map(\.app.topic))
            state.timesLeft.append(deadline.left)
        }
        var answers: [(place: Int, outcome: SendOutcome)] = []
        for (place, push) in pushes.enumerated() {
            answers.append((place, await send(push)))
        }
        answered(answers)
    }
}

extension ComposedPush {
    var json: JSONValue { (try? JSONValue(parsing: payload)) ?? .null }
    var carillon: CarillonKey? { json[CarillonKey.payloadKey].flatMap { CarillonKey(json: $0) } }
}
