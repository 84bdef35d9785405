import CarillonCore

/// The pushes with messages that APNs may still be keeping for one device, as far as the device's receipts tell.
///
/// For a phone that is offline, APNs keeps the newest push of a kind. A phone that reports a message was online after this message
/// was queued. So no push of that kind which APNs had accepted before waits any longer: the phone has got it, or APNs has
/// replaced it with a newer one.
package struct PushesAtAPNs: Sendable, Hashable {
    /// A kind of push.
    ///
    /// A phone may get a visible push long before an older silent one, which is delayed.
    private enum Kind: Hashable {
        case visible, silent

        init(_ mode: DeliveryMode) { self = mode == .visible ? .visible : .silent }
    }

    /// The time by which APNs had accepted the newest push without a receipt, by kind.
    private var unreported: [Kind: Timestamp] = [:]
    /// The time at which the newest reported message was queued, by the kind of its first push.
    private var reported: [Kind: Timestamp] = [:]

    package init() {}

    /// Adds a message that the device has not reported.
    ///
    /// - Parameters:
    ///   - mode: the message's mode, which determines the kind of its first push.
    ///   - accepted: a time by which APNs had accepted the message's pushes; `nil` if none is known.
    package mutating func add(unreported mode: DeliveryMode, accepted: Timestamp?) {
        let (kind, accepted) = (Kind(mode), accepted ?? Timestamp(millisecondsSince1970: .max))
        unreported[kind] = max(unreported[kind] ?? accepted, accepted)
    }

    /// Adds a message that the device has reported (``ReceiptSet/provesArrival``).
    ///
    /// - Parameters:
    ///   - mode: the message's mode, which determines the kind of its first push.
    ///   - queued: the time at which its revision was queued.
    package mutating func add(reported mode: DeliveryMode, queued: Timestamp) {
        reported[Kind(mode)] = max(reported[Kind(mode)] ?? queued, queued)
    }

    /// Whether a push of one of the unreported messages may still wait at APNs.
    package var isAnyWaiting: Bool {
        unreported.contains { kind, accepted in reported[kind].map { $0 <= accepted } ?? true }
    }
}
