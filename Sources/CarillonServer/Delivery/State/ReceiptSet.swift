import CarillonCore

/// What a device has reported about the revision of a message that it was sent last.
package struct ReceiptSet: OptionSet, Sendable, Hashable {
    package var rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The set with one report in it.
    ///
    /// The bits are stored: they must never change.
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

    /// Whether the device has said more than that the push came: it needs no visible one in its place.
    package var isAnswer: Bool { !subtracting(ReceiptSet(.received)).isEmpty }

    /// Whether the message is done with on that device: read, or gone from its screen.
    package var isSettled: Bool { !isDisjoint(with: Self.settled) }

    /// What says that the message is done with.
    static let settled = ReceiptSet([.opened, .dismissed, .expired])
}
