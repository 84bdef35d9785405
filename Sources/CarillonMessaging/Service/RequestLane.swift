import CarillonCore

/// The queue of one kind of request to the service, with a back-off of its own.
package protocol RequestLane {
    /// Whether something waits to be sent or fetched.
    var hasWork: Bool { get }
    /// The back-off after failed requests.
    var backoff: RetryState { get set }
}

extension RequestLane {
    /// Returns whether the next request may be sent now: something waits, and no back-off lasts.
    package func isDue(at phoneNow: Timestamp) -> Bool { hasWork && backoff.mayTry(at: phoneNow) }

    /// Returns the time of the next attempt, which is the end of the back-off.
    ///
    /// - Parameter phoneNow: the phone's time.
    /// - Returns: a later time than `phoneNow`; `nil` if nothing waits, or if no back-off delays it.
    package func nextAttempt(at phoneNow: Timestamp) -> Timestamp? { hasWork ? backoff.end(at: phoneNow) : nil }
}

/// A lane that sends entries in batches: an entry stays until the service has accepted it, or has refused it for good.
package protocol BatchLane: RequestLane {
    associatedtype Entry: Sendable
    /// The entries that wait, oldest first.
    var pending: [Entry] { get }
    /// The size of the next batch.
    var size: BatchSize { get set }
    mutating func remove(_ entries: [Entry])
}

extension BatchLane {
    package var hasWork: Bool { !pending.isEmpty }

    /// Returns the entries for the next request; none while a back-off lasts.
    package func batch(at phoneNow: Timestamp) -> [Entry] {
        backoff.mayTry(at: phoneNow) ? Array(pending.prefix(size.count)) : []
    }

    /// Removes the entries that the service has accepted, and ends the back-off.
    package mutating func settled(_ entries: [Entry]) {
        size.taken()
        remove(entries)
        backoff.succeeded()
    }

    /// Records that the request with a batch has failed.
    ///
    /// The service refuses a batch for good because of one entry, which would hold up all others. So smaller batches follow, until
    /// the entry is alone and is dropped.
    ///
    /// - Returns: whether the next batch may be sent at once.
    package mutating func failed(_ batch: [Entry], _ failure: RequestFailure) -> Bool {
        // The app registers again, and then sends the batch.
        if failure.isUnknownInstallation { return false }
        guard failure.isFinal else {
            backoff.failed(failure)
            return false
        }
        if size.refused(batch.count) { remove(batch) }
        return true
    }
}

/// The lane of a request that fetches something: it stays due until the service has answered.
package struct FetchLane: RequestLane, Sendable, Hashable, Codable {
    package private(set) var hasWork = false
    package var backoff = RetryState()

    package init() {}

    /// Records that the answer of the service is needed.
    package mutating func ask() { hasWork = true }

    /// Records that the service has answered, and ends the back-off.
    package mutating func answered() { self = FetchLane() }

    /// Records that the request has failed.
    package mutating func failed(_ failure: RequestFailure) {
        if !failure.isUnknownInstallation { backoff.failed(failure) }
    }
}

/// The lane of the reports about messages that the person has read on this phone.
package struct ReadLane: BatchLane, Sendable, Hashable, Codable {
    package private(set) var pending: [MessageRevision] = []
    package var backoff = RetryState()
    package var size = BatchSize(AppLimits.readsPerBatch)

    private enum CodingKeys: String, CodingKey { case pending, backoff }

    package init() {}

    /// Adds a message, unless it waits already; drops the oldest message if more than ``AppLimits/pendingReads`` now wait.
    package mutating func add(_ read: MessageRevision) {
        guard !pending.contains(read) else { return }
        pending.append(read)
        if pending.count > AppLimits.pendingReads { pending.removeFirst() }
    }

    package mutating func remove(_ entries: [MessageRevision]) { pending.removeAll { entries.contains($0) } }
}

/// A failed request to the service, with what a lane needs to decide when it tries again.
package struct RequestFailure: Sendable {
    /// The service's refusal or the missing answer; `nil` if the app's own code failed before the request.
    private let error: ServiceCallError?
    fileprivate let phoneNow: Timestamp
    fileprivate let jitter: Double

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - error: the error of ``ServiceClient``, or of the app's own code.
    ///   - phoneNow: the phone's time.
    ///   - jitter: a random number in `0..<1`, so that phones that failed together do not retry together.
    package init(_ error: any Error, at phoneNow: Timestamp, jitter: Double) {
        self.error = error as? ServiceCallError
        self.phoneNow = phoneNow
        self.jitter = jitter
    }

    /// Whether the service does not know this installation, or knows it with another secret.
    package var isUnknownInstallation: Bool { error?.isUnknownInstallation ?? false }
    /// Whether the installation's id is in use with another secret, or for another app.
    package var isConflict: Bool { error?.isConflict ?? false }
    /// Whether the service refuses this installation because no user is signed in.
    var requiresSignIn: Bool { error?.requiresSignIn ?? false }
    /// Whether the service has read the request and will never accept it.
    var isFinal: Bool { error?.isFinal ?? false }
    fileprivate var isMissingAnswer: Bool { error?.isMissingAnswer ?? false }
    fileprivate var retryAfter: Duration? { error?.retryAfter }
}

extension RetryState {
    /// Records a failure, and sets the time of the next attempt.
    mutating func failed(_ failure: RequestFailure) {
        failed(
            at: failure.phoneNow, noAnswer: failure.isMissingAnswer, retryAfter: failure.retryAfter,
            jitter: failure.jitter)
    }
}
