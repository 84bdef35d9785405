import CarillonCore

/// When to try again: twice as long after every failure, from 5 seconds to an hour. Kept in the store, so that
/// launching the app often does not mean asking often.
public struct RetryState: Sendable, Hashable, Codable {
    package static let backoff = Backoff(first: .seconds(5), longest: .seconds(3600))

    public private(set) var failureCount = 0
    /// The phone's clock before which there is no further attempt.
    public private(set) var notBefore: Timestamp?

    private var isForNetwork = false

    public init() {}

    /// A push has come, or the person has opened the app: if it was the network that failed, it is worth a try. A
    /// service that answered "not now" is left alone.
    public mutating func networkMayBeBack() {
        if isForNetwork { succeeded() }
    }

    public func mayTry(at phoneNow: Timestamp) -> Bool {
        guard let notBefore else { return true }
        // A phone whose clock was set back must not wait for the old time to come round.
        return phoneNow >= notBefore || notBefore - phoneNow > Self.backoff.longest
    }

    /// - Parameter noAnswer: whether it failed for want of an answer, rather than by one.
    public mutating func failed(at phoneNow: Timestamp, noAnswer: Bool = false) {
        isForNetwork = noAnswer
        failureCount += 1
        notBefore = phoneNow + Self.backoff.wait(failures: failureCount)
    }

    public mutating func succeeded() { self = RetryState() }
}
