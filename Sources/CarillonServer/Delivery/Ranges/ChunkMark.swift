import CarillonCore

/// A flag of one device of a ``RangeChunk``, stored as one bit.
///
/// A chunk stores the deliveries of one message to a range of devices. The raw values are stored and must never change.
package enum ChunkMark: UInt8, Sendable, Hashable, CaseIterable {
    /// The message is addressed to the device.
    ///
    /// This flag does not change after the ``RangeChunk`` is created.
    case addressed = 0
    /// A push with the message was handed to APNs, or is being handed over, so the message may have reached the device.
    case handed = 1
    /// APNs accepted a push with the message.
    case accepted = 2
    /// The device's delivery is stored in rows of the table `deliveries`, because bits cannot express the delivery's state.
    ///
    /// The rows take precedence over the device's bits.
    case row = 3
    /// The device must remove the message, because its `until` has passed.
    case ended = 4
    /// The device must remove the message, because the message was recalled.
    case withdrawn = 5
    /// A push that asks the device to remove the message was queued.
    case told = 6
    /// The device has confirmed that it removed the message.
    case confirmed = 7
    // Flags for the receipts that the device has sent, one for each ``ReceiptEvent``.
    case received = 8
    case shown = 9
    case opened = 10
    case acted = 11
    case dismissed = 12
    case expired = 13
    case recalled = 14
    /// The message's fallback or notice (``SecondPush``) need not be queued for the device any more.
    ///
    /// The push was queued already, or the device is no longer registered.
    case followed = 15
    /// A push with an earlier revision of the message was handed to APNs, so that revision may have reached the device.
    case formerlyHanded = 16
    /// APNs accepted a push with an earlier revision of the message.
    case formerlyAccepted = 17
    /// The device must remove the message, because a newer revision of the message is not addressed to the device.
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
