import CarillonCore

/// A device's reports on the latest revision that was sent to it.
package struct ReceiptSet: OptionSet, Sendable, Hashable {
    package var rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Creates a set with one report.
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

    /// Whether the device has reported more than the push's arrival, so that the device needs no fallback.
    package var isAnswer: Bool { !subtracting(ReceiptSet(.received)).isEmpty }

    /// Whether the device reported the message as opened, dismissed or expired.
    package var isSettled: Bool { !isDisjoint(with: Self.settled) }

    /// The reports that show that the person, or the phone, is done with a message.
    static let settled = ReceiptSet([.opened, .dismissed, .expired])
}
