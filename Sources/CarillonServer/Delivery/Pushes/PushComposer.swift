import CarillonAPNs
import CarillonCore
import Foundation

/// Composes the push for a delivery that a sender has leased.
///
/// Composition has no side effects: equal deliveries and times give equal bytes.
enum PushComposer {
    /// The collapse id of all removal pushes to a device, so that APNs keeps only one of them.
    static let removalsCollapseID = "carillon-removals"
    static let badgeCollapseID = "carillon-badge"
    static let tokenCheckCollapseID = "carillon-token-check"
    static let tokenClaimCollapseID = "carillon-token-claim"
    /// The collapse id of all reloads of a token, so that APNs keeps only one of them.
    static let widgetsCollapseID = "carillon-widgets"

    /// Composes the push for a delivery that a sender has leased.
    ///
    /// - Throws: `PayloadError` if the push is too large even without removals of older messages. The service accepts no message
    ///   of that size.
    static func compose(_ delivery: ClaimedDelivery, at now: Timestamp) throws(PayloadError) -> ComposedPush {
        if let push = delivery.encoding?.push(for: delivery, at: now) { return push }
        guard let message = delivery.message else {
            return switch delivery.purpose {
            case .badge: try badge(delivery, now)
            case .tokenCheck: try tokenCheck(delivery)
            case .tokenClaim: try tokenClaim(delivery, now)
            case .liveActivity: try liveActivity(delivery)
            case .widgets: try widgets(delivery)
            case .show, .fallback, .notice, .removal: try removals(delivery, now)
            }
        }
        return switch (message.mode, delivery.purpose) {
        case (_, .liveActivity): try liveActivity(delivery)
        case (_, .widgets): try widgets(delivery)
        case (_, .notice): try notice(message, delivery, now)
        case (_, .removal): try removals(delivery, now)
        case (.visible, _), (_, .fallback): try visible(message, delivery, now)
        default: try silent(message, delivery, now)
        }
    }

    /// Composes an alert push.
    ///
    /// `mutable-content` starts the service extension, which can suppress this notification or remove others even if iOS does
    /// not run the app. `content-available` wakes the app itself where iOS allows that.
    private static func visible(
        _ message: ClaimedMessage, _ delivery: ClaimedDelivery, _ now: Timestamp
    ) throws(PayloadError) -> ComposedPush {
        var payload = message.payload
        payload.aps.mutableContent = true
        payload.aps.contentAvailable = true
        if message.badgeIsUnreadCount, let unread = delivery.unread { payload.aps.badge = unread }
        payload.custom.merge(DialectPayload.visible(message), uniquingKeysWith: DialectPayload.joined)
        let data = try fill(payload, key(delivery, now), delivery, .alert)
        return push(
            delivery, .alert, data, priority: .immediate, until: .until(message), collapseID: message.identifier)
    }

    /// Composes a quiet alert push (a notice) that replaces a recalled message.
    ///
    /// The push also asks the SDK to remove the recalled message. If iOS runs the SDK, in the app or in its service extension,
    /// the SDK removes the notice too.
    ///
    /// The push sets no badge, because 0 may clear the whole notification list, including the notice.
    private static func notice(
        _ message: ClaimedMessage, _ delivery: ClaimedDelivery, _ now: Timestamp
    ) throws(PayloadError) -> ComposedPush {
        guard let notice = message.notice else { return try removals(delivery, now) }
        let alert = Alert.parts(Alert.Parts(title: notice.title, body: notice.body))
        let payload = Payload(
            aps: Aps(alert: alert, contentAvailable: true, mutableContent: true, interruptionLevel: .passive))
        var key = key(delivery, now)
        key.isNotice = true
        var delivery = delivery
        delivery.removals.removeAll { $0.message == message.id }
        delivery.removals.insert(Removal(message.id, revision: delivery.revision), at: 0)
        let data = try fill(payload, key, delivery, .alert)
        return push(
            delivery, .alert, data, priority: .immediate, until: .end(of: message), collapseID: message.identifier)
    }

