import CarillonCore

/// The waits and limits that decisions about deliveries use.
package struct SendingRules: Sendable, Hashable {
    /// The waits before further attempts to send a push.
    package var backoff = DeliveryLimits.deliveryBackoff
    /// The time that the service waits for a `shown` receipt after an assured message's silent push, before it sends a visible
    /// push.
    package var assuredWait = DeliveryLimits.assuredWait
    /// The time that the service waits for `shown` receipts after an assured message's silent pushes sent as ranges of
    /// devices (``RangeRules``).
    ///
    /// The wait begins with the last push to the devices of one ``RangeChunk``. After it, devices of this range without
    /// a receipt get a visible push.
    package var broadcastWait = DeliveryLimits.broadcastAssuredWait
    /// The number of consecutive unanswered silent pushes after which the visible push follows at once.
    package var silentBeforeFallbackAtOnce = DeliveryLimits.silentPushesBeforeFallbackAtOnce
    /// The number of unanswered attempts after which a push is given up, so that the device does not alert again.
    package var unansweredAttempts = DeliveryLimits.unansweredAttempts
    /// The number of tries after which a 410 retires the token even if the 410 is older than the token's
    /// registration.
    package var staleRejections = DeliveryLimits.staleRejections
    /// The longest time for which a push is tried.
    package var lifetime = DeliveryLimits.deliveryLifetime

    package init(assuredWait: Duration = DeliveryLimits.assuredWait) { self.assuredWait = assuredWait }
}
