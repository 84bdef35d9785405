import CarillonCore

/// The set of events that a device has reported about the latest revision that was sent to it.
package struct ReceiptSet: OptionSet, Sendable, Hashable {
    package var rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Creates a set with one reported event.
    ///
    /// The store keeps the raw value, so the bits must never change.
    package init(_ event: ReceiptEvent) {
        rawValue =
            switch event {
            case .received: 1
            case .shown: 2
            case .opened: 4
            case .acted: 8
            case .dismissed: 16
            case .expired: 32
            case .recalled: 64
            }
    }

    package init(_ events: [ReceiptEvent]) { self = events.reduce(into: []) { $0.formUnion(ReceiptSet($1)) } }

    /// Whether the device has reported more than the push's arrival, so that a visible push need not follow a silent
    /// push.
    package var isAnswer: Bool { !subtracting(ReceiptSet(.received)).isEmpty }

    /// Whether the device reported the message as opened, dismissed or expired.
    package var isSettled: Bool { !isDisjoint(with: Self.settled) }

    /// Whether one of the events shows that a push with the message has arrived.
    ///
    /// The confirmation of a removal does not, because the device may have learnt of the removal from the service.
    package var provesArrival: Bool { !isDisjoint(with: Self.arrival) }

    /// The events that show that a push with the message has arrived.
    static let arrival = ReceiptSet([.received, .shown, .opened, .acted, .dismissed])

    /// The events after which the device need not remove the message when it expires, because the person or the phone is done
    /// with it.
    static let settled = ReceiptSet([.opened, .dismissed, .expired])
}
