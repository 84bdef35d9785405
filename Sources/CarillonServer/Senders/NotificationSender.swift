import CarillonCore
import Foundation

/// The end of the time in which pushes may be sent and answered.
///
/// The end is a moment on a monotonic clock, so no wait before the sending can prolong the time: a slow store, a slow disk, or a
/// process that stood still.
package struct SendDeadline: Sendable {
    private let clock: any CarillonClock
    private let uptime: Duration

    /// Makes a deadline.
    ///
    /// - Parameters:
    ///   - uptime: the end, as the ``CarillonClock/uptime`` of `clock`.
    ///   - clock: the clock that measures the time.
    package init(at uptime: Duration, on clock: any CarillonClock) {
        self.uptime = uptime
        self.clock = clock
    }

    /// The time that is left now; zero if the deadline has passed.
    package var left: Duration { max(.zero, uptime - clock.uptime) }
}

/// A type that sends pushes to APNs.
package protocol NotificationSender: Sendable {
    /// Sends one push and waits for its answer.
    ///
    /// An implementation must return within a bounded time, well below ``ServiceConfiguration/leaseDuration``. The service sends
    /// several pushes at the same time.
    func send(_ push: ComposedPush) async -> SendOutcome

    /// Sends pushes of one app, and returns after the last answer.
    ///
    /// - Parameters:
    ///   - pushes: the pushes.
    ///   - deadline: the time after which an implementation sends no push and waits for no answer, because another sender may
    ///     send the pushes then.
    ///   - answered: a closure that receives each push's outcome once, with the push's index in `pushes`. One call
    ///     passes outcomes that arrived together. The closure must not block.
    func send(
        _ pushes: [ComposedPush], until deadline: SendDeadline,
        answered: @escaping @Sendable ([(place: Int, outcome: SendOutcome)]) -> Void
    ) async

    /// Returns the certificates of all apps, each with the time at which it expires.
    ///
    /// The function reads the files of all credentials. If a file was replaced since the last read, the app's next push uses the
    /// new file.
    ///
    /// - Parameter now: the present time.
    /// - Returns: one entry for each app and environment with a certificate. Signing keys do not expire.
    func credentialEnds(at now: Timestamp) async -> [EndingCredential]

    /// Reads the files of all credentials, and returns the apps whose credential has changed since the last check.
    ///
    /// The app's next push tries the new credential. A removed app counts as changed once.
    func changedCredentials() async -> Set<AppID>

    /// Returns the bundle ids of the apps that ``changedCredentials()`` has found to be removed, each once.
    func takeRemovedApps() async -> Set<String>

    /// Returns the apps whose new credential APNs refuses while the old one is used.
    func refusedCredentials() async -> Set<AppID>

    /// Returns the statistics of all APNs clients, added up, for metrics.
    func clientTally() async -> ClientTally

    /// Sends a request about a broadcast channel of an app, and waits for its answer.
    ///
    /// An implementation must return within a bounded time, well below ``ServiceConfiguration/leaseDuration``. `id` is the
    /// request's id at APNs.
    func perform(_ request: ChannelCommand, id: UUID, for app: AppID) async -> ChannelAnswer

    /// The addresses of APNs to which the sender sends; `nil` if it does not tell them.
    ///
    /// All senders of a database must send to the same ones.
    var place: String? { get }
}

extension NotificationSender {
    /// Sends each push with its own call of ``send(_:)``, for a sender that has no faster way to send several.
    package func send(
        _ pushes: [ComposedPush], until deadline: SendDeadline,
        answered: @escaping @Sendable ([(place: Int, outcome: SendOutcome)]) -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            for (place, push) in pushes.enumerated() {
                group.addTask { answered([(place, await send(push))]) }
            }
        }
    }

    /// The value `nil`, for a sender that never shares a database with others.
    package var place: String? { nil }

    /// Fails, because a sender for tests of pushes has no channels.
    package func perform(_ request: ChannelCommand, id: UUID, for app: AppID) async -> ChannelAnswer {
        .failed("this sender has no channels", mayHaveArrived: false)
    }

    /// Returns zeros, because a sender without an APNs client counts nothing.
    package func clientTally() async -> ClientTally { ClientTally() }

    /// Returns an empty set, because a sender without credential files has no credential that could change.
    package func changedCredentials() async -> Set<AppID> { [] }

    /// Returns an empty set, because a sender without a store finds no removed app.
    package func takeRemovedApps() async -> Set<String> { [] }

    /// Returns an empty set of apps, because this default is for senders that never get a new credential.
    package func refusedCredentials() async -> Set<AppID> { [] }

    /// Returns an empty list, because signing keys do not expire.
    package func credentialEnds(at now: Timestamp) async -> [EndingCredential] { [] }
}
