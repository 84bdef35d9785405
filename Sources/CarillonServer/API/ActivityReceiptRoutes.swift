import CarillonCore
import HTTPTypes
import Hummingbird

/// The route `/v1/devices/{id}/live-activities`, by which phones report what they show, and learn the newest states.
struct ActivityReceiptRoutes {
    let service: ServiceContext
    let activities: LiveActivityCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.post("/v1/devices/{id}/live-activities") { request, context in
            let device = try await service.callers.installation(request, is: try context.parameters.require("id"))
            var body = try await JSONBody.decode(
                LiveActivityReceipts.self, request, limit: ServiceLimits.appBodyBytes)
            try Self.check(body.receipts)
            for index in body.receipts.indices {
                body.receipts[index].detail = body.receipts[index].detail.map { ReceiptRoutes.plain($0) }
            }
            return try JSONBody.answer(
                try await activities.record(body.receipts, from: device.id, at: service.clock.now))
        }
    }

    private static func check(_ receipts: [LiveActivityReceipt]) throws(Problem) {
        guard receipts.count <= LiveActivityReceipt.limit else {
            throw .invalid(
                "/receipts", "has \(receipts.count) entries; send at most \(LiveActivityReceipt.limit) at once")
        }
        for (index, receipt) in receipts.enumerated() {
            guard (1...LiveActivityToken.typeByteLimit).contains(receipt.type.utf8.count) else {
                throw .invalid(
                    "/receipts/\(index)/type", "has 1 to \(LiveActivityToken.typeByteLimit) bytes")
            }
            guard (try? MessageID(receipt.id)) != nil else {
                throw .invalid("/receipts/\(index)/id", "has 1 to \(MessageID.byteLimit) bytes, like a message's id")
            }
            guard (receipt.detail ?? "").utf8.count <= LiveActivityReceipt.detailByteLimit else {
                throw .invalid(
                    "/receipts/\(index)/detail", "has at most \(LiveActivityReceipt.detailByteLimit) bytes")
            }
            let isAboutContent = receipt.event == .updated || receipt.event == .undecodable
            guard !isAboutContent || receipt.timestamp != nil else {
                throw .invalid("/receipts/\(index)/timestamp", "is missing: the timestamp of the content")
            }
        }
    }
}