    /// Composes a background push with content that the SDK shows as a notification.
    ///
    /// Apple requires priority 5 for background pushes.
    private static func silent(
        _ message: ClaimedMessage, _ delivery: ClaimedDelivery, _ now: Timestamp
    ) throws(PayloadError) -> ComposedPush {
        var shown = message.payload.aps
        shown.contentAvailable = false
        if message.badgeIsUnreadCount, let unread = delivery.unread { shown.badge = unread }
        var key = key(delivery, now)
        if shown.isVisible { key.silent = shown.json }
        var payload = Payload(aps: Aps(contentAvailable: true), custom: message.payload.custom)
        payload.custom.merge(DialectPayload.silent(message, shown: shown), uniquingKeysWith: DialectPayload.joined)
        let data = try fill(payload, key, delivery, .background)
        return push(
            delivery, .background, data, priority: .considerate, until: .until(message), collapseID: message.identifier)
    }

    private static func removals(
        _ delivery: ClaimedDelivery, _ now: Timestamp
    ) throws(PayloadError) -> ComposedPush {
        var payload = Payload(aps: Aps(contentAvailable: true))
        if let message = delivery.message { payload.custom = DialectPayload.removal(message) }
        var key = key(delivery, now)
        (key.id, key.until) = (nil, nil)
        let data = try fill(payload, key, delivery, .background)
        var push = push(
            delivery, .background, data, priority: .considerate, until: .leavingRoom(for: delivery),
            collapseID: removalsCollapseID
        )
        if delivery.message != nil { push.collapseID = push.apnsID.lowercased }
        return push
    }

    /// Composes a push without content that tests whether APNs accepts the token.
    ///
    /// The push's expiration makes APNs try only once, so the push does not displace a message that waits for the device.
    private static func tokenCheck(_ delivery: ClaimedDelivery) throws(PayloadError) -> ComposedPush {
        let data = try Payload(aps: Aps(contentAvailable: true)).validated(for: .background)
        return push(
            delivery, .background, data, priority: .considerate, until: .oneAttempt, collapseID: tokenCheckCollapseID)
    }

    /// Composes a background push with a nonce, with which an installation can prove that it holds the token.
    private static func tokenClaim(_ delivery: ClaimedDelivery, _ now: Timestamp) throws(PayloadError) -> ComposedPush {
        var payload = Payload(aps: Aps(contentAvailable: true))
        let claim = delivery.nonce.map { TokenClaim(installation: delivery.device, nonce: $0) }
        payload.custom[CarillonKey.payloadKey] = CarillonKey(now: now, claim: claim).json
        return push(
            delivery, .background, try payload.validated(for: .background), priority: .considerate, until: .oneAttempt,
            collapseID: tokenClaimCollapseID)
    }

    /// Composes a push that starts, updates or ends a Live Activity.
    ///
    /// The collapse id keeps APNs from storing a repeated start beside the first one.
    private static func liveActivity(_ delivery: ClaimedDelivery) throws(PayloadError) -> ComposedPush {
        guard let activity = delivery.activity else {
            throw PayloadError(key: "", problem: "the push has no Live Activity")
        }
        return push(
            delivery, .liveactivity, try activity.payload(), priority: activity.priority, until: .at(activity.until),
            collapseID: activity.id.rawValue)
    }

