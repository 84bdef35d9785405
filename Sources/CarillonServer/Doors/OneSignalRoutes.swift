import CarillonCore
import HTTPTypes
import Hummingbird

/// OneSignal's routes: `POST /notifications` and `DELETE /notifications/{id}`, also below `/api/v1`.
struct OneSignalRoutes {
    let service: ServiceContext
    let messages: MessageCalls
    let sender: DoorSender

    /// OneSignal's answer to a send.
    struct Answer: Encodable {
        /// The message's id; empty if it is for nobody.
        var id: String
        var externalID: String?
        /// Sentences, or the recipients without a device by their kind.
        var errors: JSONValue?

        enum CodingKeys: String, CodingKey {
            case id, errors
            case externalID = "external_id"
        }
    }

    /// OneSignal's sentence for a message for nobody.
    private static let nobody: JSONValue = ["All included players are not subscribed"]

    func add(to router: Router<ServiceRequestContext>) {
        for prefix in ["", "/api/v1"] {
            router.post(RouterPath("\(prefix)/notifications")) { request, _ in
                try await DoorRefusal.answering {
                    try await send(DoorCredential.asBearer(request))
                } as: { code, why in
                    ["errors": [why]]
                }
            }
            router.delete(RouterPath("\(prefix)/notifications/{id}")) { request, context in
                try await DoorRefusal.answering {
                    try await cancel(DoorCredential.asBearer(request), context)
                } as: { code, why in
                    ["errors": [why]]
                }
            }
        }
    }

    private func send(_ request: Request) async throws -> Response {
        let key = try await service.callers.key(request, may: .send)
        let now = service.clock.now
        var wanted = try OneSignalMessage(
            try await JSONBody.object(request), at: now, freshID: service.drawnMessageID(at: now))
        // The app's id at OneSignal says nothing here, where the key says which app it is.
        if key.apps.count == 1 { wanted.send.topic = nil }
        let ignored = Set(wanted.send.ignored)
        guard !wanted.isForOthers else {
            return try JSONBody.answer(Answer(id: "", errors: Self.nobody)).naming(ignored: ignored)
        }
        let outcome = try await sender.send(
            wanted.send, by: key, try wanted.idempotencyKey.map { try Self.idempotencyKey($0, key) })
        var answer = Answer(id: outcome.id?.rawValue ?? "", externalID: wanted.idempotencyKey)
        if outcome.id == nil || outcome.devices == 0 {
            (answer.id, answer.errors) = ("", Self.nobody)
        } else if !outcome.failures.isEmpty {
            answer.errors = ["invalid_player_ids": .array(outcome.failures.map { .string($0.token) })]
        }
        return try JSONBody.answer(answer).naming(ignored: ignored)
    }

    private static func idempotencyKey(_ text: String, _ key: APIKeyRecord) throws(Problem) -> IdempotencyKey {
        guard (1...ServiceLimits.idempotencyKeyBytes).contains(text.utf8.count) else {
            throw .invalid(
                "/idempotency_key",
                "must have 1 to \(ServiceLimits.idempotencyKeyBytes) bytes; OneSignal asks for a UUID")
        }
        return IdempotencyKey(owner: key.id, key: text)
    }

    /// Stops a message that has not gone out yet.
    private func cancel(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let key = try await service.callers.key(request, may: .send)
        let named = key.apps.count == 1 ? nil : request.uri.queryParameters.get("app_id")
        let app = try CallerAuthentication.app(of: key, named: named, pointer: nil)
        let message = MessageReference(try context.messageID("id"), of: app.number)
        let now = service.clock.now
        guard let before = try await messages.report(message, at: now) else {
            throw Problem.noSuchMessage(message.id.rawValue)
        }
        guard try await messages.steer(message, .cancel, at: now),
            let report = try await messages.report(message, at: now), report.state == .cancelled
        else {
            throw Problem(
                .badRequest, "already-sent", "The message has gone out",
                "the message has been sent to all its devices; DELETE /v1/notifications/\(message.id) takes it back from them"
            )
        }
        if before.state != .cancelled { context.logger.tell(SendingChange.cancel.decision, message.id, app) }
        return try JSONBody.answer(["success": true])
    }
}
