import CarillonCore

/// The waits and limits that decisions about deliveries use.
package struct SendingRules: Sendable, Hashable {
    /// The waits before further attempts to send a push.
    package var backoff = DeliveryLimits.deliveryBackoff
    /// The time that the service waits for a `shown` receipt after the silent push of a message with ``DeliveryMode/assured``.
    ///
    /// If no receipt comes in this time, the service sends a visible push.
    package var assuredWait = DeliveryLimits.assuredWait
    /// The time that the service waits for `shown` receipts of a message that has ``DeliveryMode/assured``, if the message's
    /// deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
    ///
    /// The wait begins when APNs has accepted the last silent push of a ``RangeChunk``. When it ends, each device of the chunk
    /// without a receipt gets a visible push.
    package var broadcastWait = DeliveryLimits.broadcastAssuredWait
    /// The number of consecutive silent pushes without a receipt after which the service no longer waits for the device's
    /// receipts.
    ///
    /// For a message with ``DeliveryMode/assured``, such a device gets the visible push as soon as APNs has accepted the silent
    /// push.
    package var silentBeforeFallbackAtOnce = DeliveryLimits.silentPushesBeforeFallbackAtOnce
    /// The number of attempts without an answer from APNs after which a push is given up.
    ///
    /// Each of these attempts may have arrived, so a further attempt could alert the person again.
    package var unansweredAttempts = DeliveryLimits.unansweredAttempts
    /// The number of tries after which a 410 retires the token even if the 410 is older than the token's
    /// registration.
    package var staleRejections = DeliveryLimits.staleRejections
    /// The longest time for which a push is tried.
    package var lifetime = DeliveryLimits.deliveryLifetime
    /// The longest time for which a push of a message that is delivered now or never (``MessageEnd/now``) is tried.
    package var nowOrNeverLifetime = DeliveryLimits.nowOrNeverLifetime
    /// The longest time for which a push of such a message is tried, if the message's deliveries are kept as bitmaps, a bit for each
    /// device (``RangeRules``).
    package var broadcastNowOrNeverLifetime = DeliveryLimits.broadcastNowOrNeverLifetime

    /// Returns the longest time for which a push with a message is tried.
    ///
    /// - Parameters:
    ///   - isNowOrNever: whether the message is delivered now or never (``MessageEnd/now``).
    ///   - isRanged: whether the message's deliveries are kept as bitmaps (``RangeRules``).
    /// - Returns: the time, counted from the moment at which the push was queued.
    func lifetime(isNowOrNever: Bool, isRanged: Bool) -> Duration {
        guard isNowOrNever else { return lifetime }
        return isRanged ? broadcastNowOrNeverLifetime : nowOrNeverLifetime
    }

    package init(assuredWait: Duration = DeliveryLimits.assuredWait) { self.assuredWait = assuredWait }
}
