import CarillonCore
import CarillonMessaging
import UserNotifications  // On a simulated phone, for its own `Task`: what is under way is counted.

/// Asks the app for sign-in tokens: outside the order of the requests, one at a time, and for a limited time.
///
/// The app's closure may call the SDK, for instance to sign out because its session is over.
@MainActor
final class SignInTokens {
    /// The answer of the app.
    enum Answer: Sendable {
        case token
        /// Nobody is signed in.
        case nobody
        case failed(String)
        /// The answer has no effect: somebody has signed in or out meanwhile, or another caller has reported it.
        case outdated
    }

    private let fetch: @Sendable () async throws -> String?
    private let clock: any CarillonClock
    private var token: String?
    private var underWay: Task<Answer, Never>?
    /// The number of sign-ins and sign-outs so far.
    private var number = 0

    init(clock: any CarillonClock, fetch: @escaping @Sendable () async throws -> String?) {
        self.clock = clock
        self.fetch = fetch
    }

    /// Whether a fetched token is ready to be used.
    var hasToken: Bool { token != nil }

    /// Whether a request with a token is under way: its answer decides whether another token is needed.
    private(set) var isInUse = false

    /// Returns the fetched token and forgets it: each is used once, because it is valid for minutes.
    ///
    /// Call ``wasAnswered()`` when the request that carries it has ended.
    func take() -> String? {
        defer { token = nil }
        isInUse = token != nil
        return token
    }

    /// Records that the request with the token has ended.
    func wasAnswered() { isInUse = false }

    /// Discards all requested tokens, because somebody has signed in or out.
    func forget() {
        number += 1
        token = nil
        underWay = nil
    }

    /// Asks the app for a token, or waits for the answer to an earlier question.
    func ask() async -> Answer {
        if let underWay {
            let answer = await underWay.value
            // The caller that asked first reports the failure.
            if case .failed = answer { return .outdated }
            return answer
        }
        let task: Task<Answer, Never> = Task { [self, number] in
            let fetched: Fetched? = await TimeLimit.run(clock, within: AppLimits.signInTokenTime) { [fetch] in
                do { return .token(try await fetch()) } catch { return .failed("\(error)") }
            }
            guard number == self.number else { return .outdated }
            underWay = nil
            return answer(fetched)
        }
        underWay = task
        return await task.value
    }

    private enum Fetched: Sendable {
        case token(String?)
        case failed(String)
    }

    private func answer(_ fetched: Fetched?) -> Answer {
        switch fetched {
        case .token(let token):
            self.token = token
            return token == nil ? .nobody : .token
        case .failed(let reason): return .failed(reason)
        case nil: return .failed("signInToken did not return within \(AppLimits.signInTokenTime)")
        }
    }
}
