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
            let batch = try await JSONBody.decode(ReceiptBatch.self, request)
            try Self.check(batch)
            let outcome = try await record(batch.receipts, from: device)
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

    private static func check(_ batch: ReceiptBatch) throws(Problem) {
        guard batch.receipts.count <= ServiceLimits.receiptsPerBatch else {
            throw .invalid(
                "/receipts",
                "has \(batch.receipts.count) entries; send at most \(ServiceLimits.receiptsPerBatch) at once")
        }
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
