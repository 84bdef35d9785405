import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A chunk of a range is a delivery for each device")
struct RangeChunkTests {
    private static func message(recalled: Bool = false) -> RangedMessage {
        var message = RangedMessage(
            number: 1, id: MessageID(test: "m"), app: chime, mode: .visible, dialect: .carillon, revision: 1,
            accepted: noon, chunkDevices: 8, planned: 8)
        if recalled { message.isRecalled = true }
        message.ended = noon
        return message
    }

    /// One of each kind: waiting, in flight, accepted, accepted and opened, accepted and removed at its end, with rows.
    private static func chunk() -> RangeChunk {
        var chunk = RangeChunk(addressed: DeviceSet(0..<6))
        _ = chunk.lease(to: SenderNumber(rawValue: 7))
        chunk.handOver(Array(1..<6), at: noon)
        for place in 2..<5 { chunk[.accepted].insert(place) }
        chunk[.opened].insert(3)
        chunk[.ended].insert(4)
        chunk[.row].insert(5)
        return chunk
    }

    @Test("what bits say is what the delivery was", arguments: 0..<5)
    func sameAgain(_ place: Int) throws {
        var chunk = Self.chunk()
        let delivery = try #require(chunk.delivery(at: place, of: Self.message()))
        let before = chunk
        let fits = chunk.keep(delivery, at: place, of: Self.message())
        #expect(fits)
        #expect(chunk == before)
    }

    @Test("who has rows, and who is not meant, has none here")
    func others() {
        #expect(Self.chunk().delivery(at: 5, of: Self.message()) == nil)
        #expect(Self.chunk().delivery(at: 6, of: Self.message()) == nil)
    }

    @Test("a recall and an end of all are what the deliveries decide one by one", arguments: [true, false])
    func allAtOnce(_ isRecall: Bool) throws {
        let message = Self.message(recalled: isRecall)
        var together = Self.chunk()
        if isRecall { together.recall(at: noon) } else { together.end(at: noon) }
        for place in 0..<5 {
            var delivery = try #require(Self.chunk().delivery(at: place, of: message))
            _ = delivery.received(isRecall ? .withdrawn(.recall) : .ended, SendingRules(), at: noon)
            let said = try #require(together.delivery(at: place, of: message))
            #expect(said.show.state == delivery.show.state && said.show.sender == delivery.show.sender, "\(place)")
            #expect(said.removal?.reason == delivery.removal?.reason, "\(place)")
        }
        // Not to whom the push is still on its way.
        #expect(together.untold.places() == (isRecall ? [2, 3, 4] : [2, 4]))
    }

