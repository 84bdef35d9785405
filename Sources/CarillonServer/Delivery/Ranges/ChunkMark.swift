import CarillonCore

/// What is kept of a device of a chunk, each as one bit.
///
/// The numbers are stored: they must never change.
package enum ChunkMark: UInt8, Sendable, Hashable, CaseIterable {
    /// The message is for it: fixed when the chunk was planned.
    case addressed = 0
    /// A push was handed to APNs, or is being handed over: the message may have arrived.
    case handed = 1
    case accepted = 2
    /// More is to be kept of it than bits can say: it has rows like a named recipient, and they hold.
    case row = 3
    /// It is to remove the message, because its `until` has passed.
    case ended = 4
    /// It is to remove the message, because it was recalled.
    case withdrawn = 5
    /// A push with that removal was queued.
    case told = 6
    /// It says that the message is gone.
    case confirmed = 7
    // What it has reported.
    case received = 8
    case shown = 9
    case opened = 10
    case acted = 11
    case dismissed = 12
    case expired = 13
    case recalled = 14
    /// Its second push, a fallback or a notice, has had its turn.
    case followed = 15
    /// An earlier revision may have arrived, and APNs has accepted that.
    case formerlyHanded = 16
    case formerlyAccepted = 17
    /// It is to remove the message, because a newer revision is not for it.
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
