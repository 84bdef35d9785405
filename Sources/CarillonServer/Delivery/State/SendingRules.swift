import CarillonCore

/// The waits and limits in decisions about deliveries.
package struct SendingRules: Sendable, Hashable {
    /// The wait between attempts.
    package var backoff = DeliveryLimits.deliveryBackoff
    /// The time for which a silent push of an assured message waits for its receipt.
    package var assuredWait = DeliveryLimits.assuredWait
    /// The time for which silent pushes of a range-sent message wait for receipts, counted from the last push of a chunk.
    package var broadcastWait = DeliveryLimits.broadcastAssuredWait
    /// The number of consecutive unanswered silent pushes after which the visible push follows at once.
    package var silentBeforeFallbackAtOnce = DeliveryLimits.silentPushesBeforeFallbackAtOnce
    /// The number of unanswered attempts after which a push is given up, so that it cannot alert again.
    package var unansweredAttempts = DeliveryLimits.unansweredAttempts
    /// The number of tries after which a 410 counts even if its timestamp is older than the token's registration.
    package var staleRejections = DeliveryLimits.staleRejections
    /// The longest time for which a push is tried.
    package var lifetime = DeliveryLimits.deliveryLifetime

    package init(assuredWait: Duration = DeliveryLimits.assuredWait) { self.assuredWait = assuredWait }
}
