import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The routes of `/v1/notifications`: the calls of backends about messages.
struct NotificationRoutes {
    let service: ServiceContext
    let messages: MessageCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.post("/v1/notifications") { request, context in try await send(request, context) }
        router.get("/v1/notifications/{id}") { request, context in try await report(request, context) }
        router.delete("/v1/notifications/{id}") { request, context in try await recall(request, context, nil) }
        router.post("/v1/notifications/{id}/recall") { request, context in
            try await recall(request, context, try await Self.notice(request))
        }
        for change in SendingChange.allCases {
            router.post(RouterPath("/v1/notifications/{id}/\(change.rawValue)")) { request, context in
                try await steer(request, context, change)
            }
        }
        router.get("/v1/notifications/{id}/timeline") { request, context in try await timeline(request, context) }
    }

    private func send(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let key = try await service.callers.key(request, may: .send)
        let now = service.clock.now
        let rules = MessageRequest.Rules(
            key: key, topic: CallerAuthentication.topic(request), now: now,
            freshID: service.drawnMessageID(at: now),
            idempotencyKey: try Self.idempotencyKey(request, key))
        let wanted = try MessageRequest(try await JSONBody.object(request), rules)
        if wanted.isDryRun { return try await dryRun(wanted, at: now) }
        let message = wanted.message
        try await service.requireRoom(in: message.app)
        switch try await messages.accept(message, at: now) {
        case .accepted(let answer):
            let pushes = answer.devices ?? DeliveryLimits.devicesWithRows
            service.backlog.withLock { $0.accepted(devices: pushes, for: message.app.number) }
            service.metrics.app(message.app.topic).countMessage()
            if message.audience.isBroadcast { tell("a broadcast was accepted", message.id, message.app, context) }
            return try JSONBody.answer(answer, status: .accepted)
        case .repeated(let answer): return try JSONBody.answer(answer, status: .accepted)
        case .refused(let refusal): throw Self.problem(refusal, message.id)
        }
    }

    private static func idempotencyKey(_ request: Request, _ caller: APIKeyRecord) throws -> IdempotencyKey? {
        guard let name = HTTPField.Name("Idempotency-Key"), let key = request.headers[name] else { return nil }
        guard (1...ServiceLimits.idempotencyKeyBytes).contains(key.utf8.count) else {
            throw Problem(
                .unprocessableContent, "invalid-value", "A value cannot be accepted",
                "the header Idempotency-Key has 1 to \(ServiceLimits.idempotencyKeyBytes) bytes")
        }
        return IdempotencyKey(owner: caller.id, key: key)
    }

    private static func problem(_ refusal: Acceptance.Refusal, _ id: MessageID) -> Problem {
        switch refusal {
        case .idempotencyKeyReused:
            .conflict(
                "idempotency-key-reused",
                "this Idempotency-Key came before with another body; use a new key for another message")
        case .recalled:
            .conflict(
                "message-recalled",
                "this very message \(id) was recalled; to send it again all the same, use another id or other content",
                pointer: "/id")
        case .cancelled:
            .conflict(
                "message-cancelled",
                "this very message \(id) was cancelled; to send it again all the same, use another id or other content",
                pointer: "/id")
        case .alreadySent:
            .conflict(
                "already-sent",
                "a message with the id \(id) has gone out, and what replaces it does so at once: leave send_at out, or use another id",
                pointer: "/send_at")
        case .otherAudience:
            .conflict(
                "other-audience",
                #"the id \#(id) belongs to a message for others; use another id, or add "replace": true: whoever is no longer addressed loses the message"#,
                pointer: "/id")
        case .audienceTooLarge: tooManyDevices
        case .needsRanges:
            .conflict(
                "sent-by-ranges",
                "this is for more than \(StoreLimits.audienceDevices) devices, and the message \(id) was to named users or devices, or the app had few devices then: recall that one, and use another id",
                pointer: "/id")
        }
    }

    static let tooManyDevices = Problem.invalid(
        "/to",
        "names users with more than \(StoreLimits.audienceDevices) devices: name fewer, or address everyone or by a condition"
    )

    private func report(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let message = MessageReference(try context.messageID("id"), of: caller.app.number)
        guard let report = try await messages.report(message, at: service.clock.now) else {
            throw Problem.noSuchMessage(message.id.rawValue)
        }
        return try JSONBody.answer(report)
    }

    private func timeline(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .read)
        let message = MessageReference(try context.messageID("id"), of: caller.app.number)
        let after = request.uri.queryParameters.get("after")
        let found = try await messages.timeline(
            message, after: after, limit: ServiceLimits.devicesPerPage, at: service.clock.now)
        guard var timeline = found else { throw Problem.noSuchMessage(message.id.rawValue) }
        let waiting = service.health.waiting(topic: caller.app.topic, at: service.clock.now)
        for index in timeline.devices.indices where timeline.devices[index].state == .queued {
            timeline.devices[index].waiting = waiting
        }
        return try JSONBody.answer(timeline)
    }

    private func recall(
        _ request: Request, _ context: ServiceRequestContext, _ notice: RecallNotice?
    ) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .send)
        let message = MessageReference(try context.messageID("id"), of: caller.app.number)
        let rules = SendingRules(assuredWait: service.configuration.assuredWait)
        let now = service.clock.now
        guard try await messages.recall(message, notice: notice, rules, by: caller.actor, at: now),
            let answer = try await messages.recallAnswer(message, limit: ServiceLimits.devicesPerPage)
        else { throw Problem.noSuchMessage(message.id.rawValue) }
        tell("a message was recalled", message.id, caller.app, context)
        return try JSONBody.answer(answer, status: .accepted)
    }

    /// Logs a decision of a backend about a message.
    func tell(
        _ decision: Logger.Message, _ message: MessageID, _ app: AppReference, _ context: ServiceRequestContext
    ) {
        context.logger.notice(decision, metadata: ["message": "\(message)", "app": "\(app.topic)"])
    }

    /// Reads the notice, a quiet push that replaces a recalled message; returns `nil` if the request has none.
    private static func notice(_ request: Request) async throws -> RecallNotice? {
        guard var body = try await JSONBody.objectIfAny(request) else { return nil }
        let json = body.take("notice")
        try body.finish()
        guard let json else { return nil }
        var reader = try ObjectReader(json, pointer: "/notice")
        let title = try reader.takeString("title")
        let text = try reader.takeString("body")
        try reader.finish()
        guard title != nil || text != nil else {
            throw Problem.invalid("/notice", "says nothing: give it a title, a body or both")
        }
        for (name, text, limit) in [
            ("title", title, DeliveryLimits.noticeTitleBytes), ("body", text, DeliveryLimits.noticeBodyBytes),
        ] {
            guard let text, !(1...limit).contains(text.utf8.count) else { continue }
            throw Problem.invalid("/notice/\(name)", "must have 1 to \(limit) bytes of text")
        }
        return RecallNotice(title: title, body: text)
    }
}