    @Test("that APNs has accepted a push stays in bits; whatever else came of it does not")
    func answers() throws {
        let chunk = Self.chunk()
        let lease = Lease(sender: SenderNumber(rawValue: 7), epoch: 1)
        for (verdict, fits) in [
            (SendVerdict.accepted, true), (.giveUp, false), (.retry(mayHaveArrived: true), false), (.putBack, false),
        ] {
            var (kept, delivery) = (chunk, try #require(chunk.delivery(at: 1, of: Self.message())))
            let answer = claimedPush(lease).settled(.notSent(""))
            _ = delivery.received(.answered(answer, verdict), SendingRules(), at: noon)
            let isKept = kept.keep(delivery, at: 1, of: Self.message())
            #expect(isKept == fits, "\(verdict)")
            if fits { #expect(kept[.accepted].contains(1) && kept.inFlight.isEmpty) } else { #expect(kept == chunk) }
        }
    }

    @Test("one place of the kept bytes says what the chunk says")
    func onePlace() {
        var chunk = Self.chunk()
        // All forms: gaps, a bitmap, and all for whom the message is.
        chunk[.shown] = DeviceSet([3, 700])
        chunk[.received] = DeviceSet(0..<500)
        chunk[.handed] = chunk[.addressed]
        let kept = chunk.encodedMarks
        let marks = EncodedMarks(data: kept)
        #expect(
            RangeChunk(encodedMarks: kept, position: 0, rest: .queued, sender: nil, epoch: 0)?.encodedMarks == kept)
        for mark in ChunkMark.allCases {
            for place in Array(0..<16) + [499, 500, 699, 700, 701, 4095] {
                #expect(marks.contains(mark, place) == chunk[mark].contains(place), "\(mark) \(place)")
            }
        }
        for bytes in [[], [0], [0, 9, 0, 0], [0, 1, 0, 7], [0, 0, 0]] as [[UInt8]] {
            #expect(!EncodedMarks(data: Data(bytes)).contains(.addressed, 0))
        }
    }

    @Test("what has gone to all for whom it is costs hardly more than to say for whom")
    func size() throws {
        var chunk = RangeChunk(addressed: DeviceSet(Array(stride(from: 7, to: 1 << 14, by: 50))))
        let planned = chunk.encodedMarks.count
        #expect(planned == 3 + 1 + 328)
        for mark in [ChunkMark.handed, .accepted] { chunk[mark] = chunk[.addressed] }
        #expect(chunk.encodedMarks.count == planned + 6)
        let sets = RangeChunk(
            encodedMarks: chunk.encodedMarks, position: 0, rest: .queued, sender: nil, epoch: 0)
        for mark in ChunkMark.allCases { #expect(try #require(sets)[mark] == chunk[mark]) }
    }

    @Test(
        "four bytes are enough for a device and its receipts, be they neighbours or every fiftieth", arguments: [1, 50])
    func sizeWithReceipts(_ step: Int) {
        let places = Array(stride(from: 0, to: step == 1 ? 4096 : 1 << 14, by: step))
        var chunk = RangeChunk(addressed: DeviceSet(places))
        var chance = SeededGenerator(seed: 20)
        func some(of hundred: UInt64) -> DeviceSet { DeviceSet(places.filter { _ in chance.next() % 100 < hundred }) }
        for mark in [ChunkMark.handed, .accepted] { chunk[mark] = chunk[.addressed] }
        (chunk[.received], chunk[.shown], chunk[.opened], chunk[.dismissed]) = (
            some(of: 90), some(of: 80), some(of: 20), some(of: 30)
        )
        #expect(chunk.encodedMarks.count <= 4 * places.count)
    }

    @Test("other bytes are no chunk", arguments: [[0x81, 0, 0], [0, 1, 0, 7], [0x1f, 0, 0], [0, 1]] as [[UInt8]])
    func others(_ bytes: [UInt8]) {
        #expect(RangeChunk(encodedMarks: Data(bytes), position: 0, rest: .queued, sender: nil, epoch: 0) == nil)
    }

    @Test(
        "a second push follows to whom the deliveries say, one by one",
        arguments: [DeliveryMode.visible, .silent, .assured], [false, true])
    func awaitingSecondPush(_ mode: DeliveryMode, _ isRecalled: Bool) throws {
        var (message, chunk) = (Self.message(recalled: isRecalled), Self.chunk())
        (message.mode, message.hasNotice) = (mode, isRecalled)
        chunk[.shown].insert(2)
        for mark in [ChunkMark.addressed, .handed, .accepted] { chunk[mark].insert(6) }
        if isRecalled { chunk.recall(at: noon, noticeDue: noon) } else { chunk.followDue = noon }
        let expected = try [0, 1, 2, 3, 4, 6].filter { place in
            let delivery = try #require(chunk.delivery(at: place, of: message))
            return delivery.fallback != nil || delivery.notice != nil
        }
        #expect((SecondPush(of: message)?.devices(in: chunk, of: message.mode).places() ?? []) == expected)
        #expect(expected.isEmpty == (mode == .visible && !isRecalled || mode == .silent && !isRecalled), "\(expected)")
    }

    @Test("is kept and read again, and other bytes are none")
    func encoded() {
        let chunk = Self.chunk()
        var read = RangeChunk(
            encodedMarks: chunk.encodedMarks, position: chunk.position, rest: chunk.rest, sender: chunk.sender,
            epoch: chunk.epoch)
        read?.handedAt = chunk.handedAt
        #expect(read == chunk)
        for bytes in [[99, 1, 0, 0], [0], [0, 9, 0, 0], [0, 1, 0, 7]] as [[UInt8]] {
            #expect(
                RangeChunk(encodedMarks: Data(bytes), position: 0, rest: .queued, sender: nil, epoch: 0) == nil)
        }
    }

    @Test("who was passed over gets nothing, and who waits when it is stopped neither")
    func passedOver() {
        var chunk = RangeChunk(addressed: DeviceSet(0..<4))
        chunk.pass(1)
        #expect(chunk.waiting(limit: 9) == [1, 2, 3])
        chunk.stop(as: .expired)
        chunk.stop(as: .cancelled)
        #expect(!chunk.isOpen && chunk.waiting(limit: 9).isEmpty && chunk.isDone)
        #expect(chunk.delivery(at: 0, of: Self.message())?.show.state == .cancelled)
        #expect(chunk.delivery(at: 1, of: Self.message())?.show.state == .expired)
    }

    @Test(
        "a place has a number that no row has", arguments: [(1, 0), (1, 65_535), (987_654_321, 4095)] as [(Int64, Int)])
    func places(_ chunk: Int64, _ place: Int) {
        let known = ChunkPlace(chunk: chunk, place: place)
        #expect(known.number < 0 && ChunkPlace(number: known.number) == known)
        #expect(ChunkPlace(number: 1) == nil)
    }
}
