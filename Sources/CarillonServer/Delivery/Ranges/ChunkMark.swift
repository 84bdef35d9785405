import CarillonCore

/// A fact about one device of a chunk, stored as one bit.
///
/// The raw values are stored and must never change.
package enum ChunkMark: UInt8, Sendable, Hashable, CaseIterable {
    /// The message is addressed to the device.
    ///
    /// This mark does not change after the chunk is planned.
    case addressed = 0
    /// A push was handed to APNs, or is being handed over, so the message may have arrived.
    case handed = 1
    /// APNs accepted a push with the message.
    case accepted = 2
    /// The device's delivery is stored as rows, as for a named recipient, because bits cannot express its state.
    ///
    /// The rows take precedence over the device's bits.
    case row = 3
    /// The device must remove the message, because its `until` has passed.
    case ended = 4
    /// The device must remove the message, because it was recalled.
    case withdrawn = 5
    /// A push that asks the device to remove the message was queued.
    case told = 6
    /// The device has confirmed that it removed the message.
    case confirmed = 7
    // The reports of the device.
    case received = 8
    case shown = 9
    case opened = 10
    case acted = 11
    case dismissed = 12
    case expired = 13
    case recalled = 14
    /// The second push of the message (a fallback or a notice) was queued, unless the device is gone.
    case followed = 15
    /// An earlier revision of the message may have arrived.
    case formerlyHanded = 16
    /// APNs accepted an earlier revision of the message.
    case formerlyAccepted = 17
    /// The device must remove the message, because a newer revision is not addressed to it.
    case replaced = 18

    package init(_ event: ReceiptEvent) {
        self =
            switch event {
            case .received: .received
            case .shown: .shown
            case .opened: .opened
            case .acted: .acted
            case .dismissed: .dismissed
            case .expired: .expired
            case .recalled: .recalled
            }
    }
}
