import CarillonCore
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The routes of `/v1/webhooks`.
struct WebhookRoutes {
    let service: ServiceContext
    let webhooks: WebhookCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.get("/v1/webhooks") { request, _ in
            let caller = try await service.callers.backend(request, may: .read)
            let all = try await webhooks.all(of: caller.app.number)
            return try JSONBody.answer(["webhooks": all.map { WebhookAnswer($0, at: service.clock.now) }])
        }
        router.post("/v1/webhooks") { request, context in try await add(request, context) }
        router.get("/v1/webhooks/{id}") { request, context in
            let caller = try await service.callers.backend(request, may: .read)
            let id = try Self.id(context)
            return try answer(try await webhooks.webhook(id, of: caller.app.number), id)
        }
        router.patch("/v1/webhooks/{id}") { request, context in try await change(request, context) }
        router.delete("/v1/webhooks/{id}") { request, context in
            let caller = try await service.callers.backend(request, may: .admin)
            let id = try Self.id(context)
            guard try await webhooks.delete(id, of: caller.app, by: caller.actor, at: service.clock.now) else {
                throw Problem.noSuchWebhook(id)
            }
            context.logger.notice("a webhook was deleted", metadata: ["app": "\(caller.app.topic)"])
            return Response(status: .noContent)
        }
        router.post("/v1/webhooks/{id}/rotate") { request, context in try await rotate(request, context) }
        router.post("/v1/webhooks/{id}/replay") { request, context in try await replay(request, context) }
        router.post("/v1/webhooks/{id}/test") { request, context in try await test(request, context) }
    }

    private static func id(_ context: ServiceRequestContext) throws -> String {
        try context.parameters.require("id")
    }

    private func answer(_ webhook: Webhook?, _ id: String, secret: Data? = nil) throws -> Response {
        guard let webhook else { throw Problem.noSuchWebhook(id) }
        var answer = WebhookAnswer(webhook, at: service.clock.now)
        answer.secret = secret.map { "whsec_\($0.base64EncodedString())" }
        return try JSONBody.answer(answer, tag: webhook.tag)
    }

    private func drawnSecret() -> Data { Data(service.random.bytes(ServiceLimits.webhookSecretBytes)) }

    // MARK: The calls

    private func add(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .admin)
        var body = try await JSONBody.object(request)
        let url = try body.takeString("url")
        let types = try Self.types(&body)
        let hasTexts = try body.takeBool("texts") ?? false
        try body.finish()
        guard let url else { throw Problem.invalid("/url", "is missing: the address to which events are posted") }
        try check(url)
        let (now, secret) = (service.clock.now, drawnSecret())
        // A repeated call finds the webhook of the first one by its id.
        let id = try Self.hash(request, caller, "add")?.prefix(ServiceLimits.apiKeyIDBytes)
        let webhook = Webhook(
            id: (id ?? Data(service.random.bytes(ServiceLimits.apiKeyIDBytes))).hexadecimal, app: caller.app.number,
            url: url, selection: FeedSelection(types: types, hasTexts: hasTexts), created: now, due: now)
        switch try await webhooks.add(webhook, secret: secret, for: caller.app, by: caller.actor, at: now) {
        case .added(let secret):
            context.logger.notice("a webhook was added", metadata: ["app": "\(caller.app.topic)"])
            let added = try await webhooks.webhook(webhook.id, of: caller.app.number)
            return try answer(added, webhook.id, secret: secret)
        case .isAnother:
            throw Problem.conflict(
                "idempotency-key-reused", "this Idempotency-Key came before with another webhook; use a new key")
        case .areTooMany:
            throw Problem.conflict(
                "too-many-webhooks", "the app has \(StoreLimits.webhooksPerApp) webhooks; delete one that is not used")
        }
    }

    /// Returns a hash of a request's idempotency key, its caller, its call and its values; `nil` for a request without a key.
    private static func hash(
        _ request: Request, _ caller: CallerAuthentication.Backend, _ call: String, _ values: String...
    ) throws -> Data? {
        guard let key = try NotificationRoutes.idempotencyKey(request, caller.key) else { return nil }
        var hash = SHA256()
        for value in [key.owner, key.key, caller.app.topic, call] + values {
            hash.update(data: Data("\(value.utf8.count) \(value)".utf8))
        }
        return Data(hash.finalize())
    }

    private func change(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .admin)
        var body = try await JSONBody.object(request)
        var change = WebhookChange()
        change.url = try body.takeString("url")
        change.types = try Self.types(&body)
        change.hasTexts = try body.takeBool("texts")
        let state = try body.takeString("state")
        try body.finish()
        guard state == nil || state == "active" else {
            throw Problem.invalid("/state", #"can only be changed to "active", so that a webhook set aside goes on"#)
        }
        change.resumes = state != nil
        if let url = change.url { try check(url) }
        let id = try Self.id(context)
        let tags = request.headers[.ifMatch].flatMap(EntityTag.listed)
        let changed = try await webhooks.change(
            id, of: caller.app, change, ifMatching: tags, by: caller.actor, at: service.clock.now)
        wake()
        return try answer(changed, id)
    }

    private func rotate(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .admin)
        let (now, secret) = (service.clock.now, drawnSecret())
        let id = try Self.id(context)
        let rotated = try await webhooks.rotate(
            id, of: caller.app, to: secret, overlapUntil: now + ServiceLimits.webhookOverlap,
            request: try Self.hash(request, caller, "rotate"), by: caller.actor, at: now)
        if rotated != nil {
            context.logger.notice("a webhook got another secret", metadata: ["app": "\(caller.app.topic)"])
        }
        return try answer(rotated?.webhook, id, secret: rotated?.secret)
    }

    private func replay(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .admin)
        var body = try await JSONBody.object(request)
        let since = try body.takeMoment("since")
        try body.finish()
        guard let since else {
            throw Problem.invalid("/since", "is missing: the time from which events are told again")
        }
        let now = service.clock.now
        guard since >= now - StoreLimits.feedKept else {
            throw Problem.invalid("/since", "is too long ago: events are kept since \(now - StoreLimits.feedKept)")
        }
        let id = try Self.id(context)
        let replayed = try await webhooks.replay(
            id, of: caller.app, since: since, request: try Self.hash(request, caller, "replay", "\(since)"), at: now)
        wake()
        return try answer(replayed, id)
    }

    private func test(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .admin)
        let id = try Self.id(context)
        guard let webhook = try await webhooks.webhook(id, of: caller.app.number) else {
            throw Problem.noSuchWebhook(id)
        }
        guard webhook.setAside == nil else {
            throw Problem.conflict(
                "webhook-set-aside", #"this webhook is set aside; PATCH it with {"state": "active"} first"#)
        }
        let tested = try await webhooks.test(
            id, of: caller.app, request: try Self.hash(request, caller, "test"), at: service.clock.now)
        wake()
        return try answer(tested, id)
    }

    /// Wakes the worker of this process; those of others look at intervals.
    private func wake() { service.publisher.feeds.publish([()]) }

    // MARK: The body

    private func check(_ url: String) throws(Problem) {
        do {
            _ = try WebhookTarget(
                url, reachesPrivateNetworks: service.configuration.webhooksReachPrivateNetworks)
        } catch {
            throw .invalid("/url", error.description)
        }
    }

    /// Reads the types of events; returns `nil` if the body does not name them.
    private static func types(_ body: inout ObjectReader) throws(Problem) -> Set<FeedEventType>? {
        guard let names = try body.takeStrings("types", limit: FeedEventType.selectable.count) else { return nil }
        var types: Set<FeedEventType> = []
        for (index, name) in names.enumerated() {
            guard let type = FeedEventType(selectable: name) else {
                throw .invalid("/types/\(index)", FeedRoutes.unknownType(name))
            }
            types.insert(type)
        }
        return types
    }
}

