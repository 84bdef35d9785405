import CarillonCore
import HTTPTypes
import Hummingbird

/// The routes `/v1/devices/{id}/inbox` and `/v1/devices/{id}/read`, for the list of messages that an app shows.
struct InboxRoutes {
    let service: ServiceContext
    let users: UserCalls

    func add(to router: Router<ServiceRequestContext>) {
        router.get("/v1/devices/{id}/inbox") { request, context in try await inbox(request, context) }
        router.post("/v1/devices/{id}/read") { request, context in try await read(request, context) }
    }

    /// Marks messages as read for the device's user, even if this device never got them.
    private func read(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let (device, user) = try await boundInstallation(request, context)
        var body = try await JSONBody.object(request)
        guard let ids = try body.takeStrings("messages", limit: ServiceLimits.messagesPerPage) else {
            throw Problem.invalid("/messages", "is missing: name the messages that were read")
        }
        try body.finish()
        _ = try await users.markRead(
            .revisions(try Self.revisions(ids)), user: user, on: device.id, at: service.clock.now)
        return try JSONBody.answer(try await service.sync(device.id))
    }

    private static func revisions(_ texts: [String]) throws(Problem) -> [MessageRevision] {
        var revisions: [MessageRevision] = []
        for (index, text) in texts.enumerated() {
            guard let revision = MessageRevision(text: text) else {
                throw .invalid("/messages/\(index)", "is not a message's id, or id:revision")
            }
            revisions.append(revision)
        }
        return revisions
    }

    private func boundInstallation(
        _ request: Request, _ context: ServiceRequestContext
    ) async throws -> (DeviceRecord, user: UserReference) {
        let device = try await service.callers.installation(request, is: try context.parameters.require("id"))
        guard let user = device.signedInUser else {
            throw Problem.conflict(
                "signed-out", "this installation is bound to no user; PATCH /v1/devices/{id} with a sign-in token first"
            )
        }
        return (device, UserReference(user, of: device.app.number))
    }

    private func inbox(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let (device, user) = try await boundInstallation(request, context)
        let now = service.clock.now
        let limit = ServiceLimits.messagesPerPage
        let entries = try await users.inbox(
            user: user, in: device.facts.locale, before: try await before(request, user), limit: limit + 1, at: now)
        let page = entries.prefix(limit)
        let answer = InboxAnswer(
            messages: page.map {
                InboxMessage(
                    id: $0.id, acceptedAt: $0.acceptedAt, until: $0.until, readAt: $0.readAt, payload: $0.payload,
                    revision: $0.revision)
            },
            unread: try await service.sync(device.id).unread ?? 0,
            next: entries.count > limit ? page.last?.id.rawValue : nil)
        return try JSONBody.answer(answer)
    }

    /// Returns the number of the message after which the requested page begins; `nil` for the first page.
    private func before(_ request: Request, _ user: UserReference) async throws -> Int64? {
        guard let text = request.uri.queryParameters.get("before") else { return nil }
        guard let id = try? MessageID(String(text)),
            let number = try await users.place(of: id, inInboxOf: user, at: service.clock.now)
        else {
            throw Problem.query(
                "before must be the next of the previous page, whose message may have gone: begin with the first page")
        }
        return number
    }
}
