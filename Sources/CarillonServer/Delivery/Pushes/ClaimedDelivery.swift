import CarillonCore
import Foundation

/// A delivery that the store has leased to a sender, with everything needed to compose its push.
package struct ClaimedDelivery: Sendable, Hashable {
    /// The number of the delivery in the store.
    ///
    /// A positive number is a row of the table `deliveries`. A negative number encodes a ``ChunkPlace``: a ``RangeChunk``, which
    /// keeps the deliveries to many devices, and one device in it.
    var number: Int64
    package var purpose: PushPurpose
    /// The sender's exclusive right to send the push.
    var lease: Lease
    var lane: DeliveryLane
    /// The installation id of the device.
    package var device: String
    var app: AppID
    var token: DeviceToken
    /// The message's revision, or the number of a push without a message, such as a badge push.
    ///
    /// Pushes without a message are numbered separately for each device. If such a push belongs to a ``RangeChunk``,
    /// its number is the chunk's number with a minus sign.
    package var revision: Int
    /// The number of the attempt; 2 or more if an earlier attempt may have arrived.
    package var attempt: Int
    /// The message; `nil` for a push without a message, such as a badge push or a removal push for several messages.
    package var message: ClaimedMessage?
    /// The user's unread count; `nil` if the device is bound to no user.
    package var unread: Int?
    /// The device's unconfirmed removals (requests to remove a message), newest first, at most
    /// ``DeliveryLimits/removalsPerPush``.
    package var removals: [Removal]
    /// Whether the device has more unconfirmed removals than ``removals`` holds.
    var hasMoreRemovals: Bool
    /// The nonce that the device must return to prove that it holds the token; `nil` except for a push with
    /// ``PushPurpose/tokenClaim``.
    var nonce: String?
    /// The Live Activity; `nil` except for a push with ``PushPurpose/liveActivity``.
    var activity: ClaimedActivity?
    /// The widgets or the control; `nil` except for a push with ``PushPurpose/widgets``.
    var widget: ClaimedWidget?
    /// Whether APNs may still hold a message for the device (``PushesAtAPNs``).
    ///
    /// Messages that the device must remove do not count. The value is determined only if this delivery's push is a removal or a
    /// badge push; for any other push it is false.
    var hasUnanswered: Bool
    /// The encoded push that devices with equal content share; `nil` if the push is composed for this device alone.
    var encoding: PushEncoding?
    /// The time from which the push could be sent, if this is the first try to show a message; otherwise `nil`.
    ///
    /// Metrics measure the time from there to APNs' answer.
    var since: Timestamp?

    init(
        number: Int64, purpose: PushPurpose, lease: Lease, lane: DeliveryLane, device: String, app: AppID,
        token: DeviceToken, revision: Int, attempt: Int, message: ClaimedMessage? = nil, unread: Int? = nil,
        removals: [Removal], hasMoreRemovals: Bool, nonce: String? = nil, hasUnanswered: Bool,
        encoding: PushEncoding? = nil
    ) {
        (self.number, self.purpose, self.lease, self.lane) = (number, purpose, lease, lane)
        (self.device, self.app, self.token) = (device, app, token)
        (self.revision, self.attempt, self.message, self.unread) = (revision, attempt, message, unread)
        (self.removals, self.hasMoreRemovals, self.nonce) = (removals, hasMoreRemovals, nonce)
        (self.hasUnanswered, self.encoding) = (hasUnanswered, encoding)
    }
}

extension ClaimedDelivery {
    /// The push's `apns-id`.
    ///
    /// All attempts at one delivery have an equal id.
    var apnsID: UUID {
        // No id of a message has the slash.
        let subject =
            activity.map { "\($0.id)/\($0.event.rawValue)" } ?? widget.map { "widgets/\($0.token)" }
            ?? message?.id.rawValue ?? ""
        return PushIdentifier.uuid(message: subject, device: device, purpose: purpose, revision: revision)
    }

    /// The effect of a push on the badge of the app's icon.
    package enum BadgeEffect: Sendable, Hashable {
        case none
        /// The push sets the badge to the user's unread count.
        case unread(Int)
        /// The push sets the badge to a number that the backend has chosen.
        case sender
    }

    /// The effect of this push on the badge of the app's icon.
    ///
    /// Only an alert push sets the badge without any code of the app.
    var badgeEffect: BadgeEffect {
        switch purpose {
        case .badge: return unread.map(BadgeEffect.unread) ?? .none
        case .show, .fallback:
            guard let message, message.mode == .visible || purpose == .fallback else { return .none }
            guard message.badgeIsUnreadCount else { return message.payload.aps.badge == nil ? .none : .sender }
            return unread.map(BadgeEffect.unread) ?? .none
        case .notice, .removal, .tokenCheck, .tokenClaim, .liveActivity, .widgets: return .none
        }
    }
}