    /// Composes a push that reloads an app's widgets, or a control; it has no other content.
    private static func widgets(_ delivery: ClaimedDelivery) throws(PayloadError) -> ComposedPush {
        guard let widget = delivery.widget else {
            throw PayloadError(key: "", problem: "the push is for no widgets")
        }
        let payload = Data(#"{"aps":{"content-changed":true}}"#.utf8)
        return push(
            delivery, widget.pushType, payload, priority: .immediate, until: .at(widget.until),
            collapseID: widgetsCollapseID)
    }

    /// Composes a push that only sets the badge; iOS sets it without any code of the app.
    private static func badge(_ delivery: ClaimedDelivery, _ now: Timestamp) throws(PayloadError) -> ComposedPush {
        let payload = Payload(aps: Aps(badge: delivery.unread ?? 0))
        let data = try fill(payload, key(delivery, now), delivery, .alert)
        return push(
            delivery, .alert, data, priority: .considerate, until: .leavingRoom(for: delivery),
            collapseID: badgeCollapseID)
    }

    private static func key(_ delivery: ClaimedDelivery, _ now: Timestamp) -> CarillonKey {
        CarillonKey(
            id: delivery.message?.id, now: now, until: delivery.message?.until, badge: delivery.unread,
            // The visible push of an assured message is the second attempt at it.
            attempt: delivery.purpose == .fallback ? delivery.attempt + 1 : delivery.attempt,
            revision: delivery.message == nil ? 1 : delivery.revision,
            dialect: delivery.message?.dialect ?? .carillon, keepsReplies: delivery.message?.keepsReplies ?? false)
    }

    /// Encodes a payload, with as many removals (requests to remove older messages) as fit into the push.
    private static func fill(
        _ payload: Payload, _ key: CarillonKey, _ delivery: ClaimedDelivery, _ pushType: PushType
    ) throws(PayloadError) -> Data {
        var count = delivery.removals.count
        while true {
            var key = key
            key.removals = Array(delivery.removals.prefix(count))
            key.needsSync = delivery.hasMoreRemovals || count < delivery.removals.count
            var payload = payload
            payload.custom[CarillonKey.payloadKey] = key.json
            do {
                return try payload.validated(for: pushType)
            } catch  where count > 0 {
                count -= 1
            }
        }
    }

    private static func push(
        _ delivery: ClaimedDelivery, _ pushType: PushType, _ payload: Data, priority: APNsPriority,
        until expiration: APNsExpiration,
        collapseID: String
    ) -> ComposedPush {
        ComposedPush(
            token: delivery.token, app: delivery.app, pushType: pushType, payload: payload, priority: priority,
            expiration: expiration, collapseID: collapseID, apnsID: delivery.apnsID)
    }

    /// Returns the size in bytes of a message's largest push, with everything that Carillon adds.
    ///
    /// Removals of older messages, which a push carries only if they fit, do not count.
    ///
    /// - Throws: `PayloadError` if the push is too large or APNs would reject it.
    static func largestPush(of message: ClaimedMessage, device: String, topic: String) throws(PayloadError) -> Int {
        guard let token = DeviceToken(hex: "00") else { preconditionFailure("two digits are a token") }
        let widest = Timestamp(millisecondsSince1970: 9_999_999_999_999)
        let delivery = ClaimedDelivery(
            number: 0, purpose: .show, lease: Lease(sender: SenderNumber(rawValue: 0), epoch: 0), lane: .single,
            device: device, app: AppID(topic: topic, environment: .production), token: token, revision: 9999,
            attempt: 99, message: message, unread: 999_999, removals: [], hasMoreRemovals: true, hasUnanswered: false)
        let size = try compose(delivery, at: widest).payload.count
        guard message.mode == .assured else { return size }
        var fallback = delivery
        fallback.purpose = .fallback
        return max(size, try compose(fallback, at: widest).payload.count)
    }
}

extension APNsExpiration {
    /// Returns the time until which APNs keeps a push that brings a message.
    ///
    /// APNs tries once to deliver a message that is delivered now or never.
    fileprivate static func until(_ message: ClaimedMessage) -> APNsExpiration {
        message.isNowOrNever ? .oneAttempt : end(of: message)
    }

    /// Returns the time until which APNs keeps a push about a message.
    fileprivate static func end(of message: ClaimedMessage) -> APNsExpiration {
        message.until.map(APNsExpiration.at) ?? .unspecified
    }

    /// Returns the time until which APNs keeps a removal or badge push.
    ///
    /// APNs may keep only one push for an offline device. If a message may be waiting at APNs, the removal or badge push gets
    /// only one attempt. The next push to the device then repeats the removals or the badge.
    fileprivate static func leavingRoom(for delivery: ClaimedDelivery) -> APNsExpiration {
        delivery.hasUnanswered ? .oneAttempt : .unspecified
    }
}
