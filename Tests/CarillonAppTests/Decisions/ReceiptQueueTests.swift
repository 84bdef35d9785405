import CarillonApp
import CarillonCore
import CarillonMessaging
import Testing

@Suite("Receipts wait until the service has them")
struct ReceiptQueueTests {
    private let start = Timestamp(secondsSince1970: 1_800_000_000)

    @Test("the oldest is given up beyond the limit, and is counted")
    func bounded() throws {
        var queue = ReceiptQueue(prefix: "p")
        for number in 0...AppLimits.pendingReceipts { queue.add(.shown, of: try MessageID("m\(number)"), at: start) }
        #expect(queue.pending.count == AppLimits.pendingReceipts)
        #expect(queue.pending.first?.message.rawValue == "m1")
        #expect(queue.droppedCount == 1)
    }

    @Test("a detail is cut between characters, so that the service never finds it too long")
    func details() throws {
        var queue = ReceiptQueue(prefix: "p")
        let id = try MessageID("m")
        let limit = AppLimits.receiptDetailBytes
        queue.add(.acted, of: id, at: start, detail: String(repeating: "a", count: limit - 1) + "é and more")
        queue.add(.acted, of: id, at: start, detail: String(repeating: "a", count: limit))
        #expect(
            queue.pending.map(\.detail) == [
                String(repeating: "a", count: limit - 1), String(repeating: "a", count: limit),
            ])
    }

    @Test("a batch stays until it is settled, and waits out a back-off")
    func batches() throws {
        var queue = ReceiptQueue(prefix: "p")
        for number in 0...AppLimits.receiptsPerBatch { queue.add(.shown, of: try MessageID("m\(number)"), at: start) }
        let batch = queue.batch(at: start)
        #expect(batch.count == AppLimits.receiptsPerBatch)
        queue.backoff.failed(at: start)
        #expect(queue.batch(at: start).isEmpty)
        #expect(queue.batch(at: start + AppLimits.firstRetryWait) == batch)
        queue.settled(batch)
        #expect(queue.pending.count == 1)
    }

    @Test("what says the same has the same id on one installation, and no other has")
    func ids() throws {
        let details: [String?] = [nil, "REPLY"]
        func ids(_ prefix: String) throws -> [String] {
            var queue = ReceiptQueue(prefix: prefix)
            for message in ["m", "n"] {
                for revision in 1...2 {
                    for event in [ReceiptEvent.acted, .shown] {
                        for detail in details {
                            queue.add(event, of: try MessageID(message), revision: revision, at: start, detail: detail)
                        }
                    }
                }
            }
            return queue.pending.map(\.id)
        }
        let once = try ids("0123456789abcdef")
        #expect(try ids("0123456789abcdef") == once && Set(once + (try ids("another"))).count == 32)
        #expect(once.allSatisfy { $0.utf8.count <= 64 })
    }

    @Test("a long detail is cut to its limit")
    func detail() throws {
        var queue = ReceiptQueue(prefix: "p")
        queue.add(.acted, of: try MessageID("m"), at: start, detail: String(repeating: "x", count: 1000))
        #expect(queue.pending.first?.detail?.utf8.count == AppLimits.receiptDetailBytes)
    }
}
