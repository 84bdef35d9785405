import CarillonCore
import Hummingbird

/// What backends ask for before a message is sent, and while it is.
extension NotificationRoutes {
    /// The answer to a send with `dry_run`: what would be sent.
    struct DryRunAnswer: Encodable {
        struct Variant: Encodable {
            /// The language; absent for the payload's own.
            var locale: String?
            var devices: Int
            /// The largest push, with all that Carillon adds but removals.
            var bytes: Int
        }

        var dryRun = true
        var devices: Int
        var variants: [Variant]

        enum CodingKeys: String, CodingKey {
            case devices, variants
            case dryRun = "dry_run"
        }
    }

    /// Says what would be sent, and keeps nothing.
    func dryRun(_ request: MessageRequest, at now: Timestamp) async throws -> Response {
        let (message, texts) = (request.message, request.message.texts)
        let locales = try await store.locales(message.audience, of: message.app, at: now)
        let count = locales.values.reduce(0, +)
        guard message.audience.isBroadcast || count <= ServiceLimits.audienceDevices else { throw Self.tooManyDevices }
        var devices: [String?: Int] = [:]
        for (locale, count) in locales { devices[texts.language(for: locale), default: 0] += count }
        let variants = request.sizes.map { language, bytes in
            DryRunAnswer.Variant(locale: language, devices: devices[language] ?? 0, bytes: bytes)
        }
        return try JSONBody.answer(
            DryRunAnswer(devices: count, variants: variants.sorted { ($0.locale ?? "") < ($1.locale ?? "") }))
    }

    /// Stops a message, or lets it go on.
    func steer(_ request: Request, _ context: ServiceRequestContext, _ change: SendingChange) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .send)
        let message = MessageReference(try context.messageID("id"), of: caller.app.number)
        let now = service.clock.now
        guard let events = try await store.steer(message, change, at: now),
            let report = try await store.report(message, at: now)
        else { throw Problem.noSuchMessage(message.id.rawValue) }
        service.changed(events)
        service.messages.publish([message])
        return try JSONBody.answer(report)
    }
}
