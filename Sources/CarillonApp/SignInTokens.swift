import CarillonCore
import CarillonMessaging
import UserNotifications  // On a simulated phone, for its own `Task`: what is under way is counted.

/// Asks the app for sign-in tokens: outside of the order of the requests, one at a time, and for a limited time.
///
/// The app's closure may itself call the SDK, for instance to sign out because its session is over.
@MainActor
final class SignInTokens {
    /// The answer of the app.
    enum Answer: Sendable {
        case token
        /// Nobody is signed in.
        case nobody
        case failed(String)
        /// Nothing follows from it: somebody has signed in or out meanwhile, or it was reported already.
        case outdated
    }

    private let fetch: @Sendable () async throws -> String?
    private let clock: any CarillonClock
    private var token: String?
    private var underWay: Task<Answer, Never>?
    /// Counts the sign-ins and sign-outs.
    private var number = 0

    init(clock: any CarillonClock, fetch: @escaping @Sendable () async throws -> String?) {
        self.clock = clock
        self.fetch = fetch
    }

    /// Whether a token waits to be used.
    var hasToken: Bool { token != nil }

    /// Takes the token that was fetched; each is used once, because it is valid for minutes.
    func take() -> String? {
        defer { token = nil }
        return token
    }

    /// Somebody has signed in or out: no token that was asked for before counts.
    func forget() {
        number += 1
        token = nil
        underWay = nil
    }

    /// Asks the app for a token, or waits for the answer to a question that was asked before.
    func ask() async -> Answer {
        if let underWay {
            let answer = await underWay.value
            // Whoever asked first reports it.
            if case .failed = answer { return .outdated }
            return answer
        }
        let task: Task<Answer, Never> = Task { [self, number] in
            let fetched: Fetched? = await AppCode.run(clock, within: AppLimits.signInTokenTime) { [fetch] in
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

/// Runs code of the app's own, which may take as long as it likes, or never return.
@MainActor
enum AppCode {
    /// Runs `work` and waits for it, though not for longer than `limit`.
    ///
    /// - Parameters:
    ///   - clock: the phone's.
    ///   - limit: after which the work is cancelled and goes on unobserved.
    ///   - work: the app's.
    /// - Returns: what the work returns; `nil` when its time was over.
    static func run<Value: Sendable>(
        _ clock: any CarillonClock, within limit: Duration, _ work: @escaping @MainActor () async -> Value
    ) async -> Value? {
        // Unchecked for the reason of `NotificationCenterClient`'s.
        await withUnsafeContinuation { continuation in
            let outcome = Outcome(continuation)
            let task = Task { outcome.give(await work()) }
            outcome.timer = clock.schedule(after: limit) {
                onMainThread {
                    task.cancel()
                    outcome.give(nil)
                }
            }
        }
    }

    /// The first of two: the work's value, or the end of its time.
    @MainActor
    private final class Outcome<Value: Sendable> {
        var timer: ScheduledAction?
        private var continuation: UnsafeContinuation<Value?, Never>?

        init(_ continuation: UnsafeContinuation<Value?, Never>) { self.continuation = continuation }

        func give(_ value: Value?) {
            timer?.cancel()
            continuation?.resume(returning: value)
            continuation = nil
        }
    }
}
