import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird

/// `/v1/users`: what backends say about their users.
struct UserRoutes {
    let service: ServiceContext

    /// The answer of `POST /v1/users/{id}/read`.
    struct ReadAnswer: Encodable {
        /// Messages that were unread before.
        var marked: Int
        var unread: Int
    }

    func add(to router: Router<BasicRequestContext>) {
        router.post("/v1/users/{id}/read") { request, context in try await read(request, context) }
    }

    private func read(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        _ = try await service.callers.backend(request, may: .send)
        guard let user = try context.parameters.require("id").removingPercentEncoding, UserID.isValid(user) else {
            throw Problem(.notFound, "no-such-user", "There is no such user", UserID.rule)
        }
        var body = try await JSONBody.object(request)
        let ids = try body.takeStrings("messages", limit: ServiceLimits.messagesPerPage)
        let moment = try body.takeMoment("up_to")
        try body.finish()
        let outcome = try await service.store.markRead(
            try Self.selection(ids, moment), user: user, on: nil, at: service.clock.now)
        service.changed(outcome.events)
        return try JSONBody.answer(ReadAnswer(marked: outcome.marked, unread: outcome.unread))
    }

    private static func selection(_ ids: [String]?, _ moment: Timestamp?) throws(Problem) -> ReadSelection {
        switch (ids, moment) {
        case (let ids?, nil): return .messages(try messages(ids))
        case (nil, let moment?): return .upTo(moment)
        default:
            throw .invalid(
                "", #"must have either "messages": the ids that were read, or "up_to": a time until which all were"#)
        }
    }

    private static func messages(_ ids: [String]) throws(Problem) -> [MessageID] {
        var messages: [MessageID] = []
        for (index, text) in ids.enumerated() {
            guard let id = try? MessageID(text) else {
                throw .invalid("/messages/\(index)", "is not a message's id")
            }
            messages.append(id)
        }
        return messages
    }
}
