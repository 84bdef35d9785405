import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

@Suite("A second push")
struct SecondPushTests {
    private static let seeds = Seeds(fixed: 1...100, drawn: 300, filter: "SecondPushTests")

    @Test("follows a chunk's devices for which the deliveries decide so one by one, whatever has happened before")
    func bySets() throws {
        var followed: Set<SecondPush> = []
        for seed in Self.seeds.all {
            var history = History(seed)
            for step in 1...40 {
                let what = history.go()
                let message = history.message
                let together = SecondPush(of: message)?.devices(in: history.chunk, of: message.mode).places() ?? []
                let single = history.alone.filter { SecondPush.next(for: $0.value) != nil }.keys.sorted()
                #expect(together == single, "step \(step): \(what); \(Self.seeds.again(seed))")
                if together != single { return }
                if let second = SecondPush(of: message), !single.isEmpty { followed.insert(second) }
            }
        }
        #expect(Self.seeds.areAskedFor || followed == [.fallback, .notice], "histories reach both")
    }

    @Test("of a broadcast is due with the chunk's others, and at once for a device that answers no silent push")
    func due() {
        var (delivery, rules) = (
            Delivery(mode: .assured, user: nil, show: Push(revision: 1, queued: noon, due: noon)), SendingRules()
        )
        (rules.assuredWait, rules.broadcastWait) = (.seconds(60), .seconds(600))
        for (isRanged, wait) in [(false, Duration.seconds(60)), (true, .seconds(600))] {
            delivery.isRanged = isRanged
            #expect(SecondPush.fallback.due(for: delivery, rules, at: noon) == noon + wait)
            #expect(SecondPush.notice.due(for: delivery, rules, at: noon) == noon + .seconds(60))
        }
        delivery.silentUnanswered = rules.silentBeforeFallbackAtOnce
        for second in [SecondPush.fallback, .notice] { #expect(second.due(for: delivery, rules, at: noon) == noon) }
    }
}

/// A broadcast to a few devices, kept twice: in the bits of a chunk, and as one delivery for each device.
private struct History {
    private static let places = 12
    private static let sender = SenderNumber(rawValue: 7)

    private var chance: SeededGenerator
    private(set) var message: RangedMessage
    private(set) var chunk = RangeChunk(addressed: DeviceSet(0..<places))
    /// The deliveries of the devices without rows, by place.
    private(set) var alone: [Int: Delivery] = [:]

    init(_ seed: UInt64) {
        chance = SeededGenerator(seed: seed)
        message = RangedMessage(
            number: 1, id: MessageID(test: "m"), app: chime, mode: .visible, dialect: .carillon, revision: 1,
            accepted: noon, chunkDevices: Self.places, planned: Int64(Self.places))
        message.mode = pick([.visible, .silent, .assured, .assured])
        for place in 0..<Self.places {
            alone[place] = Delivery(mode: message.mode, user: nil, show: Push(revision: 1, queued: noon, due: noon))
            alone[place]?.isRanged = true
        }
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(chance.next() % UInt64(values.count))] }

    private mutating func some(_ places: [Int]) -> [Int] { places.filter { _ in chance.next() % 3 == 0 } }

    /// Lets something happen to both, and says what.
    mutating func go() -> String {
        switch chance.next() % 16 {
        case 0...2: handOver()
        case 3...5: accept()
        case 6...9: report()
        case 10: loseRows()
        case 11: follow()
        case 12: endOrCancel()
        case 13: recall()
        case 14: lapse()
        default: replace()
        }
    }

    private mutating func receive(_ event: DeliveryEvent, at places: [Int]) {
        for place in places { _ = alone[place]?.received(event, SendingRules(), at: noon) }
    }

    private mutating func handOver() -> String {
        guard chunk.rest == .queued, chunk.revision == message.revision else { return "nothing" }
        let places = some(chunk.waiting(limit: Self.places))
        guard !places.isEmpty else { return "nothing" }
        _ = chunk.lease(to: Self.sender)
        chunk.handOver(places, at: noon)
        receive(.leased(.show, to: Self.sender), at: places)
        return "handed over \(places)"
    }

