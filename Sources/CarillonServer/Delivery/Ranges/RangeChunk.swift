import CarillonCore
import Foundation

/// A message on the devices of a stretch of ordinals: a ``Delivery`` for each, in bits.
///
/// A value. What happens to one device is decided by its ``Delivery``, which is made of the bits and becomes bits again where
/// they can say it; else the device gets rows. What happens to all devices at once (planning, a recall, an end) is decided
/// here, as the deliveries would one by one.
package struct RangeChunk: Sendable, Hashable {
    private var marks: [ChunkMark: DeviceSet] = [:]
    /// The message's revision that it brings.
    package var revision = 1
    /// Places before it have been looked at: who waits there was passed over.
    package private(set) var position = 0
    /// What becomes of those who wait from ``position`` on.
    package private(set) var rest = DeliveryState.queued
    /// Who hands it over.
    package private(set) var sender: SenderNumber?
    /// How often it was leased.
    package private(set) var epoch = 0
    /// When a push of it was handed over last.
    package var handedAt: Timestamp?
    /// When APNs accepted one of it last.
    package var acceptedAt: Timestamp?
    /// When a device reported last.
    package var reportedAt: Timestamp?
    /// When a second push goes to those who need one: the visible one of an assured message, or a recall's notice.
    package var followDue: Timestamp?

    /// Since when those reached are to remove it: because of a recall, of its end, or of a newer revision.
    package var withdrawnAt: Timestamp?
    package var endedAt: Timestamp?
    package var replacedAt: Timestamp?

    package init(addressed: DeviceSet) { self[.addressed] = addressed }

    package subscript(mark: ChunkMark) -> DeviceSet {
        get { marks[mark] ?? DeviceSet() }
        set { marks[mark] = newValue.isEmpty ? nil : newValue }
    }

    // MARK: Who is where

    /// Those who have no rows: what follows is about them.
    var plain: DeviceSet { self[.addressed].subtracting(self[.row]) }
    /// Those to whom nothing was handed over.
    var unsent: DeviceSet { plain.subtracting(self[.handed]) }
    /// Those whose push has no answer yet.
    package var inFlight: DeviceSet { plain.intersection(self[.handed]).subtracting(self[.accepted]) }
    /// Those whose removal was asked for and who are to be sent a push with it.
    ///
    /// Not while the message is on its way to them: the removal must not overtake it.
    package var untold: DeviceSet {
        let asked = plain.intersection(self.asked).subtracting(self[.confirmed]).subtracting(self[.told])
        return sender == nil ? asked : asked.subtracting(inFlight)
    }
    /// Those who were asked to remove the message.
    var asked: DeviceSet { self[.ended].union(self[.withdrawn]).union(self[.replaced]) }
    /// Those who may have it, in this revision or an earlier one.
    var reached: DeviceSet { plain.intersection(self[.handed].union(self[.formerlyHanded])) }
    /// Those who have dealt with the message.
    var settled: DeviceSet { reported([.opened, .dismissed, .expired]) }
    /// Those whose second push has not had its turn.
    ///
    /// - Parameter message: what is known of the message.
    /// - Returns: of an assured message whom APNs has accepted and who have not answered; of one that was recalled with a
    ///   notice who may show it and have not confirmed that it is gone.
    package func followers(of message: RangedMessage) -> DeviceSet {
        let open = plain.subtracting(self[.followed])
        if message.isRecalled {
            guard message.hasNotice else { return DeviceSet() }
            let accepted = self[.accepted].union(self[.formerlyAccepted])
            let shown = message.mode == .visible ? accepted.union(reported(ReceiptEvent.allCases)) : self[.shown]
            let asked = open.intersection(self.asked).subtracting(self[.confirmed])
            let followers = asked.intersection(shown).subtracting(settled)
            return sender == nil ? followers : followers.subtracting(inFlight)
        }
        guard message.mode == .assured, !message.isCancelled else { return DeviceSet() }
        let answered = reported(ReceiptEvent.allCases.filter { $0 != .received })
        return open.intersection(self[.accepted]).subtracting(answered).subtracting(asked)
    }

    private func reported(_ events: [ReceiptEvent]) -> DeviceSet {
        events.reduce(DeviceSet()) { $0.union(self[ChunkMark($1)]) }
    }
    /// Whether somebody still waits for a push.
    package var isOpen: Bool { rest == .queued && !unsent.places(from: position, limit: 1).isEmpty }

    /// The next who wait.
    package func waiting(limit: Int) -> [Int] { rest == .queued ? unsent.places(from: position, limit: limit) : [] }

    // MARK: Sending

    /// A sender takes the chunk, or goes on with it.
    package mutating func lease(to sender: SenderNumber) -> Lease {
        if self.sender != sender { (self.sender, epoch) = (sender, epoch + 1) }
        return Lease(sender: sender, epoch: epoch)
    }

    /// Places before that one have been looked at.
    package mutating func pass(_ position: Int) { self.position = max(self.position, position) }

    /// Pushes are handed over.
    ///
    /// They are counted before: whatever crashes then, nothing that may have arrived is taken for unsent.
    package mutating func handOver(_ places: [Int], at now: Timestamp) {
        guard !places.isEmpty else { return }
        self[.handed] = self[.handed].union(DeviceSet(places))
        handedAt = now
    }

    /// APNs has accepted pushes.
    package mutating func accept(_ places: [Int], at now: Timestamp) {
        self[.accepted] = self[.accepted].union(DeviceSet(places))
        acceptedAt = now
    }

    /// Nobody hands it over any more, because it is done or because its sender is gone.
    package mutating func endLease() { sender = nil }

    /// Whether nothing is left to the sender that has it.
    package var isDone: Bool { !isOpen && inFlight.isEmpty }

    // MARK: All at once

    /// Those who wait get nothing, and no second push follows.
    package mutating func stop(as state: DeliveryState) {
        if rest == .queued { rest = state }
        followDue = nil
    }

    /// What could not be read can be read again.
    package mutating func tryAgain() { if rest == .setAside { rest = .queued } }

    /// The message was recalled: who waits gets nothing, and whom it may have reached is to remove it.
    ///
    /// - Parameters:
    ///   - now: the moment.
    ///   - noticeDue: when those who have not confirmed that get a notice. The default is never.
    package mutating func recall(at now: Timestamp, noticeDue: Timestamp? = nil) {
        stop(as: .cancelled)
        followDue = noticeDue
        withdrawnAt = withdrawnAt ?? now
        self[.withdrawn] = self[.withdrawn].union(reached.subtracting(asked))
    }

    /// Its `until` has passed, and what has expired leaves the screen of those who have not dealt with it.
    package mutating func end(at now: Timestamp) {
        stop(as: .expired)
        endedAt = endedAt ?? now
        self[.ended] = self[.ended].union(reached.subtracting(settled).subtracting(asked))
    }

    /// A newer revision goes out: those for whom that is too leave this chunk, and the others are to remove it.
    ///
    /// - Parameters:
    ///   - meant: whom the newer revision is for, whether or not they can be reached.
    ///   - taken: those of them who get it.
    ///   - now: the moment.
    /// - Returns: of those who leave, whom this revision or an earlier one may have reached.
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

/// How it is kept: for each mark that somebody has its number, the length of the set in two bytes, and the set. Who has one is
/// often all for whom the message is: that is said of the mark (``sameAsAddressed``), in the place of a set.
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

    /// A mark's number with this bit stands for the set of those addressed, which comes first.
    static let sameAsAddressed: UInt8 = 0x80

    /// One that was kept; `nil` for other bytes than ``encodedMarks`` returns.
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
