import CarillonCore

/// The waits and limits by which deliveries are decided.
package struct SendingRules: Sendable, Hashable {
    /// The wait between attempts.
    package var backoff = ServiceLimits.deliveryBackoff
    /// The time for which a silent push of an assured message waits for its receipt.
    package var assuredWait = ServiceLimits.assuredWait
    /// The time for which silent pushes of a range-sent message wait, counted from the last push of a chunk.
    package var broadcastWait = ServiceLimits.broadcastAssuredWait
    /// The number of consecutive unanswered silent pushes after which the visible one follows at once.
    package var silentBeforeFallbackAtOnce = ServiceLimits.silentPushesBeforeFallbackAtOnce
    /// The number of unanswered attempts after which a push is given up, so that it cannot alert again.
    package var unansweredAttempts = ServiceLimits.unansweredAttempts
    /// The number of tries after which a 410 is believed even if it is older than the token's registration.
    package var staleRejections = ServiceLimits.staleRejections
    /// The greatest time for which a push is tried.
    package var lifetime = ServiceLimits.deliveryLifetime

    package init(assuredWait: Duration = ServiceLimits.assuredWait) { self.assuredWait = assuredWait }
}