    private mutating func accept() -> String {
        let places = some(chunk.inFlight.subtracting(chunk.asked).places())
        chunk.accept(places, at: noon)
        for place in places {
            guard let push = alone[place]?.show else { continue }
            let lease = Lease(sender: Self.sender, epoch: push.epoch)
            let answer = claimedPush(lease, revision: push.revision, attempt: push.attempt).settled()
            receive(.answered(answer, .accepted), at: [place])
            // Whether the push waits already is not in the bits.
            alone[place]?.fallback = nil
            alone[place]?.notice = nil
        }
        if chunk.isDone { chunk.endLease() }
        return "accepted \(places)"
    }

    private mutating func report() -> String {
        let place = Int(chance.next() % UInt64(Self.places))
        let event = pick(ReceiptEvent.allCases)
        guard chunk[.handed].contains(place), var delivery = chunk.delivery(at: place, of: message) else {
            return "nothing"
        }
        _ = delivery.received(.reported(event, revision: chunk.revision), SendingRules(), at: noon)
        (delivery.fallback, delivery.notice) = (nil, nil)
        if chunk.keep(delivery, at: place, of: message) {
            receive(.reported(event, revision: chunk.revision), at: [place])
        } else {
            giveRows(place)
        }
        return "reported \(event) at \(place)"
    }

    private mutating func giveRows(_ place: Int) {
        chunk[.row].insert(place)
        alone[place] = nil
    }

    private mutating func loseRows() -> String {
        let place = Int(chance.next() % UInt64(Self.places))
        giveRows(place)
        return "rows at \(place)"
    }

    private mutating func follow() -> String {
        let devices = SecondPush(of: message)?.devices(in: chunk, of: message.mode).places() ?? []
        let places = some(devices)
        for place in places { giveRows(place) }
        chunk[.followed] = chunk[.followed].union(DeviceSet(places))
        return "followed \(places)"
    }

    private mutating func endOrCancel() -> String {
        guard !message.isRecalled else { return "nothing" }
        guard chance.next() % 2 == 0 else {
            message.isCancelled = true
            chunk.stop(as: .cancelled)
            for place in alone.keys { alone[place]?.isCancelled = true }
            receive(.cancelled(""), at: Array(alone.keys))
            return "cancelled"
        }
        chunk.end(at: noon)
        receive(.ended, at: Array(alone.keys))
        return "ended"
    }

    private mutating func recall() -> String {
        guard !message.isRecalled else { return "nothing" }
        (message.isRecalled, message.hasNotice) = (true, chance.next() % 3 > 0)
        chunk.recall(at: noon)
        for place in alone.keys {
            alone[place]?.isRecalled = true
            alone[place]?.hasNotice = message.hasNotice
        }
        receive(.withdrawn(.recall), at: Array(alone.keys))
        for place in alone.keys { alone[place]?.notice = nil }
        return "recalled \(message.hasNotice ? "with a notice" : "")"
    }

    /// The sender is gone: its pushes in flight get rows.
    private mutating func lapse() -> String {
        let places = chunk.inFlight.places()
        for place in places { giveRows(place) }
        chunk.endLease()
        return "lapsed \(places)"
    }

    private mutating func replace() -> String {
        guard chunk.inFlight.isEmpty, !message.isRecalled, chance.next() % 2 == 0 else { return "nothing" }
        let taken = some(chunk[.addressed].places())
        guard !taken.isEmpty else { return "nothing" }
        message.revision += 1
        message.isCancelled = false
        let meant = DeviceSet(taken)
        if chance.next() % 2 == 0 {
            // The devices that the newer revision is for go on in a chunk of their own.
            let rows = chunk[.row].intersection(meant)
            chunk = chunk.replace(meant: meant, taken: meant, at: noon)
            (chunk.revision, chunk[.row]) = (message.revision, rows)
            alone = alone.filter { meant.contains($0.key) }
            for place in alone.keys { alone[place]?.isCancelled = false }
            receive(.accepted(revision: message.revision, user: nil), at: Array(alone.keys))
        } else {
            // The other devices stay, and must remove the message.
            _ = chunk.replace(meant: meant, taken: meant, at: noon)
            alone = alone.filter { !meant.contains($0.key) }
            for place in alone.keys { alone[place]?.isCancelled = false }
            receive(.withdrawn(.replaced), at: Array(alone.keys))
        }
        return "replaced, for \(taken)"
    }
}
