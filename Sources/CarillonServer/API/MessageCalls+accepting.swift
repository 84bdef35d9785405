import CarillonCore
import Logging

extension MessageCalls {
    /// Accepts a message for a service: one with room in its queue, which counts the message and logs a broadcast.
    ///
    /// - Parameters:
    ///   - message: the checked message.
    ///   - service: the service.
    ///   - logger: the logger of the call that brings the message.
    /// - Returns: the answer to the caller; for a repeated request, that of the first.
    /// - Throws: ``Problem`` 409 if the message is refused, 429 if too much waits; otherwise the store's error.
    func accept(_ message: NewMessage, for service: ServiceContext, _ logger: Logger) async throws -> SendAnswer {
        try await service.requireRoom(in: message.app)
        let acceptance = try await accept(message, at: service.clock.now)
        if case .accepted = acceptance, message.audience.isBroadcast {
            logger.tell("a broadcast was accepted", message.id, message.app)
        }
        return try service.answer(acceptance, message.id, of: message.app)
    }
}

extension ServiceContext {
    /// Counts a message that was accepted, and returns the answer to its caller.
    ///
    /// - Throws: ``Problem`` 409 if the message was refused.
    func answer(_ acceptance: Acceptance, _ id: MessageID, of app: AppReference) throws(Problem) -> SendAnswer {
        switch acceptance {
        case .accepted(let answer):
            let pushes = answer.devices ?? DeliveryLimits.devicesWithRows
            backlog.withLock { $0.accepted(devices: pushes, for: app.number) }
            metrics.app(app.topic).countMessage()
            return answer
        case .repeated(let answer): return answer
        case .refused(let refusal): throw refusal.problem(of: id)
        }
    }
}

extension Logger {
    /// Logs a decision of a backend about a message.
    func tell(_ decision: Logger.Message, _ message: MessageID, _ app: AppReference) {
        notice(decision, metadata: ["message": "\(message)", "app": "\(app.topic)"])
    }
}

extension Problem {
    static let tooManyDevices = invalid(
        "/to",
        "names users with more than \(StoreLimits.audienceDevices) devices: name fewer, or address everyone or by a condition"
    )
}

extension Acceptance.Refusal {
    fileprivate func problem(of id: MessageID) -> Problem {
        switch self {
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
        case .audienceTooLarge: .tooManyDevices
        case .needsRanges:
            .conflict(
                "sent-by-ranges",
                "this is for more than \(StoreLimits.audienceDevices) devices, and the message \(id) was to named users or devices, or the app had few devices then: recall that one, and use another id",
                pointer: "/id")
        }
    }
}
