import CarillonCore

extension DeliveryRule {
    /// When the visible push of an assured message is to follow its silent one.
    ///
    /// - Returns: ``assuredWait`` after `now`, or `now` itself for a device that has not answered its last silent pushes
    ///   (``ServiceLimits/silentPushesBeforeFallbackAtOnce``); `nil` for every push that is no silent one of an assured
    ///   message. What the device reports before that moment cancels it (`SQLiteTransaction+fallback.swift`).
    func fallbackDue(_ delivery: ClaimedDelivery, _ now: Timestamp) -> Timestamp? {
        guard delivery.message?.mode == .assured, delivery.purpose == .show else { return nil }
        let isKnownSilent = delivery.silentUnanswered >= ServiceLimits.silentPushesBeforeFallbackAtOnce
        return isKnownSilent ? now : now + assuredWait
    }
}
