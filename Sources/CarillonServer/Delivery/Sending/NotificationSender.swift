import CarillonCore

/// Whatever brings a push to APNs.
package protocol NotificationSender: Sendable {
    /// Sends one push and waits for its answer. It must answer within a bounded time, and well within
    /// ``ServiceConfiguration/leaseDuration``; it is called many times at once.
    func send(_ push: ComposedPush) async -> SendOutcome
}
