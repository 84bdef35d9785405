import CarillonCore

/// The waits and limits by which deliveries are decided.
package struct SendingRules: Sendable, Hashable {
    /// Between attempts.
    package var backoff = ServiceLimits.deliveryBackoff
    /// How long a silent push of an assured message waits for its receipt.
    package var assuredWait = ServiceLimits.assuredWait
    /// The same for a message that is sent by ranges, counted from the last push of a chunk.
    package var broadcastWait = ServiceLimits.broadcastAssuredWait
    /// After so many silent pushes in a row without an answer, the visible one follows at once.
    package var silentBeforeFallbackAtOnce = ServiceLimits.silentPushesBeforeFallbackAtOnce
    /// Attempts whose answer never came, after which a push is given up rather than risk another alert.
    package var unansweredAttempts = ServiceLimits.unansweredAttempts
    /// Attempts after which a 410 older than the token's registration is believed all the same.
    package var staleRejections = ServiceLimits.staleRejections
    /// How long a push is tried at most.
    package var lifetime = ServiceLimits.deliveryLifetime

    package init(assuredWait: Duration = ServiceLimits.assuredWait) { self.assuredWait = assuredWait }

    /// The rules for a message that is sent by ranges.
    var forRanges: SendingRules {
        var rules = self
        rules.assuredWait = broadcastWait
        return rules
    }

    /// When the visible push of an assured message is to follow its silent one.
    ///
    /// - Parameters:
    ///   - silentUnanswered: silent pushes of assured messages in a row that the device did not answer.
    ///   - now: when APNs has accepted the silent push.
    /// - Returns: ``assuredWait`` after `now`, or `now` itself for a device that has not answered the last ones.
    func fallbackDue(silentUnanswered: Int, at now: Timestamp) -> Timestamp {
        silentUnanswered >= silentBeforeFallbackAtOnce ? now : now + assuredWait
    }
}
