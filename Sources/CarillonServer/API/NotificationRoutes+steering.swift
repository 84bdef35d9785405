import CarillonCore
import Hummingbird
import Logging

/// The calls by which backends preview a message, or pause, resume or cancel it.
extension NotificationRoutes {
    /// The answer to a dry run, with the numbers and sizes of the pushes that would be sent.
    struct DryRunAnswer: Encodable {
        struct Variant: Encodable {
            /// The language; absent for the texts in the payload itself.
            var locale: String?
            var devices: Int
            /// The size of the largest push in bytes, with everything that Carillon adds.
            ///
            /// Removals of older messages, which a push carries only if they fit, do not count.
            var bytes: Int
        }

        var dryRun = true
        var devices: Int
        /// The reason why the message would be for no device; absent if it would be for some.
        var reason: NobodyReason?
        var variants: [Variant]

        enum CodingKeys: String, CodingKey {
            case devices, reason, variants
            case dryRun = "dry_run"
        }
    }

    /// Answers a dry run with the numbers and sizes of the pushes that would be sent, and stores nothing.
    func dryRun(_ request: MessageRequest, at now: Timestamp) async throws -> Response {
        let (message, texts) = (request.message, request.message.texts)
        let locales = try await messages.locales(message.audience, of: message.app, at: now)
        let count = locales.values.reduce(0, +)
        guard message.audience.isBroadcast || count <= StoreLimits.audienceDevices else { throw Self.tooManyDevices }
        var devices: [String?: Int] = [:]
        for (locale, count) in locales { devices[texts.language(for: locale), default: 0] += count }
        let variants = request.sizes.map { language, bytes in
            DryRunAnswer.Variant(locale: language, devices: devices[language] ?? 0, bytes: bytes)
        }
        let reason =
            count == 0 ? try await messages.reasonForNobody(in: message.audience, of: message.app, at: now) : nil
        return try JSONBody.answer(
            DryRunAnswer(
                devices: count, reason: reason, variants: variants.sorted { ($0.locale ?? "") < ($1.locale ?? "") }))
    }

    /// Pauses, resumes or cancels a message.
    func steer(_ request: Request, _ context: ServiceRequestContext, _ change: SendingChange) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .send)
        let message = MessageReference(try context.messageID("id"), of: caller.app.number)
        let now = service.clock.now
        guard try await messages.steer(message, change, at: now),
            let report = try await messages.report(message, at: now)
        else { throw Problem.noSuchMessage(message.id.rawValue) }
        if change.isMade(in: report.state) { tell(change.decision, message.id, caller.app, context) }
        return try JSONBody.answer(report)
    }
}

extension SendingChange {
    /// Returns whether a message in this state may have got it by the change; a change without effect is not logged.
    fileprivate func isMade(in state: MessageState) -> Bool {
        switch self {
        case .pause: state == .paused
        case .resume: ![.paused, .cancelled, .recalled, .expired].contains(state)
        case .cancel: state == .cancelled
        }
    }

    /// The line of the log that tells of the change.
    fileprivate var decision: Logger.Message {
        switch self {
        case .pause: "a message was paused"
        case .resume: "a message was resumed"
        case .cancel: "a message was cancelled"
        }
    }
}
