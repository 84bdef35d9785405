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
        guard message.audience.isBroadcast || count <= StoreLimits.audienceDevices else { throw Problem.tooManyDevices }
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

    /// Sends a message again, under another id, to the devices that did not see it.
    func resend(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .send)
        let message = try context.messageID("id")
        var body = try await JSONBody.objectIfAny(request)
        let wanted = try body?.takeString("id")
        try body?.finish()
        let id: MessageID
        do { id = try MessageID(wanted ?? "\(message)\(Self.copySuffix)") } catch {
            let hint = wanted == nil ? "the copy's own id is \(message)\(Self.copySuffix): " : ""
            throw Problem.invalid("/id", "\(hint)\(error.description)")
        }
        let key = try Self.idempotencyKey(request, caller.key)
        try await service.requireRoom(in: caller.app)
        switch try await messages.resend(message, of: caller.app, as: id, key, at: service.clock.now) {
        case .unknown: throw Problem.noSuchMessage(message.rawValue)
        case .ended(let state):
            throw Problem.conflict(
                "message-ended",
                "the message \(message) is \(state.rawValue): send another message to whom it is still for")
        case .seenByAll:
            throw Problem.conflict(
                "seen-by-all",
                "every device that got the message \(message) has shown it, or was given to another user: there is nobody to send it to again"
            )
        case .answered(let acceptance):
            if case .accepted = acceptance {
                context.logger.tell("a message was sent again", message, caller.app)
            }
            return try JSONBody.answer(try service.answer(acceptance, id, of: caller.app), status: .accepted)
        }
    }

    /// The end of the id that the copy of a message gets if the request names none.
    private static let copySuffix = ".2"

    /// Pauses, resumes or cancels a message.
    func steer(_ request: Request, _ context: ServiceRequestContext, _ change: SendingChange) async throws -> Response {
        let caller = try await service.callers.backend(request, may: .send)
        let message = MessageReference(try context.messageID("id"), of: caller.app.number)
        let now = service.clock.now
        guard try await messages.steer(message, change, at: now),
            let report = try await messages.report(message, at: now)
        else { throw Problem.noSuchMessage(message.id.rawValue) }
        if change.isMade(in: report.state) { context.logger.tell(change.decision, message.id, caller.app) }
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
    var decision: Logger.Message {
        switch self {
        case .pause: "a message was paused"
        case .resume: "a message was resumed"
        case .cancel: "a message was cancelled"
        }
    }
}
