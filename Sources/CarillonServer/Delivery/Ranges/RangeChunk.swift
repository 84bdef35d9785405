import CarillonCore
import Foundation

/// The deliveries of one message to a range of an app's devices, kept as bitmaps with a bit for each device, instead of rows.
///
/// Every device of an app has an ordinal, its running number in the app. A chunk covers consecutive ordinals; a device's position
/// in the chunk is its ordinal minus the chunk's first ordinal. For each flag (``ChunkMark``), the chunk has the set of devices
/// for which the flag is set (``DeviceSet``).
///
/// For an event of one device, the chunk makes a ``Delivery`` from the device's bits, and the delivery decides what changes. The
/// chunk keeps the changed delivery if bits can express it; otherwise the delivery is stored in rows.
///
/// For an event of all devices at once, such as a recall or an expiry, the chunk decides what changes. Deciding for each delivery
/// alone would give an equal result.
package struct RangeChunk: Sendable, Hashable {
    private var marks: [ChunkMark: DeviceSet] = [:]
    /// The revision of the message that this ``RangeChunk`` sends.
    package var revision = 1
    /// The position in this ``RangeChunk`` from which a sender continues to send.
    ///
    /// For each device before this position, a sender has handed the push to APNs or has skipped the device.
    package private(set) var position = 0
    /// The common state of the pushes to the devices from ``position`` on; none of these pushes was handed to APNs.
    package private(set) var rest = DeliveryState.queued
    /// The sender that has leased this ``RangeChunk``, and so may send its pushes; `nil` if none has.
    package private(set) var sender: SenderNumber?
    /// The time before which no sender leases this ``RangeChunk``; `nil` if it may be leased at once.
    ///
    /// In a message in local time, it is the moment of all addressed devices.
    package var due: Timestamp?
    /// The number of times that senders have leased this ``RangeChunk``.
    package private(set) var epoch = 0
    /// The time at which one of this ``RangeChunk``'s pushes was last handed to APNs; `nil` if none was handed over.
    package var handedAt: Timestamp?
    /// The time at which APNs last accepted one of this ``RangeChunk``'s pushes; `nil` if it has accepted none.
    package var acceptedAt: Timestamp?
    /// The time of the last receipt from one of this ``RangeChunk``'s devices; `nil` if none has come.
    package var reportedAt: Timestamp?
    /// The time at which the second pushes (``SecondPush``) become due; `nil` if there will be none.
    ///
    /// A second push is a recall's notice, or the visible push of a message with ``DeliveryMode/assured`` that a device has not
    /// reported as shown.
    package var followDue: Timestamp?

    /// The time at which the message was recalled, so that devices must remove it; `nil` before.
    package var withdrawnAt: Timestamp?
    /// The time at which the message expired, so that devices must remove it; `nil` before.
    package var endedAt: Timestamp?
    /// The time at which a newer revision replaced the message; `nil` while none has replaced it.
    ///
    /// Since that time, devices to which the newer revision is not addressed must remove the message.
    package var replacedAt: Timestamp?

    package init(addressed: DeviceSet) { self[.addressed] = addressed }

    /// Makes a chunk of devices that are skipped: they do not get the message.
    package init(skipped: DeviceSet) {
        self[.addressed] = skipped
        rest = .skipped
    }

    package subscript(mark: ChunkMark) -> DeviceSet {
        get { marks[mark] ?? DeviceSet() }
        set { marks[mark] = newValue.isEmpty ? nil : newValue }
    }

    // MARK: Devices by state

    /// The addressed devices whose deliveries are kept in the bitmaps of this ``RangeChunk``.
    ///
    /// If the bits cannot express a delivery, it is stored in database rows instead.
    var plain: DeviceSet { self[.addressed].subtracting(self[.row]) }
    /// The devices whose push has not been handed to APNs.
    ///
    /// Devices whose deliveries are stored in database rows, and not in the bitmaps of this ``RangeChunk``, are left out.
    var unsent: DeviceSet { plain.subtracting(self[.handed]) }
    /// The devices whose push was handed to APNs but not accepted yet.
    ///
    /// Devices whose deliveries are stored in database rows, and not in the bitmaps of this ``RangeChunk``, are left out.
    package var inFlight: DeviceSet { plain.intersection(self[.handed]).subtracting(self[.accepted]) }
    /// The devices that must remove the message and for which no removal push was queued yet.
    ///
    /// Devices whose push with the message is still in flight are left out, because the removal must not overtake the message.
    package var untold: DeviceSet {
        let asked = plain.intersection(self.asked).subtracting(self[.confirmed]).subtracting(self[.told])
        return sender == nil ? asked : asked.subtracting(inFlight)
    }
    /// The devices that must remove the message, because it was recalled, has expired, or was replaced by a newer revision.
    var asked: DeviceSet { self[.ended].union(self[.withdrawn]).union(self[.replaced]) }
    /// The devices that the message may have reached, in this revision or an earlier one.
    ///
    /// Devices whose deliveries are stored in database rows, and not in the bitmaps of this ``RangeChunk``, are left out.
    var reached: DeviceSet { plain.intersection(self[.handed].union(self[.formerlyHanded])) }
    /// The devices that reported the message as opened, dismissed or expired, and so need not remove it when it expires.
    var settled: DeviceSet { reported([.opened, .dismissed, .expired]) }
    /// Returns the devices that have sent a receipt for at least one of these events.
    func reported(_ events: [ReceiptEvent]) -> DeviceSet {
        events.reduce(DeviceSet()) { $0.union(self[ChunkMark($1)]) }
    }
    /// Whether at least one push of this ``RangeChunk`` waits to be sent.
    package var isOpen: Bool { rest == .queued && !unsent.places(from: position, limit: 1).isEmpty }

    /// Returns the positions in this ``RangeChunk`` of the first devices whose pushes wait to be sent, at most `limit`.
    package func waiting(limit: Int) -> [Int] { rest == .queued ? unsent.places(from: position, limit: limit) : [] }

    // MARK: Sending

    /// Leases this ``RangeChunk`` to a sender, or returns the lease that the sender already has.
    package mutating func lease(to sender: SenderNumber) -> Lease {
        if self.sender != sender { (self.sender, epoch) = (sender, epoch + 1) }
        return Lease(sender: sender, epoch: epoch)
    }

    /// Moves the property ``position``, from which a sender continues to send, forward to a given position; a lower position
    /// changes nothing.
    ///
    /// A sender hands the pushes to the devices before the new position to APNs, or skips them.
    package mutating func pass(_ position: Int) { self.position = max(self.position, position) }

    /// Records that the pushes to the devices at `places`, positions in this ``RangeChunk``, are about to be handed to APNs.
    ///
    /// The caller stores this record before the hand-over. So even after a crash, a push that may have arrived is never marked as
    /// unsent.
    package mutating func handOver(_ places: [Int], at now: Timestamp) {
        guard !places.isEmpty else { return }
        self[.handed] = self[.handed].union(DeviceSet(places))
        handedAt = now
    }

    /// Records that APNs has accepted the pushes to the devices at `places`, positions in this ``RangeChunk``.
    ///
    /// No places are given for a push whose delivery is stored in rows by now.
    package mutating func accept(_ places: [Int], at now: Timestamp) {
        self[.accepted] = self[.accepted].union(DeviceSet(places))
        // Only grows, even if the clock was set back: no push of the chunk was accepted later.
        acceptedAt = max(acceptedAt ?? now, now)
    }

    /// Ends the sender's lease of this ``RangeChunk``, because the chunk is done or its sender is gone.
    package mutating func endLease() { sender = nil }

    /// Whether the sender that leases this ``RangeChunk`` has nothing left to send in it and waits for no answer.
    package var isDone: Bool { !isOpen && inFlight.isEmpty }

    /// Whether nothing is left to send in this ``RangeChunk``, not even second pushes (``SecondPush``).
    var isFinished: Bool { isDone && followDue == nil }

    // MARK: All devices at once

    /// Gives this ``RangeChunk``'s waiting pushes a final state, and cancels the fallbacks or notices (``SecondPush``) that would
    /// follow.
    package mutating func stop(as state: DeliveryState) {
        if rest == .queued { rest = state }
        followDue = nil
    }

    /// Queues this ``RangeChunk``'s pushes again if the chunk was set aside because it could not be decoded; any sender may then
    /// lease it.
    package mutating func tryAgain() {
        guard rest == .setAside else { return }
        rest = .queued
        endLease()
    }

    /// Recalls the message in this chunk: cancels waiting pushes, and marks the devices that must remove the message.
    ///
    /// - Parameters:
    ///   - now: the time of the recall.
    ///   - noticeDue: the due time of the notice, a push to the devices that have not confirmed the removal; `nil`, the default,
    ///     if the recall has no notice.
    package mutating func recall(at now: Timestamp, noticeDue: Timestamp? = nil) {
        stop(as: .cancelled)
        followDue = noticeDue
        withdrawnAt = withdrawnAt ?? now
        self[.withdrawn] = self[.withdrawn].union(reached.subtracting(asked))
    }

    /// Expires the message in this ``RangeChunk``, because its `until` has passed.
    ///
    /// Waiting pushes expire. Devices that the message may have reached must remove it, except those that reported it as opened,
    /// dismissed or expired.
    package mutating func end(at now: Timestamp) {
        stop(as: .expired)
        endedAt = endedAt ?? now
        self[.ended] = self[.ended].union(reached.subtracting(settled).subtracting(asked))
    }

    /// Ends the sending of this chunk's message, because a newer revision replaces it, and moves the reachable recipients of the
    /// newer revision to a new chunk.
    ///
    /// Devices to which the newer revision is not addressed stay in this chunk and must remove the message.
    ///
    /// - Parameters:
    ///   - meant: the devices to which the newer revision is addressed, whether or not a push can reach them.
    ///   - taken: the devices of `meant` that a push can reach; they leave this chunk.
    ///   - now: the time of the replacement.
    /// - Returns: the new chunk, with the devices that left. Its flags ``ChunkMark/formerlyHanded`` and
    ///   ``ChunkMark/formerlyAccepted`` show which of these devices may have received an older revision.
    package mutating func replace(meant: DeviceSet, taken: DeviceSet, at now: Timestamp) -> RangeChunk {
        stop(as: .cancelled)
        var former = RangeChunk(addressed: self[.addressed].intersection(taken))
        former[.formerlyHanded] = reached.intersection(taken)
        former[.formerlyAccepted] = plain.intersection(self[.accepted].union(self[.formerlyAccepted])).intersection(
            taken)
        for mark in ChunkMark.allCases { self[mark] = self[mark].subtracting(taken) }
        replacedAt = replacedAt ?? now
        self[.replaced] = self[.replaced].union(reached.subtracting(meant).subtracting(asked))
        return former
    }
}

