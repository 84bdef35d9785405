import CarillonCore
import HTTPTypes
import Hummingbird

/// The route `/v1/receipts`, by which phones report that they showed, opened or removed messages.
struct ReceiptRoutes {
    let service: ServiceContext
    let receipts: SyncCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.post("/v1/receipts") { request, _ in
            let device = try await service.callers.installation(request)
            let batch = try await JSONBody.decode(CountedBatch.self, request, limit: ServiceLimits.appBodyBytes)
            try Self.check(batch)
            let outcome = try await record(batch.receipts.map(Self.plain), from: device)
            service.metrics.app(device.app.topic).count(outcome.recorded, shownAfter: outcome.shownAfter)
            return try JSONBody.answer(try await service.sync(device.id))
        }
    }

    /// Stores receipts.
    ///
    /// Until they are stored, the metrics count this call as one that waits for the store (``ServiceMetrics/receiptsUnderWay``).
    private func record(_ batch: [Receipt], from device: DeviceRecord) async throws -> ReceiptOutcome {
        let uptime = service.clock.uptime
        let call = service.metrics.receiptsUnderWay.withLock { $0.begin(at: uptime) }
        defer { service.metrics.receiptsUnderWay.withLock { $0.end(call) } }
        return try await receipts.record(batch, from: device.id, at: service.clock.now)
    }

    /// Returns a receipt without control characters in its texts, apart from the tabs and line breaks of a reply.
    ///
    /// A terminal on which somebody reads the timeline would carry such characters out.
    private static func plain(_ receipt: Receipt) -> Receipt {
        var receipt = receipt
        receipt.detail = receipt.detail.map { plain($0) }
        receipt.reply = receipt.reply.map { text in plain(text) { $0 == "\n" || $0 == "\t" } }
        return receipt
    }

    /// Returns a text without control characters, apart from those that `isKept` names; the default names none.
    static func plain(_ text: String, keeping isKept: (Unicode.Scalar) -> Bool = { _ in false }) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard !isPlain else { return text }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.properties.generalCategory != .control || isKept($0) }))
    }

    private static func check(_ batch: CountedBatch) throws(Problem) {
        for (index, receipt) in batch.receipts.enumerated() {
            guard (try? MessageID(receipt.id)) != nil else {
                throw .invalid("/receipts/\(index)/id", "has 1 to \(MessageID.byteLimit) bytes, like a message's id")
            }
            guard (receipt.detail ?? "").utf8.count <= ServiceLimits.receiptDetailBytes else {
                throw .invalid(
                    "/receipts/\(index)/detail", "has at most \(ServiceLimits.receiptDetailBytes) bytes")
            }
            guard (receipt.reply ?? "").utf8.count <= ServiceLimits.replyBytes else {
                throw .invalid("/receipts/\(index)/reply", "has at most \(ServiceLimits.replyBytes) bytes")
            }
        }
    }
}

/// The body of `POST /v1/receipts`, whose entries are counted before one of them is decoded.
///
/// A body of the largest size has several thousand entries, which take a decoder many times as long as those that are allowed.
private struct CountedBatch: Decodable {
    let receipts: [Receipt]

    private enum CodingKeys: String, CodingKey { case receipts }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let count = try container.nestedUnkeyedContainer(forKey: .receipts).count ?? 0
        guard count <= ServiceLimits.receiptsPerBatch else {
            throw DecodingError.dataCorruptedError(
                forKey: .receipts, in: container,
                debugDescription: "has \(count) entries; send at most \(ServiceLimits.receiptsPerBatch) at once")
        }
        receipts = try container.decode([Receipt].self, forKey: .receipts)
    }
}
