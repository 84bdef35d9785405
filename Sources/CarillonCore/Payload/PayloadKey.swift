/// A key that Apple documents in `aps`, or in its `alert` or `sound`.
///
/// The static properties of this type list all keys, each with its valid values and with the evidence for how iOS treats
/// invalid values. The simulated phone, the service, `carillon validate` and docs/payloads.md use this list.
///
/// This is a class, because a copy of the values would cost more than the check of a payload's key.
package final class PayloadKey: Sendable {
    /// The dictionary that contains the key.
    package enum Place: String, Sendable, CaseIterable {
        case aps
        case alert = "aps.alert"
        case sound = "aps.sound"
    }

    /// The evidence that iOS, when this key has an invalid value, ignores only this key.
    package enum Evidence: Sendable, Hashable {
        /// Reports about real phones confirm that iOS ignores only the key with the invalid value; the string is the URL of
        /// such a report.
        case attested(String)
        /// No published observation of a real phone is known for this key; iOS is assumed to ignore only the key with the
        /// invalid value.
        case assumed
    }

    package let place: Place
    package let name: String
    package let value: PayloadValue
    /// The push types for which the system reads the key.
    package let pushTypes: Set<PushType>
    package let evidence: Evidence

    /// The key's path in the payload, such as `aps.alert.title`.
    package var path: String { "\(place.rawValue).\(name)" }

    private init(
        _ place: Place, _ name: String, _ value: PayloadValue, in pushTypes: Set<PushType> = [.alert, .background],
        _ evidence: Evidence = .assumed
    ) {
        self.place = place
        self.name = name
        self.value = value
        self.pushTypes = pushTypes
        self.evidence = evidence
    }

    /// All keys, in the order of Apple's tables.
    package static let all = notificationKeys + liveActivityKeys + [contentChanged] + accessoryKeys

    /// Returns the keys that the system reads in a push of this type.
    package static func keys(in place: Place, of pushType: PushType) -> [PayloadKey] {
        all.filter { $0.place == place && $0.pushTypes.contains(pushType) }
    }
}

/// The keys of notifications, from the tables in
/// [Generating a remote notification](https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
extension PayloadKey {
    static let alert = PayloadKey(.aps, "alert", .textOrDictionary)
    static let badge = PayloadKey(
        .aps, "badge", .count, .attested("https://github.com/richsage/RMSPushNotificationsBundle/pull/62"))
    static let sound = PayloadKey(
        .aps, "sound", .textOrDictionary,
        .attested("https://github.com/parse-community/Parse-SDK-iOS-OSX/pull/29"))
    static let threadID = PayloadKey(.aps, "thread-id", .text)
    static let category = PayloadKey(.aps, "category", .text)
    static let contentAvailable = PayloadKey(.aps, "content-available", .flag)
    static let mutableContent = PayloadKey(.aps, "mutable-content", .flag)
    static let targetContentID = PayloadKey(.aps, "target-content-id", .text)
    static let interruptionLevel = PayloadKey(
        .aps, "interruption-level", .oneOf(InterruptionLevel.allCases.map(\.rawValue)))
    static let relevanceScore = PayloadKey(.aps, "relevance-score", .number(0...1))
    static let filterCriteria = PayloadKey(.aps, "filter-criteria", .text)

    static let title = PayloadKey(
        .alert, "title", .text, .attested("https://github.com/NIFCLOUD-mbaas/ncmb_unity/issues/102"))
    static let subtitle = PayloadKey(.alert, "subtitle", .text)
    static let body = PayloadKey(
        .alert, "body", .text, .attested("https://github.com/OneSignal/OneSignal-iOS-SDK/issues/445"))
    static let launchImage = PayloadKey(.alert, "launch-image", .text)
    static let titleLocKey = PayloadKey(.alert, "title-loc-key", .text)
    static let titleLocArgs = PayloadKey(.alert, "title-loc-args", .texts)
    static let subtitleLocKey = PayloadKey(.alert, "subtitle-loc-key", .text)
    static let subtitleLocArgs = PayloadKey(.alert, "subtitle-loc-args", .texts)
    static let locKey = PayloadKey(.alert, "loc-key", .text)
    static let locArgs = PayloadKey(.alert, "loc-args", .texts)

    static let critical = PayloadKey(.sound, "critical", .flag)
    static let soundName = PayloadKey(.sound, "name", .text)
    static let volume = PayloadKey(.sound, "volume", .number(0...1))

    private static let notificationKeys = [
        alert, badge, sound, threadID, category, contentAvailable, mutableContent, targetContentID, interruptionLevel,
        relevanceScore, filterCriteria, title, subtitle, body, launchImage, titleLocKey, titleLocArgs, subtitleLocKey,
        subtitleLocArgs, locKey, locArgs, critical, soundName, volume,
    ]
}

/// Keys of Live Activities, widgets and controls:
/// [Starting and updating Live Activities](https://developer.apple.com/documentation/activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications),
/// [Updating widgets](https://developer.apple.com/documentation/widgetkit/updating-widgets-with-widgetkit-push-notifications),
/// [Updating controls](https://developer.apple.com/documentation/widgetkit/updating-controls-locally-and-remotely).
extension PayloadKey {
    private static let liveActivityKeys = [
        PayloadKey(.aps, "timestamp", .number(nil), in: [.liveactivity]),
        PayloadKey(.aps, "event", .oneOf(["start", "update", "end"]), in: [.liveactivity]),
        PayloadKey(.aps, "content-state", .dictionary, in: [.liveactivity]),
        PayloadKey(.aps, "attributes-type", .text, in: [.liveactivity]),
        PayloadKey(.aps, "attributes", .dictionary, in: [.liveactivity]),
        PayloadKey(.aps, "stale-date", .number(nil), in: [.liveactivity]),
        PayloadKey(.aps, "dismissal-date", .number(nil), in: [.liveactivity]),
        // "Assign a higher value for an important Live Activity content update, for example, a score of 100".
        PayloadKey(
            .aps, "relevance-score", .number(nil), in: [.liveactivity],
            .attested("https://github.com/jchambers/pushy/issues/1033")),
        PayloadKey(.aps, "input-push-token", .flag, in: [.liveactivity]),
        PayloadKey(.aps, "input-push-channel", .text, in: [.liveactivity]),
        PayloadKey(.aps, "alert", .dictionary, in: [.liveactivity]),
        // A dictionary has `loc-key` and `loc-args`.
        PayloadKey(.alert, "title", .textOrDictionary, in: [.liveactivity]),
        PayloadKey(.alert, "body", .textOrDictionary, in: [.liveactivity]),
        PayloadKey(.alert, "sound", .text, in: [.liveactivity]),
    ]

    private static let contentChanged = PayloadKey(.aps, "content-changed", .flag, in: [.widgets, .controls])

    /// From [Responding to forwarded
    /// notifications](https://developer.apple.com/documentation/accessorynotifications/responding-to-forwarded-notifications).
    private static let accessoryKeys = ["encryptedData", "sessionIdentifier", "keyID", "messageIndex"].map {
        PayloadKey(.aps, $0, .text, in: [.accessory])
    }
}
