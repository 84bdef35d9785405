import CarillonCore

/// Finds the devices of a ``RangeChunk`` that need a fallback (a visible push after a silent one) or a notice (which replaces a
/// recalled message).
extension SecondPush {
    /// Returns the devices of a ``RangeChunk`` that need this push and for which it is not queued yet.
    ///
    /// The result omits devices whose deliveries are stored in rows of the table `deliveries`. For the other devices, it agrees
    /// with ``next(for:)``.
    ///
    /// - Parameters:
    ///   - chunk: a chunk of a message that may have this push.
    ///   - mode: the message's mode.
    /// - Returns: the devices.
    package func devices(in chunk: RangeChunk, of mode: DeliveryMode) -> DeviceSet {
        let open = chunk.plain.subtracting(chunk[.followed])
        switch self {
        case .fallback:
            let answered = chunk.reported(ReceiptEvent.allCases.filter { $0 != .received })
            return open.intersection(chunk[.accepted]).subtracting(answered).subtracting(chunk.asked)
        case .notice:
            let accepted = chunk[.accepted].union(chunk[.formerlyAccepted])
            let shown = mode == .visible ? accepted.union(chunk.reported(ReceiptEvent.allCases)) : chunk[.shown]
            let asked = open.intersection(chunk.asked).subtracting(chunk[.confirmed])
            let devices = asked.intersection(shown).subtracting(chunk.settled)
            return chunk.sender == nil ? devices : devices.subtracting(chunk.inFlight)
        }
    }
}
