import CarillonCore
import CarillonMessaging
import UserNotifications  // For its own `Task` initializers on a simulated phone, which track running work.

/// The source of sign-in tokens: asks the app for one token at a time, with a time limit.
///
/// The app is asked outside the queue of service requests, because the app's closure may call the SDK. For example, the closure
/// may call ``Carillon/signOut()`` if the backend refuses to give a token.
@MainActor
final class SignInTokens {
    /// The app's answer to a request for a token.
    enum Answer: Sendable {
        case token
        /// The app has no token, because nobody is signed in.
        case nobody
        case failed(String)
        /// The user has changed meanwhile.
        case outdated
    }

    private let fetch: @Sendable () async throws -> String?
    private let clock: any CarillonClock
    private var token: String?
    private var underWay: Task<Answer, Never>?
    /// The number of times that a user has signed in or out since the launch.
    ///
    /// If the number changes while the app fetches a token, the fetched token is discarded, because it belongs to an earlier
    /// user. For the same reason, ``ServiceExchange`` discards what a service's answer says about an earlier user.
    private(set) var userChangeCount = 0

    init(clock: any CarillonClock, fetch: @escaping @Sendable () async throws -> String?) {
        self.clock = clock
        self.fetch = fetch
    }

    /// Whether a fetched token is ready to be used.
    var hasToken: Bool { token != nil }

    /// Whether a service request with a token is under way; its outcome decides whether another token is needed.
    private(set) var isInUse = false

    /// Returns the fetched token and forgets it, because a token is used for one request only; `nil` if there is no token.
    ///
    /// Call ``wasAnswered()`` when the request with the token has ended.
    func take() -> String? {
        defer { token = nil }
        isInUse = token != nil
        return token
    }

    /// Records that the request with the token has ended.
    func wasAnswered() { isInUse = false }

    /// Discards fetched and requested tokens, because a user has signed in or out.
    func forget() {
        userChangeCount += 1
        token = nil
        underWay = nil
    }

    /// Asks the app for a token, unless it is being asked already.
    ///
    /// The method does not suspend, so what the caller has checked still holds when the app is asked.
    ///
    /// - Parameter record: stores what follows from the answer. Nobody can ask the app again before it returns.
    /// - Returns: the question that is under way, whose value is the app's answer.
    func ask(_ record: @escaping @MainActor (Answer) async -> Void) -> Task<Answer, Never> {
        if let underWay { return underWay }
        let question: Task<Answer, Never> = Task { [self, userChangeCount] in
            let fetched: Fetched? = await TimeLimit.run(clock, within: AppLimits.signInTokenTime) { [fetch] in
                do { return .token(try await fetch()) } catch { return .failed("\(error)") }
            }
            guard userChangeCount == self.userChangeCount else { return .outdated }
            let answer = answer(fetched)
            await record(answer)
            if userChangeCount == self.userChangeCount { underWay = nil }
            return answer
        }
        underWay = question
        return question
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
