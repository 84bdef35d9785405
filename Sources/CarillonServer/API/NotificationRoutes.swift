import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The routes of `/v1/notifications`: the calls of backends about messages.
struct NotificationRoutes {
    let service: ServiceContext
    let messages: MessageCalls
    let widgets: WidgetCalls
    let templates: TemplateCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.get("/v1/notifications") { request, context in try await list(request) }
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
        router.post("/v1/notifications/{id}/resend") { request, context in try await resend(request, context) }
        router.get("/v1/notifications/{id}/recipients") { request, context in
            try await recipients(request, context)
        }
        router.get("/v1/notifications/{id}/timeline") { request, context in try await timeline(request, context) }
    }

    private func send(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let key = try await service.callers.key(request, may: .send)
        let now = service.clock.now
        var rules = MessageRequest.Rules(
            key: key, topic: CallerAuthentication.topic(request), now: now,
            freshID: service.drawnMessageID(at: now),
            idempotencyKey: try Self.idempotencyKey(request, key))
        var body = try await JSONBody.object(request)
        let received = body.rest
        if let use = try body.takeTemplate() {
            rules.received = received
            var named = body
            let app = try named.takeApp(of: key, orNamed: rules.topic)
            // A repetition has its answer, whatever has become of the template since.
            if body.rest["dry_run"] != true,
                let answer = try await messages.answer(
                    toRepetition: MessageRequest.fingerprint(of: received),
                    id: body.rest["id"]?.stringValue.flatMap { try? MessageID($0) }, rules.idempotencyKey, of: app,
                    at: now)
            {
                return try JSONBody.answer(answer, status: .accepted)
            }
            body = try body.adding(try await templates.template(use, of: app).message, use)
        }
        let wanted = try MessageRequest(body, rules)
        if wanted.isDryRun { return try await dryRun(wanted, at: now) }
        let answer = try await messages.accept(wanted.message, for: service, context.logger)
        for reload in wanted.reloads { await self.reload(reload, beside: wanted.message.id, context.logger) }
        return try JSONBody.answer(answer, status: .accepted)
    }

    /// Reloads widgets or controls beside a message.
    ///
    /// The message is accepted, so a caller must not hear that it was not. A caller that gets no answer repeats its request, and
    /// reloads again: one push brings both.
    private func reload(_ reload: NewWidgetReload, beside message: MessageID, _ logger: Logger) async {
        do {
            _ = try await widgets.reload(reload, for: service, at: service.clock.now)
        } catch {
            logger.error(
                "a message was accepted, and the widgets beside it were not reloaded",
                metadata: ["message": "\(message)", "app": "\(reload.app.topic)", "error": "\(error)"])
        }
    }

    static func idempotencyKey(_ request: Request, _ caller: APIKeyRecord) throws -> IdempotencyKey? {
        guard let name = HTTPField.Name("Idempotency-Key"), let key = request.headers[name] else { return nil }
        guard (1...ServiceLimits.idempotencyKeyBytes).contains(key.utf8.count) else {
            throw Problem(
                .unprocessableContent, "invalid-value", "A value cannot be accepted",
                "the header Idempotency-Key has 1 to \(ServiceLimits.idempotencyKeyBytes) bytes")
        }
        return IdempotencyKey(owner: caller.id, key: key)
    }

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
            timeline.devices[index].waiting = waiting ?? timeline.devices[index].waiting
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
        context.logger.tell("a message was recalled", message.id, caller.app)
        return try JSONBody.answer(answer, status: .accepted)
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