/// Encodes the flags of a chunk into bytes, and decodes them.
///
/// For each flag (``ChunkMark``) that at least one device has, the bytes contain the flag's number, the length of the
/// ``DeviceSet`` in two bytes, and the set. Often all addressed devices have a flag; such a flag is stored without its set
/// (``sameAsAddressed``).
extension RangeChunk {
    var encodedMarks: Data {
        var data = Data()
        for mark in ChunkMark.allCases {
            guard let set = marks[mark] else { continue }
            guard mark == .addressed || set != marks[.addressed] else {
                data.append(contentsOf: [mark.rawValue | Self.sameAsAddressed, 0, 0])
                continue
            }
            let bytes = set.encoded
            data.append(contentsOf: [mark.rawValue, UInt8(bytes.count & 0xff), UInt8(bytes.count >> 8)])
            data.append(bytes)
        }
        return data
    }

    /// The highest bit of an encoded flag's first byte; it is set if exactly the addressed devices have the flag.
    ///
    /// The other bits are the flag's number (``ChunkMark``). If the bit is set, the flag is stored without its set of devices,
    /// because the set of addressed devices is stored already.
    static let sameAsAddressed: UInt8 = 0x80

    /// Decodes a stored ``RangeChunk``.
    ///
    /// The result is `nil` for bytes that ``encodedMarks`` does not produce.
    init?(encodedMarks data: Data, position: Int, rest: DeliveryState, sender: SenderNumber?, epoch: Int) {
        (self.position, self.rest, self.sender, self.epoch) = (position, rest, sender, epoch)
        var bytes = Array(data)[...]
        while let tag = bytes.popFirst() {
            guard let mark = ChunkMark(rawValue: tag & ~Self.sameAsAddressed), bytes.count >= 2 else { return nil }
            let length = Int(bytes.removeFirst()) | Int(bytes.removeFirst()) << 8
            if tag & Self.sameAsAddressed != 0 {
                guard length == 0, let addressed = marks[.addressed] else { return nil }
                marks[mark] = addressed
                continue
            }
            guard bytes.count >= length, let set = DeviceSet(encoded: bytes.prefix(length)) else { return nil }
            marks[mark] = set
            bytes = bytes.dropFirst(length)
        }
    }
}