/// A webhook as the API shows it.
private struct WebhookAnswer: Encodable {
    struct Failure: Encodable {
        var at: Timestamp?
        var answer: String
    }

    var id: String
    var url: String
    var types: [FeedEventType]?
    var texts: Bool
    /// `active`, `retrying` or `set-aside`.
    var state: String
    var created: Timestamp
    var delivered: Timestamp?
    var failures: Int
    var nextAttempt: Timestamp?
    var lastFailure: Failure?
    var missed: Timestamp?
    /// The cursors up to which the endpoint has confirmed the events, and after the newest event.
    var confirmed: String
    var newest: String
    /// Only in the answer to the call that made it.
    var secret: String?

    enum CodingKeys: String, CodingKey {
        case id, url, types, texts, state, created, delivered, failures, missed, confirmed, newest, secret
        case nextAttempt = "next_attempt"
        case lastFailure = "last_failure"
    }

    init(_ webhook: Webhook, at now: Timestamp) {
        (id, url, texts, created) = (webhook.id, webhook.url, webhook.selection.hasTexts, webhook.created)
        types = webhook.selection.types?.sorted { $0.rawValue < $1.rawValue }
        state = webhook.setAside != nil ? "set-aside" : webhook.failures > 0 ? "retrying" : "active"
        (delivered, failures, missed) = (webhook.delivered, webhook.failures, webhook.missed)
        (confirmed, newest) = ("\(webhook.position)", "\(webhook.newest)")
        nextAttempt = state == "retrying" ? webhook.due : nil
        lastFailure = webhook.answer.map { Failure(at: webhook.answered, answer: $0) }
    }
}

extension Problem {
    fileprivate static func noSuchWebhook(_ id: String) -> Problem {
        Problem(
            .notFound, "no-such-webhook", "There is no such webhook",
            "this app has no webhook with the id \(id.prefix(DeliveryLimits.quotedKeyCharacters))")
    }
}
